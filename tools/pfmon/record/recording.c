// SPDX-License-Identifier: GPL-2.0-only
/* Recordings, see recording.h. */
#include "record/recording.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "diag.h"
#include "engine/clocks.h"
#include "record/branches.h"
#include "record/buffer_size.h"
#include "record/cpu_buffers.h"
#include "record/kernel_formats.h"
#include "record/memory.h"
#include "record/meta.h"
#include "record/packer.h"
#include "record/precise_period.h"
#include "record/symbols.h"
#include "record/targets.h"
#include "registers/samplers.h"

#define NEWS_MAX 64

static struct stream *stream_of(const struct recording *recording, int session)
{
	return session >= 0 && session < recording->capacity ?
		       recording->streams[session] :
		       NULL;
}

static void drop(struct recording *recording, int session)
{
	struct stream *stream = stream_of(recording, session);

	if (!stream)
		return;
	stream_close(stream);
	free(stream);
	recording->streams[session] = NULL;
}

/* Puts it where its descriptor says. -1 with errno. */
static int keep(struct recording *recording, struct stream *stream)
{
	struct epoll_event news = { .events = EPOLLIN,
				    .data.u64 = (uint64_t)stream->fd };
	struct stream **grown;
	int capacity = recording->capacity ? recording->capacity : 16;

	while (capacity <= stream->fd)
		capacity *= 2;
	if (capacity > recording->capacity) {
		grown = reallocarray(recording->streams, (size_t)capacity,
				     sizeof(struct stream *));
		if (!grown)
			return -1;
		memset(grown + recording->capacity, 0,
		       (size_t)(capacity - recording->capacity) *
			       sizeof(struct stream *));
		recording->streams = grown;
		recording->capacity = capacity;
	}
	if (epoll_ctl(recording->epoll, EPOLL_CTL_ADD, stream->fd, &news))
		return -1;
	/* One whose thread was gone before it was attached. */
	drop(recording, stream->fd);
	recording->streams[stream->fd] = stream;
	return 0;
}

static int open_stream(void *arg)
{
	struct recording *recording = arg;
	struct stream *stream = malloc(sizeof(*stream));
	int error;

	if (!stream)
		return -1;
	if (stream_open(stream, &recording->kind)) {
		recording->unsampled += errno == ENOMEM;
		error = errno;
	} else if (!keep(recording, stream)) {
		/* That of the next one: 0 would be none. */
		if (recording->kind.seed && !++recording->kind.seed)
			recording->kind.seed = 1;
		return stream->fd;
	} else {
		error = errno;
		stream_close(stream);
		close(stream->fd);
	}
	free(stream);
	errno = error;
	return -1;
}

/* Something is recorded for certain. */
static void begin(struct recording *recording)
{
	if (recording->begun)
		recording->begun(recording->arg);
	recording->begun = NULL;
}

static void attached(int session, const struct task *task, int cpu, void *arg)
{
	struct recording *recording = arg;
	struct stream *stream = stream_of(recording, session);

	/* CPUs have their sessions before the command can begin. */
	if (task)
		begin(recording);
	stream->id = task ? (uint32_t)task->tid : (uint32_t)cpu;
	stream->tgid = task ? (uint32_t)task->pid : 0;
	if (task && targets_thread(recording, task))
		diag("note: thread %d: its mappings are not told: %s",
		     task->tid, strerror(errno));
}

/* The thread is stopped: what it did until now was before that. */
static void take_stopped(struct recording *recording, const struct task *task)
{
	struct stream *stream = stream_of(recording, task->session);

	/* Whose callers are looked for at once. */
	if (stream && recording->by_perf && recording->kind.stack_bytes)
		perf_maps_take(&recording->perf);
	if (stream)
		stream_take(stream, &recording->writer);
}

static void executed(const struct task *task, void *arg)
{
	struct recording *recording = arg;

	take_stopped(arg, task);
	/* It is there as long as it is stopped, even if it removes itself. */
	if (recording->by_perf)
		perf_maps_take(&recording->perf);
	targets_executed(arg, task);
}

static void leaving(const struct task *task, void *arg)
{
	take_stopped(arg, task);
	targets_leaving(arg, task);
}

/* Says once that the kernel may begin to stop counters. */
static void judge_rate(struct recording *recording, const struct stream *stream)
{
	uint64_t peak = pace_peak(&stream->pace);

	if (peak > recording->rate)
		recording->rate = peak;
	if (recording->judged || !pace_is_too_fast(&stream->pace))
		return;
	recording->judged = true;
	diag("note: record: %" PRIu64
	     " samples/s may be throttled; use a period of at least %" PRIu64,
	     recording->rate, recording_period(recording));
}

static void ended(int session, const struct task *task,
		  struct turns_counts *counts, void *arg)
{
	struct recording *recording = arg;
	struct stream *stream = stream_of(recording, session);

	if (!stream)
		return;
	begin(recording);
	/* Who reads a file from its begin knows what samples are of. */
	if (recording->by_perf)
		perf_maps_take(&recording->perf);
	stream_finish(stream, &recording->writer, counts);
	recording->alone += stream->alone;
	recording->repeats += stream->repeats;
	judge_rate(recording, stream);
	if (task && task->dead)
		targets_gone(recording, task);
	drop(recording, session);
}

static bool has_ended(int session, void *arg)
{
	const struct stream *stream = stream_of(arg, session);

	return stream && stream->ended;
}

/* Of which processes there are samples. */
static void saw(const struct pfm_dfl_smpl_entry *entry, void *arg)
{
	struct recording *recording = arg;

	clock_see(&recording->clock, entry->tstamp);
	if (recording->by_perf)
		return;
	for (int i = 0; i < recording->seen_count; i++) {
		if (recording->seen[i] == entry->tgid)
			return;
	}
	if (recording->seen_count < RECORDING_SEEN)
		recording->seen[recording->seen_count++] = entry->tgid;
}

static void take_from(struct recording *recording, struct stream *stream)
{
	recording->seen_count = 0;
	stream_take_full(stream, &recording->writer);
	if (stream->cpus)
		cpu_buffers_sum(stream);
	for (int i = 0; i < recording->seen_count; i++)
		targets_look(recording, (pid_t)recording->seen[i]);
	judge_rate(recording, stream);
	/* It has nothing more to tell, and would tell it for ever. */
	if (stream->ended)
		epoll_ctl(recording->epoll, EPOLL_CTL_DEL, stream->fd, NULL);
}

static int take(void *arg)
{
	struct recording *recording = arg;
	struct epoll_event news[NEWS_MAX];
	int count = epoll_wait(recording->epoll, news, NEWS_MAX, 0);

	recording->running = true;
	begin(recording);
	/* Of a ring, poll() of the epoll has taken the news already. */
	if (recording->by_perf)
		perf_maps_take(&recording->perf);
	for (int i = 0; i < count; i++) {
		struct stream *stream;

		if (news[i].data.u64 == PERF_MAPS_NEWS)
			continue;
		stream = stream_of(recording, (int)news[i].data.u64);
		if (stream)
			take_from(recording, stream);
	}
	return 0;
}

int recording_mappings(struct request *request, bool *by_perf)
{
	*by_perf = request->samples.mappings != MAPPINGS_PROC &&
		   !perf_maps_probe(request->system_wide);
	/* /proc has to be read while each is stopped that executes a program. */
	if (!*by_perf && request->means == FOLLOW_AUTO)
		request->means = FOLLOW_PTRACE;
	if (*by_perf || request->samples.mappings == MAPPINGS_PROC)
		return 0;
	if (request->samples.mappings == MAPPINGS_PERF)
		return diag(
			"--mappings=perf: perf_event_open: %s; use --mappings=maps",
			strerror(errno));
	diag("note: perf_event does not tell of mappings here (%s); /proc is looked at now and then",
	     strerror(errno));
	return 0;
}

/* Whether the kernel is sampled, and overflow interrupts can and may be NMIs. */
static bool uses_nmis(const struct measurement *m)
{
	FILE *file = fopen(REGMAP_SYSFS "/delivery", "re");
	bool kernel = false, can = false;
	char word[16];

	while (file && fscanf(file, "%15s", word) == 1)
		can |= !strcmp(word, "nmi");
	if (file)
		fclose(file);
	for (int i = 0; i < m->hardware.count; i++)
		kernel |= m->hardware.events[i].levels & LEVEL_KERNEL;
	return kernel && can && !m->request->samples.no_nmi;
}

static int session_flags(const struct measurement *m, bool blocks)
{
	int flags = blocks ? PFM_FL_NOTIFY_BLOCK : 0;

	if (uses_nmis(m))
		flags |= PFM_FL_NMI;
	if (m->request->system_wide)
		return flags | PFM_FL_SYSTEM_WIDE;
	if (m->means != FOLLOW_KERNEL)
		return flags;
	flags |= PFM_FL_INHERIT;
	return m->request->follow.forks ? flags : flags | PFM_FL_INHERIT_THREAD;
}

/*
 * Whether threads wait while their buffer is full. Members of a family do not wait with
 * records in their hands.
 */
static bool waits(const struct measurement *m)
{
	const struct request *request = m->request;
	bool precise = samplers_any(&m->hardware) || request->samples.branches;

	return !request->system_wide &&
	       (m->means != FOLLOW_KERNEL || (m->members_wait && !precise)) &&
	       request->samples.block != BLOCK_NEVER &&
	       !request->samples.saturate;
}

static uint32_t blocks_of(const struct sample_wish *wish)
{
	return (wish->data ? PFM_PRECISE_SMPL_MEM : 0) |
	       (wish->branches ? PFM_PRECISE_SMPL_BRANCHES : 0);
}

int recording_prepare(struct recording *recording, struct measurement *m,
		      bool by_perf)
{
	const struct request *request = m->request;
	bool inherits = m->means == FOLLOW_KERNEL;
	bool precise = samplers_any(&m->hardware);

	*recording = (struct recording){
		.measurement = m,
		.by_perf = by_perf,
		.epoll = epoll_create1(EPOLL_CLOEXEC),
		.kind = { .sets = &m->sets,
			  .periods = &recording->periods,
			  .thins = recording->thins,
			  .frames = request->samples.frames,
			  .stack_bytes = request->samples.stack_bytes,
			  .precise = precise || request->samples.branches,
			  .blocks = blocks_of(&request->samples),
			  .seed = request->samples.seed,
			  .inherits = inherits,
			  .whole = request->samples.saturate,
			  .saw = saw,
			  .arg = recording,
			  .flags = session_flags(m, waits(m)) },
		.proc = { .writer = &recording->writer,
			  .files = &recording->files,
			  .clock = &recording->clock },
		.sampling = { open_stream, attached, executed, leaving, ended,
			      has_ended, take, .arg = recording },
	};
	recording->sampling.news = recording->epoll;
	if (recording->epoll < 0)
		return diag("cannot wait for samples: %s", strerror(errno));
	if (m->events.count != m->hardware.count)
		return diag(
			"-e: software values and PMUs outside the cores cannot be sampled; use pfmon stat");
	if (m->sets.count > 1)
		return diag(
			"-e: sets and samples do not go together; give one list");
	if (periods_make(&recording->periods, &request->samples, &m->hardware,
			 &m->sets.list[0], clocks_cpu_hz()) ||
	    periods_check(&request->samples, &m->map) || branches_program(m) ||
	    kernel_formats_check(&request->samples, precise) ||
	    (request->samples.data && memory_check(&m->hardware)))
		return -1;
	precise_program(&m->sets.list[0].plan, &recording->periods);
	if (recording->kind.precise || !kernel_formats_copy() ||
	    !buffer_has_copies(recording))
		recording->kind.stack_bytes = 0;
	recording->kind.size = buffer_size(recording);
	clock_compare(&recording->clock);
	return 0;
}

/*
 * Has callers found, before the samples are written, unless frame pointers do. 0, or -1
 * after a message.
 */
static int begin_unwinding(struct recording *recording, int fd, int copy)
{
	const struct sample_wish *wish =
		&recording->measurement->request->samples;

	if (!recording->kind.stack_bytes ||
	    !unwinding_begin(&recording->unwinding, fd, copy,
			     wish->compression))
		return 0;
	if (errno != ENOSYS)
		return diag("--call-graph: %s", strerror(errno));
	if (!wish->copies_if_possible)
		return diag(
			"--call-graph=dwarf: not built in: libdw, or pfmon report; use --call-graph=fp");
	recording->kind.stack_bytes = 0;
	recording->kind.size = buffer_size(recording);
	return 0;
}

/* The file of samples as far as it is known before there are any. */
static int begin_file(struct recording *recording, int fd, char *const argv[])
{
	unsigned int level =
		recording->measurement->request->samples.compression;
	int copy = recording->files.keep ? symbols_copy(fd) : -1;

	if (begin_unwinding(recording, fd, copy))
		return -1;
	if (recording->unwinding.running)
		fd = recording->unwinding.samples;
	if (writer_begin(&recording->writer, fd))
		return diag("cannot write samples: %s", strerror(errno));
	if (copy >= 0 && !recording->unwinding.running)
		writer_copy(&recording->writer, copy);
	if (meta_write(recording, argv))
		return diag("cannot write samples: %s", strerror(errno));
	return level && !recording->unwinding.running ?
		       packer_begin(&recording->writer, (int)level) :
		       0;
}

int recording_begin(struct recording *recording, int fd, char *const argv[])
{
	const struct measurement *m = recording->measurement;
	bool kernel = false;

	if (begin_file(recording, fd, argv))
		return -1;
	for (int i = 0; i < m->hardware.count; i++)
		kernel |= m->hardware.events[i].levels & LEVEL_KERNEL;
	if (kernel)
		targets_kernel(recording);
	if (recording->by_perf &&
	    perf_maps_open(&recording->perf, &recording->writer,
			   &recording->files, recording->epoll,
			   m->request->system_wide ||
				   request_follows(m->request)))
		return diag("cannot watch mappings: %s", strerror(errno));
	if (m->request->system_wide && targets_everybody(recording))
		return diag("cannot watch mappings: %s", strerror(errno));
	return 0;
}

uint64_t recording_kept(const struct recording *recording)
{
	uint64_t kept = recording->writer.samples + recording->repeats;

	for (int i = 0; i < recording->periods.count; i++)
		kept -= thin_left_out(&recording->thins[i]);
	return kept;
}

uint64_t recording_period(const struct recording *recording)
{
	const struct periods *periods = &recording->periods;
	uint64_t least = 0, factor = recording->rate / PACE_MAX + 1;

	for (int i = 0; i < periods->count; i++) {
		uint64_t every = periods->list[i].every;

		if (every && (!least || every < least))
			least = every;
	}
	/* A part of the time of a sample is the kernel's, of any period. */
	return least * (factor > 2 ? factor : 2);
}

int recording_end(struct recording *recording)
{
	if (recording->by_perf)
		perf_maps_take(&recording->perf);
	if (recording->perf.lost)
		diag("note: %" PRIu64
		     " records of mappings are lost; some addresses will have no name",
		     recording->perf.lost);
	return unwinding_end(&recording->unwinding, &recording->writer);
}

void recording_close(struct recording *recording)
{
	for (int i = 0; i < recording->capacity; i++)
		drop(recording, i);
	free(recording->streams);
	unwinding_close(&recording->unwinding);
	perf_maps_close(&recording->perf);
	proc_maps_free(&recording->proc);
	mapped_files_close(&recording->files);
	if (recording->epoll >= 0)
		close(recording->epoll);
}

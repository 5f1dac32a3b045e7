// SPDX-License-Identifier: GPL-2.0-only
/* Streams of samples, see stream.h. */
#include "record/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <perfmon/perfmon.h>
#include <perfmon/perfmon_dfl_smpl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "record/cpu_buffers.h"
#include "record/entries.h"

/* What is tried if there is no memory for more. */
static const size_t smaller[] = { 65536, 16384, 4096 };

/* A rate that has no bursts which the kernel throttles. */
#define RATE_CALM 5000

/* Calls it for the stream, or for each CPU of a family. */
static void for_each_buffer(struct stream *stream, struct writer *writer,
			    void (*call)(struct stream *, struct writer *))
{
	if (!stream->cpus)
		call(stream, writer);
	for (int i = 0; i < stream->cpu_count; i++)
		call(&stream->cpus[i], writer);
}

/*
 * What cannot wait for its reader goes on meanwhile, in a buffer that can do so; and a
 * family always has such ones.
 */
static int choose_session(const struct stream_kind *kind, size_t size)
{
	int fd = -1;

	if (kind->inherits ||
	    (!(kind->flags & PFM_FL_NOTIFY_BLOCK) && !kind->whole))
		fd = entries_create_session(kind, size, true);
	else
		errno = EINVAL;
	/* It has no room for two halves, or the kernel knows none. */
	return fd < 0 && errno == EINVAL && !kind->inherits ?
		       entries_create_session(kind, size, false) :
		       fd;
}

static int map_buffer(struct stream *stream, size_t size)
{
	if (stream->kind->inherits)
		return cpu_buffers_open(stream, size);
	stream->size = size;
	stream->buffer =
		mmap(NULL, size, PROT_READ, MAP_PRIVATE, stream->fd, 0);
	return stream->buffer == MAP_FAILED ? -1 : 0;
}

static int create(struct stream *stream, size_t size)
{
	int error;

	stream->fd = choose_session(stream->kind, size);
	if (stream->fd < 0)
		return -1;
	fcntl(stream->fd, F_SETFL, O_NONBLOCK);
	if (!map_buffer(stream, size))
		return 0;
	error = errno == EAGAIN ? ENOMEM : errno;
	close(stream->fd);
	errno = error;
	return -1;
}

static int program(const struct stream *stream)
{
	const struct periods *periods = stream->kind->periods;

	const struct plan *plan = &stream->kind->sets->list[0].plan;

	if (turns_write(stream->fd, stream->kind->sets, 0))
		return -1;
	for (int i = 0; i < periods->count; i++) {
		struct period copy = periods->list[i];

		copy.pmd.reg_value = periods_begin(&copy, stream->kind->seed);
		if (copy.random)
			copy.attr.reg_random_seed = stream->kind->seed;
		if (copy.every &&
		    pfm_write_pmrs(stream->fd, PFM_RWFL_PMD | PFM_RWFL_PMD_ATTR,
				   &copy.pmd, 1, &copy.attr))
			return -1;
	}
	/* When its counters have periods that they can have with it. */
	if (plan->records.reg_value) {
		struct pfarg_pmr pmcs[] = { plan->records, plan->latency };
		int count = plan->latency.reg_value ? 2 : 1;

		return pfm_write_pmrs(stream->fd, PFM_RWFL_PMC, pmcs, count);
	}
	return 0;
}

int stream_open(struct stream *stream, const struct stream_kind *kind)
{
	int error, ret;

	*stream = (struct stream){ .kind = kind, .fd = -1 };
	ret = create(stream, kind->size);
	for (size_t i = 0;
	     ret && errno == ENOMEM && i < sizeof(smaller) / sizeof(smaller[0]);
	     i++) {
		if (smaller[i] < kind->size)
			ret = create(stream, smaller[i]);
	}
	if (ret)
		return -1;
	if (!program(stream))
		return 0;
	error = errno;
	stream_close(stream);
	close(stream->fd);
	errno = error;
	return -1;
}

void stream_close(struct stream *stream)
{
	munmap(stream->buffer, stream->size);
	stream->buffer = NULL;
	if (stream->cpus)
		cpu_buffers_close(stream);
}

/*
 * What counters had counted since the sample before, if they begin anew with each.
 * Samples of one moment have the same values.
 */
static void sum_values(struct stream *stream,
		       const struct pfm_dfl_smpl_entry *entry)
{
	const struct periods *periods = stream->kind->periods;
	const char *end = (const char *)entry +
			  entries_size(stream->kind, (const char *)entry);
	const uint64_t *values =
		(const uint64_t *)(const void *)end - periods->recorded;

	if (!periods->sums || stream->summed == entry->tstamp)
		return;
	stream->summed = entry->tstamp;
	for (int i = 0; i < periods->count; i++) {
		if (periods->value_of[i] >= 0)
			stream->stand_for[i] += values[periods->value_of[i]];
	}
}

/* Counts what an entry stands for. number: its own, in the file; place: of its period. */
static void add_up(struct stream *stream, const char *entry, uint64_t number,
		   int place)
{
	const struct stream_kind *kind = stream->kind;
	uint64_t last = ((const struct pfm_dfl_smpl_entry *)(const void *)entry)
				->last_reset_val;
	unsigned int times = 1 + entries_repeats(kind, entry);

	stream->repeats += times - 1;
	stream->stand_for[place] +=
		times * (kind->periods->list[place].after - last);
	while (kind->periods->list[place].rate && times--)
		thin_see(&kind->thins[place], (uint32_t)number,
			 entries_doubled(kind, entry));
}

/* The kernel ends bursts by itself where it may double the period. */
static void look_at_pace(struct stream *stream, uint64_t count, uint64_t ns,
			 const struct period *period)
{
	if (count % PACE_STEP == 0 &&
	    (!period->rate || period->rate > RATE_CALM))
		pace_see(&stream->pace, count, ns);
}

/*
 * Sums up what the entries stand for. first: number of the first one in the file. Returns
 * how many there are.
 */
static uint64_t look_at(struct stream *stream, const char *entries,
			const char *end, uint64_t first)
{
	const struct periods *periods = stream->kind->periods;
	uint64_t count = 0;

	for (; entries < end;
	     entries += entries_size(stream->kind, entries), count++) {
		const struct pfm_dfl_smpl_entry *entry = (const void *)entries;
		int place = periods->place_of[entry->ovfl_pmd % PFM_MAX_PMDS];

		if (place >= 0) {
			add_up(stream, entries, first + count, place);
			look_at_pace(stream, stream->samples + count,
				     entry->tstamp, &periods->list[place]);
		}
		sum_values(stream, entry);
		stream->alone += entries_are_alone(stream->kind, entries);
		stream->kind->saw(entry, stream->kind->arg);
	}
	return count;
}

/*
 * Writes the entries between two places of the buffer, without those that were
 * written before.
 */
static void take(struct stream *stream, struct writer *writer, uint64_t from,
		 uint64_t end)
{
	struct pfmd_samples about = { .stream = stream->id };
	struct iovec parts[] = { { &about, sizeof(about) }, { NULL, 0 } };
	char *entries;
	uint64_t count;

	if (stream->taken)
		from = stream->taken;
	if (end <= from || end > stream->size)
		return;
	entries = (char *)stream->buffer + from;
	parts[1] = (struct iovec){ entries, end - from };
	count = look_at(stream, entries, entries + (end - from),
			writer->samples);
	stream->samples += count;
	stream->taken = end;
	if (!writer_chunk(writer, entries_chunk(stream->kind), parts, 2))
		writer->samples += count;
}

/* Lets the kernel go on in what was taken; it cannot if the thread has ended. */
static bool give_back(struct stream *stream)
{
	return !pfm_start_session(stream->fd, PFM_STFL_RESTART);
}

/* Those of a family who wait look again whether there is room. */
static void wake_members(struct stream *stream)
{
	if (stream->cpus && stream->kind->flags & PFM_FL_NOTIFY_BLOCK)
		give_back(stream);
}

static uint64_t half_begin(const struct stream *stream, uint64_t half)
{
	return entries_begin(stream->kind) +
	       half % 2 * entries_halves(stream->kind, stream->buffer)->size;
}

static void take_full_halves(struct stream *stream, struct writer *writer)
{
	const volatile struct pfm_dfl_smpl_hdr *header = stream->buffer;
	const volatile struct entries_halves *halves =
		entries_halves(stream->kind, stream->buffer);

	while (stream->halves < header->hdr_overflows) {
		take(stream, writer, half_begin(stream, stream->halves),
		     halves->full_offs[stream->halves % 2]);
		stream->halves++;
		stream->taken = 0;
		if (stream->released) {
			/* Not before the last entry was read. */
			__atomic_store_n(stream->released, stream->halves,
					 __ATOMIC_RELEASE);
			continue;
		}
		while (halves->released < stream->halves && give_back(stream))
			;
	}
}

/* All that is in a buffer that nobody fills now. */
static void take_rest(struct stream *stream, struct writer *writer)
{
	const struct pfm_dfl_smpl_hdr *header = stream->buffer;
	const volatile struct entries_halves *halves =
		entries_halves(stream->kind, stream->buffer);
	uint64_t from = entries_begin(stream->kind);

	if (halves->size) {
		take_full_halves(stream, writer);
		/* Both were full, and stay so. */
		if (header->hdr_overflows - halves->released == 2)
			return;
		from = half_begin(stream, header->hdr_overflows);
	}
	take(stream, writer, from, header->hdr_cur_offs);
}

static void take_all_halves(struct stream *stream, struct writer *writer)
{
	for_each_buffer(stream, writer, take_full_halves);
	wake_members(stream);
}

void stream_take(struct stream *stream, struct writer *writer)
{
	/* The others of a family run on. */
	if (stream->cpus)
		take_all_halves(stream, writer);
	else
		take_rest(stream, writer);
}

/* Takes what a message of the session tells of. */
static void take_told(struct stream *stream, struct writer *writer)
{
	if (entries_halves(stream->kind, stream->buffer)->size) {
		take_all_halves(stream, writer);
		return;
	}
	take_rest(stream, writer);
	if (give_back(stream))
		stream->taken = 0;
}

bool stream_take_full(struct stream *stream, struct writer *writer)
{
	union pfarg_msg message;
	bool any = false;

	while (read(stream->fd, &message, sizeof(message)) == sizeof(message)) {
		any = true;
		if (message.type == PFM_MSG_END)
			stream->ended = true;
		else
			take_told(stream, writer);
	}
	return any;
}

/* Asks what a counter was loaded with last. */
static bool ask_last(const struct stream *stream, struct period *copy)
{
	int flags = PFM_RWFL_PMD | PFM_RWFL_PMD_ATTR;

	return !pfm_read_pmrs(stream->fd, flags | PFM_RWFL_RUNNING, &copy->pmd,
			      1, &copy->attr) ||
	       !pfm_read_pmrs(stream->fd, flags, &copy->pmd, 1, &copy->attr);
}

/* Whether a sample was taken whose counters did not begin anew yet. */
static bool is_pending(const struct periods *periods,
		       const struct turns_counts *counts)
{
	for (int i = 0; i < periods->count; i++) {
		const struct period *period = &periods->list[i];

		if (period->every && !period->sampler &&
		    (int64_t)counts->counts[period->event] >= 0)
			return true;
	}
	return false;
}

/* What the counters show after their last sample. */
static void correct(const struct stream *stream, struct turns_counts *counts)
{
	const struct periods *periods = stream->kind->periods;
	bool pending = !stream->cpus && is_pending(periods, counts);

	for (int i = 0; i < periods->count; i++) {
		struct period copy = periods->list[i];
		uint64_t *count = &counts->counts[copy.event];

		if (!copy.every && periods->value_of[i] >= 0)
			*count = (pending ? 0 : *count) + stream->stand_for[i];
		/* A unit that samples does not tell how far its period has come. */
		if (sampler_is_unit(copy.sampler))
			*count = stream->stand_for[i];
		if (copy.sampler == SAMPLER_PEBS)
			*count += stream->stand_for[i] - copy.pmd.reg_value;
		if (!copy.every || copy.sampler)
			continue;
		/*
		 * One that has overflowed waits for its next period at 0. In a
		 * family the others add to what the first has.
		 */
		if ((stream->cpus || (int64_t)*count < 0) &&
		    ask_last(stream, &copy))
			*count -= copy.attr.reg_last_value;
		*count += stream->stand_for[i];
	}
}

static void tell_loss(const struct stream *stream, struct writer *writer,
		      const struct turns_counts *counts)
{
	struct pfmd_loss loss = { .stream = stream->id,
				  .blind_ns = counts->blind_ns,
				  .throttled_ns = counts->throttled_ns,
				  .lost = counts->missed };
	struct iovec part = { &loss, sizeof(loss) };

	if (loss.blind_ns || loss.throttled_ns || loss.lost)
		writer_chunk(writer, PFMD_LOSS, &part, 1);
}

/* Records of unknown events. */
static uint64_t left_out(const struct stream *stream)
{
	const struct pfm_precise_smpl_hdr *header = stream->buffer;

	if (!stream->kind->precise || stream->cpus)
		return 0;
	return header->hdr_ambiguous + header->hdr_stray;
}

void stream_finish(struct stream *stream, struct writer *writer,
		   struct turns_counts *counts)
{
	for_each_buffer(stream, writer, take_rest);
	if (stream->cpus)
		cpu_buffers_sum(stream);
	correct(stream, counts);
	counts->unknown = left_out(stream);
	counts->missed += counts->unknown;
	tell_loss(stream, writer, counts);
}

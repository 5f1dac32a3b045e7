// SPDX-License-Identifier: GPL-2.0-only
/* Streams of samples, see stream.h. */
#include "record/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <perfmon/perfmon.h>
#include <perfmon/perfmon_dfl_smpl.h>
#include <perfmon/perfmon_stacks_smpl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* What is tried if there is no memory for more. */
static const size_t smaller[] = { 16384, 4096 };

/* Headers and entries begin alike: what is not about stacks reads both. */
static_assert(sizeof(struct pfm_stacks_smpl_hdr) ==
			      sizeof(struct pfm_dfl_smpl_hdr) &&
		      offsetof(struct pfm_stacks_smpl_hdr, hdr_cur_offs) ==
			      offsetof(struct pfm_dfl_smpl_hdr, hdr_cur_offs) &&
		      offsetof(struct pfm_stacks_smpl_entry, tgid) ==
			      offsetof(struct pfm_dfl_smpl_entry, tgid),
	      "two formats");

static int create_session(const struct stream_kind *kind, size_t size)
{
	struct pfm_stacks_smpl_arg stacks = { .buf_size = size,
					      .max_frames = kind->frames };
	struct pfm_dfl_smpl_arg plain = { .buf_size = size };
	int flags = kind->flags | PFM_FL_SMPL_FMT | PFM_FL_CLOEXEC;

	if (kind->frames)
		return pfm_create_session(flags, PFM_STACKS_SMPL_NAME, &stacks,
					  sizeof(stacks));
	return pfm_create_session(flags, PFM_DFL_SMPL_NAME, &plain,
				  sizeof(plain));
}

static int create(struct stream *stream, size_t size)
{
	int error;

	stream->size = size;
	stream->fd = create_session(stream->kind, size);
	if (stream->fd < 0)
		return -1;
	fcntl(stream->fd, F_SETFL, O_NONBLOCK);
	stream->buffer =
		mmap(NULL, size, PROT_READ, MAP_PRIVATE, stream->fd, 0);
	if (stream->buffer != MAP_FAILED)
		return 0;
	error = errno == EAGAIN ? ENOMEM : errno;
	close(stream->fd);
	errno = error;
	return -1;
}

static int program(const struct stream *stream)
{
	const struct periods *periods = stream->kind->periods;

	if (turns_write(stream->fd, stream->kind->sets, 0))
		return -1;
	for (int i = 0; i < periods->count; i++) {
		struct period copy = periods->list[i];

		if (copy.every &&
		    pfm_write_pmrs(stream->fd, PFM_RWFL_PMD | PFM_RWFL_PMD_ATTR,
				   &copy.pmd, 1, &copy.attr))
			return -1;
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
}

/* How long the last ones took. */
static void judge(struct stream *stream, uint64_t number, uint64_t stamp)
{
	uint64_t took = stamp - stream->mark;

	if (number % RATE_SAMPLES)
		return;
	if (stream->mark && took &&
	    (!stream->shortest_ns || took < stream->shortest_ns))
		stream->shortest_ns = took;
	stream->mark = stamp;
}

/* Bytes of an entry with all that follows it. */
static size_t entry_size(const struct stream *stream, const char *entry)
{
	if (stream->kind->frames)
		return ((const struct pfm_stacks_smpl_entry *)entry)->size;
	return sizeof(struct pfm_dfl_smpl_entry) +
	       (size_t)stream->kind->periods->recorded * sizeof(uint64_t);
}

/* Sums up what the entries stand for. Returns how many there are. */
static uint64_t look_at(struct stream *stream, const char *entries,
			const char *end)
{
	const struct periods *periods = stream->kind->periods;
	uint64_t count = 0;

	for (; entries < end; entries += entry_size(stream, entries), count++) {
		const struct pfm_dfl_smpl_entry *entry = (const void *)entries;
		int place = periods->place_of[entry->ovfl_pmd % PFM_MAX_PMDS];

		if (place >= 0)
			stream->stand_for[place] -= entry->last_reset_val;
		judge(stream, stream->samples + count, entry->tstamp);
		stream->kind->saw(entry, stream->kind->arg);
	}
	return count;
}

/* Writes what was added since the last time. */
void stream_take(struct stream *stream, struct writer *writer)
{
	const struct pfm_dfl_smpl_hdr *header = stream->buffer;
	uint64_t from = stream->taken ? stream->taken : sizeof(*header);
	uint64_t end = header->hdr_cur_offs;
	char *entries = (char *)stream->buffer + from;
	struct pfmd_samples about = { .stream = stream->id };
	struct iovec parts[] = { { &about, sizeof(about) },
				 { entries, end - from } };
	uint64_t count;

	if (end <= from || end > stream->size)
		return;
	count = look_at(stream, entries, entries + (end - from));
	stream->samples += count;
	stream->taken = end;
	if (!writer_chunk(writer,
			  stream->kind->frames ? PFMD_STACKS : PFMD_SAMPLES,
			  parts, 2))
		writer->samples += count;
}

bool stream_take_full(struct stream *stream, struct writer *writer)
{
	union pfarg_msg message;
	bool any = false;

	while (read(stream->fd, &message, sizeof(message)) == sizeof(message)) {
		any = true;
		if (message.type == PFM_MSG_END) {
			stream->ended = true;
			continue;
		}
		stream_take(stream, writer);
		/* Fails if the thread has ended meanwhile: the rest stays. */
		if (!pfm_start_session(stream->fd, PFM_STFL_RESTART))
			stream->taken = 0;
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

/* What the counters show after their last sample. */
static void correct(const struct stream *stream, struct turns_counts *counts)
{
	const struct periods *periods = stream->kind->periods;

	for (int i = 0; i < periods->count; i++) {
		struct period copy = periods->list[i];
		uint64_t *count = &counts->counts[copy.event];

		if (!copy.every)
			continue;
		/* One that has overflowed waits for its next period at 0. */
		if ((int64_t)*count < 0 && ask_last(stream, &copy))
			*count -= copy.attr.reg_last_value;
		*count += stream->stand_for[i];
	}
}

static void tell_loss(const struct stream *stream, struct writer *writer,
		      const struct turns_counts *counts)
{
	struct pfarg_setinfo info = { .set_id = 0 };
	struct pfmd_loss loss = { .stream = stream->id,
				  .blind_ns = counts->blind_ns,
				  .throttled_ns = counts->throttled_ns };
	struct iovec part = { &loss, sizeof(loss) };

	if (!pfm_getinfo_sets(stream->fd, PFM_GIFL_LOSS, &info, 1))
		loss.lost = info.set_reserved3[PFM_LOSS_OVERFLOWS];
	if (loss.blind_ns || loss.throttled_ns || loss.lost)
		writer_chunk(writer, PFMD_LOSS, &part, 1);
}

void stream_finish(struct stream *stream, struct writer *writer,
		   struct turns_counts *counts)
{
	stream_take(stream, writer);
	correct(stream, counts);
	tell_loss(stream, writer, counts);
}

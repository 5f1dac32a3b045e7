/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A stream of samples: the session of a thread or CPU, and the buffer that the
 * kernel fills. Entries are taken out when it is full, while the thread waits, and
 * when the session is at rest. A thread that does not wait, or a CPU, goes on: it has
 * a buffer in halves (<perfmon/perfmon_dfl_smpl.h>). A session that is inherited has
 * such a one for each CPU (cpu_buffers.h), and these are streams of the one stream.
 */
#ifndef PFMON_STREAM_H
#define PFMON_STREAM_H

#include <stdbool.h>

#include "engine/turns.h"
#include "profile/thin.h"
#include "profile/writer.h"
#include "record/pace.h"
#include "record/periods.h"

/* What all streams of a recording have in common. */
struct stream_kind {
	const struct event_sets *sets; /* one set */
	const struct periods *periods;
	struct thin *thins; /* of each period: what samples will be kept */
	size_t size; /* of buffers, in bytes */
	unsigned int frames; /* of the stack of a sample; 0: there is none */
	bool precise; /* entries are of the format "precise" */
	uint32_t blocks; /* of these: PFM_PRECISE_SMPL_MEM and so on */
	unsigned int stack_bytes; /* that are copied with it */
	uint64_t seed; /* of the random numbers of the next stream; 0: there is none */
	int flags; /* PFM_FL_* of sessions */
	bool inherits; /* the session is one of a family */
	bool whole; /* when the buffer is full nothing is sampled any more */
	/* Called for each entry that is taken. */
	void (*saw)(const struct pfm_dfl_smpl_entry *entry, void *arg);
	void *arg;
};

struct stream {
	const struct stream_kind *kind;
	int fd;
	uint32_t id; /* number of the thread or CPU */
	uint32_t tgid; /* of the thread, 0: a CPU */
	void *buffer;
	size_t size;
	/* End of what was taken of the buffer or of the half; 0: nothing. */
	uint64_t taken;
	uint64_t halves; /* that were full and were taken */
	/* Where the kernel is told of them, of a CPU of a family; else NULL. */
	volatile uint64_t *released;
	struct stream *cpus; /* of a family; it has no entries of its own */
	int cpu_count;
	uint64_t samples;
	uint64_t repeats; /* more that they stand for */
	uint64_t alone; /* of them: at user level, and nobody has called them */
	struct pace pace;
	/* Of each counter: how many events its samples stand for. */
	uint64_t stand_for[COUNTERS_MAX];
	uint64_t summed; /* when the last values were that are in them */
	bool ended; /* the kernel has said that its thread has */
};

/*
 * Makes a session with a buffer, smaller ones if there is no memory, programmed
 * and not attached. -1 with errno and without a message.
 */
int stream_open(struct stream *stream, const struct stream_kind *kind);

/* Frees the buffer; the session is closed by who has got its descriptor. */
void stream_close(struct stream *stream);

/*
 * Reads the messages of the session, takes the samples of a full buffer and lets
 * the kernel go on. Returns whether there were any. Errors of writing are kept by
 * the writer.
 */
bool stream_take_full(struct stream *stream, struct writer *writer);

/* Takes the samples of a thread that somebody has stopped. */
void stream_take(struct stream *stream, struct writer *writer);

/*
 * The session is at rest: takes what is left, tells the writer what was missed, and
 * makes counts of what the counters show.
 */
void stream_finish(struct stream *stream, struct writer *writer,
		   struct turns_counts *counts);

#endif /* PFMON_STREAM_H */

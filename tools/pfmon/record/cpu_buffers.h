/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The buffers of a session that is inherited: one for each CPU, which the kernel fills
 * with samples of all members that run there. Each is a stream in halves. Its reader
 * writes into a page how many halves he has taken, and wakes who waits for that.
 */
#ifndef PFMON_CPU_BUFFERS_H
#define PFMON_CPU_BUFFERS_H

#include "record/stream.h"

/* Maps those of a session whose buffers have so many bytes. -1 with errno. */
int cpu_buffers_open(struct stream *stream, size_t size);
void cpu_buffers_close(struct stream *stream);

/* Adds what its CPUs have seen to the stream itself. */
void cpu_buffers_sum(struct stream *stream);

#endif /* PFMON_CPU_BUFFERS_H */

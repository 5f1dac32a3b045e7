/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The formats of the kernel's buffers: what a stream has to know of headers and entries.
 * Headers are alike up to hdr_buf_flags, entries up to tgid: pfm_dfl_smpl_hdr and
 * pfm_dfl_smpl_entry stand for all of them there.
 */
#ifndef PFMON_ENTRIES_H
#define PFMON_ENTRIES_H

#include "record/stream.h"

/* As all headers have them. */
struct entries_halves {
	uint64_t size; /* bytes; 0: there are no halves */
	uint64_t released;
	uint64_t full_offs[2];
};

/* Creates a session with a buffer of so many bytes. -1 with errno. */
int entries_create_session(const struct stream_kind *kind, size_t size,
			   bool halves);

/* Where the first entry begins in a buffer. */
size_t entries_begin(const struct stream_kind *kind);

const volatile struct entries_halves *
entries_halves(const struct stream_kind *kind, const void *buffer);

/* Bytes that an entry needs at most, with values of so many counters. */
size_t entries_largest(const struct stream_kind *kind, unsigned int values);

/* Bytes of an entry with all that follows it. */
size_t entries_size(const struct stream_kind *kind, const char *entry);

/* How often the period of an entry had doubled. */
unsigned int entries_doubled(const struct stream_kind *kind, const char *entry);

/* How many periods more were over with it. */
unsigned int entries_repeats(const struct stream_kind *kind, const char *entry);

/* Whether the chain of an entry ends where it begins. */
bool entries_are_alone(const struct stream_kind *kind, const char *entry);

/* The chunk of a file that entries are written to. */
enum pfmd_type entries_chunk(const struct stream_kind *kind);

#endif /* PFMON_ENTRIES_H */

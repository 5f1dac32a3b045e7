/* SPDX-License-Identifier: GPL-2.0-only */
/* What is inside of chunks: each adds one to a profile. */
#ifndef PFMON_READ_PARTS_H
#define PFMON_READ_PARTS_H

#include "profile/read_chunks.h"
#include "profile/read_profile.h"

/*
 * They return 0, or -1 after a message: the payload contradicts itself, or there is
 * no memory.
 */
int part_meta(struct profile *profile, const struct chunk *chunk);
int part_task(struct profile *profile, const struct chunk *chunk);
int part_map(struct profile *profile, const struct chunk *chunk);
int part_samples(struct profile *profile, const struct chunk *chunk);
int part_stacks(struct profile *profile, const struct chunk *chunk);
int part_precise(struct profile *profile, const struct chunk *chunk);
int part_loss(struct profile *profile, const struct chunk *chunk);
int part_counts(struct profile *profile, const struct chunk *chunk);
int part_symbols(struct profile *profile, const struct chunk *chunk);

/* How often an event has happened while it was sampled; 0: the file does not tell. */
uint64_t part_counted(const struct profile *profile,
		      const struct profile_event *event);

/* What a chunk has, whatever it is. */
int part_add(struct profile *profile, const struct chunk *chunk);

/*
 * All samples of the file have been seen: whether this one is kept, which then stands for
 * a period of the last one's mean.
 */
bool part_keeps(const struct profile *profile, struct profile_sample *sample);

/* Forgets the samples that are in memory. */
void part_empty(struct profile *profile);

/*
 * All chunks of a file. Samples stay; or each chunk of them has gone when the next one
 * comes.
 */
int part_add_all(struct profile *profile, struct chunks *chunks, bool keep);

/* Closes what samples are read again from. */
void part_close(struct profile *profile);

/* Tells that a chunk is damaged. Returns -1. */
int part_damaged(const struct profile *profile, const struct chunk *chunk,
		 const char *what);

/*
 * Room for one more row of an array that has count; NULL after a message. All arrays
 * of a profile double when count is a power of 2.
 */
void *part_room(const struct profile *profile, void *array, size_t count,
		size_t row);

/* A copy that lives as long as the profile. NULL after a message. */
void *part_keep(struct profile *profile, const void *bytes, size_t size);

/* Whether an id is known. */
bool part_has_build_id(const uint8_t build_id[PFMD_BUILD_ID_SIZE]);

#endif /* PFMON_READ_PARTS_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the addresses of samples are, and what threads were called: as of the time
 * of a sample, because processes map, execute and are renamed.
 */
#ifndef PFMON_READ_PLACES_H
#define PFMON_READ_PLACES_H

#include "profile/read_profile.h"

struct places;

/* NULL after a message. The profile has to stay. */
struct places *places_new(const struct profile *profile);
void places_free(struct places *places);

/* The mapping that a process had there and then. NULL: none is known. */
const struct profile_map *places_find(const struct places *places,
				      uint32_t tgid, uint64_t ip,
				      uint64_t time);

/*
 * A number of what is known of the mappings of that time: where it is the same for a
 * process, so are the answers of places_find() for equal addresses.
 */
size_t places_version(const struct places *places, uint32_t tgid, uint64_t ip,
		      uint64_t time);

/* What a thread was called then. "": not known. */
const char *places_comm(const struct places *places, uint32_t tgid,
			uint32_t tid, uint64_t time);

/* User level ends here: what is above is the kernel's on x86. */
#define PLACES_KERNEL_START 0x8000000000000000ULL

#endif /* PFMON_READ_PLACES_H */

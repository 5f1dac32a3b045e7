/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether a call can have been made from a place: frame pointers of programs that have
 * none lead to addresses that no call returns to.
 */
#ifndef PFMON_CALL_SITES_H
#define PFMON_CALL_SITES_H

#include "symbols/images.h"

/*
 * The place is the last byte of the call, at address ip. Where there is no code to look
 * at, it is possible; unless nothing can be executed there.
 */
bool call_site_is_possible(const struct image *image,
			   const struct profile_map *map, uint64_t place,
			   uint64_t ip);

/*
 * Whether a signal handler returns to behind the place: no call is before it, and the
 * function begins there. False where there is no code to look at.
 */
bool call_site_is_signal(const struct image *image, uint64_t place);

#endif /* PFMON_CALL_SITES_H */

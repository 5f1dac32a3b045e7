/* SPDX-License-Identifier: GPL-2.0-only */
/* Calls made by a user without any capability. */
#ifndef PFM_TEST_UNPRIVILEGED_H
#define PFM_TEST_UNPRIVILEGED_H

#include <sys/types.h>

#define NOBODY 65534
#define NO_GROUP ((gid_t)-1)

/*
 * Runs @fn(@arg) in a child with the user and group id NOBODY, and @group as
 * the only supplementary group. Returns the result of @fn (0..254, by
 * convention an errno), or -1 if the child could not be made.
 */
int unprivileged(gid_t group, int (*fn)(void *arg), void *arg);

#endif

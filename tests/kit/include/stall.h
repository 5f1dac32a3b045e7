/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory that holds up whoever touches it, the kernel in the middle of a call
 * included, until it is let go (userfaultfd).
 */
#ifndef PFM_TEST_STALL_H
#define PFM_TEST_STALL_H

#include <stddef.h>

struct stall {
	void *page;
	size_t size;
	int fd;
};

/* Maps a page that stalls. Returns 0, or -1 with errno: ENOSYS, EPERM... */
int stall_make(struct stall *stall);

/* Waits, at most ten seconds, until somebody is held up. Returns 0 or -1. */
int stall_wait(const struct stall *stall);

/* Lets him go; the page has @size bytes of @content then. Returns 0 or -1. */
int stall_let_go(const struct stall *stall, const void *content, size_t size);

void stall_end(struct stall *stall);

#endif

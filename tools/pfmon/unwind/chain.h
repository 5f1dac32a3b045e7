/* SPDX-License-Identifier: GPL-2.0-only */
/* The callers of a sample, by its copy of registers and stack. */
#ifndef PFMON_CHAIN_H
#define PFMON_CHAIN_H

#include <perfmon/perfmon_stacks_smpl.h>

#include "unwind/tables.h"

/* What is to be unwound: the copy has its bytes behind it. */
struct chain_from {
	const struct pfm_stacks_smpl_copy *copy;
	const uint8_t *stack;
	/* The kernel's chain by frame pointers, the innermost first. */
	const uint64_t *pointers;
	unsigned int pointer_count;
	uint32_t tgid;
	uint64_t time;
	bool is_32bit;
};

/*
 * Fills ips, the innermost first, at most max. An address that was interrupted, by a
 * signal, has 1 added, so that it is in the code behind it as others are. Behind the end
 * of the copy the kernel's chain is followed, as long as functions have frame pointers by
 * their tables. Flags are those of PFM_STACKS_SMPL_* that tell why it ends before the
 * outermost: CUT, more than max or than the copy has; BROKEN, nothing vouches for the next
 * one. Returns how many there are, at least 1; 0 without memory.
 */
unsigned int chain_find(struct tables *tables, const struct chain_from *from,
			uint64_t *ips, unsigned int max, uint16_t *flags);

#endif /* PFMON_CHAIN_H */

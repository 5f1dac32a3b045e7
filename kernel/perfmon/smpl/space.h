/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The space of a buffer: what the formats have in common.  They
 * fill a buffer with entries of variable size until the largest one would not fit; then
 * the session is masked and its owner notified, and a restart empties the buffer.
 *
 * A buffer may be in halves: the kernel fills one while a program reads the other, so that
 * the session need not be masked.  They are filled in turn.  One that is full stays as it
 * is until a restart gives it back.  While both are full overflows are lost, and counted
 * as such.
 */
#ifndef _KERNEL_PERFMON_SPACE_H
#define _KERNEL_PERFMON_SPACE_H

#include <linux/types.h>

/* What the headers of all formats have in the same places. */
struct perfmon_space {
	u64 count;
	u64 cur_offs;
	u64 filled;	/* how often the buffer, or a half of it, has become full */
	u64 buf_size;
	u64 min_buf_space;
	u64 own[3];	/* of the format */
	u64 half_size;	/* 0: the buffer is not divided */
	u64 released;	/* of the halves that were filled */
	u64 full_offs[2];
	u64 more[4]; /* likewise */
};

static inline bool perfmon_space_is_full(const struct perfmon_space *space)
{
	return space->buf_size - space->cur_offs < space->min_buf_space;
}

int perfmon_space_validate(u32 session_flags, u64 buf_size, u64 largest,
			   bool halves);
void perfmon_space_init(void *buf, u64 buf_size, u64 largest, bool halves);
int perfmon_space_filled(void *buf, u32 *ctrl);
int perfmon_space_overrun(void *buf, u32 *ctrl);
u32 perfmon_space_room(const struct perfmon_space *space);
int perfmon_space_restart(bool active, u32 *ctrl, void *buf);
bool perfmon_space_release(void *buf, u64 released);

#endif /* _KERNEL_PERFMON_SPACE_H */

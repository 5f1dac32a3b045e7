// SPDX-License-Identifier: GPL-2.0-only
/*
 * The space of a buffer, see space.h.
 *
 * Called by the handlers and restarts of formats, hence for a session at a time only
 * one of these functions runs.
 *
 * The free space of a buffer is what is left up to its end.  The second half is added to
 * what a first half leaves free when it is full (hdr_min_buf_space), so that handlers need
 * not know of halves as long as there is room.
 */
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/math.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/perfmon_fmt.h>
#include <linux/stddef.h>
#include <uapi/linux/perfmon.h>
#include <uapi/linux/perfmon_dfl_smpl.h>
#include <uapi/linux/perfmon_precise_smpl.h>
#include <uapi/linux/perfmon_stacks_smpl.h>

#include "space.h"

#define SAME(field, hdr, hdr_field) \
	static_assert(offsetof(struct perfmon_space, field) == \
		      offsetof(struct hdr, hdr_field))

SAME(count, pfm_dfl_smpl_hdr, hdr_count);
SAME(cur_offs, pfm_dfl_smpl_hdr, hdr_cur_offs);
SAME(filled, pfm_dfl_smpl_hdr, hdr_overflows);
SAME(buf_size, pfm_dfl_smpl_hdr, hdr_buf_size);
SAME(min_buf_space, pfm_dfl_smpl_hdr, hdr_min_buf_space);
SAME(half_size, pfm_dfl_smpl_hdr, hdr_half_size);
SAME(released, pfm_dfl_smpl_hdr, hdr_released);
SAME(full_offs, pfm_dfl_smpl_hdr, hdr_full_offs);
SAME(count, pfm_stacks_smpl_hdr, hdr_count);
SAME(cur_offs, pfm_stacks_smpl_hdr, hdr_cur_offs);
SAME(filled, pfm_stacks_smpl_hdr, hdr_overflows);
SAME(buf_size, pfm_stacks_smpl_hdr, hdr_buf_size);
SAME(min_buf_space, pfm_stacks_smpl_hdr, hdr_min_buf_space);
SAME(half_size, pfm_stacks_smpl_hdr, hdr_half_size);
SAME(released, pfm_stacks_smpl_hdr, hdr_released);
SAME(full_offs, pfm_stacks_smpl_hdr, hdr_full_offs);
SAME(count, pfm_precise_smpl_hdr, hdr_count);
SAME(cur_offs, pfm_precise_smpl_hdr, hdr_cur_offs);
SAME(filled, pfm_precise_smpl_hdr, hdr_overflows);
SAME(buf_size, pfm_precise_smpl_hdr, hdr_buf_size);
SAME(min_buf_space, pfm_precise_smpl_hdr, hdr_min_buf_space);
SAME(half_size, pfm_precise_smpl_hdr, hdr_half_size);
SAME(released, pfm_precise_smpl_hdr, hdr_released);
SAME(full_offs, pfm_precise_smpl_hdr, hdr_full_offs);
static_assert(sizeof(struct perfmon_space) == sizeof(struct pfm_dfl_smpl_hdr) &&
	      sizeof(struct perfmon_space) ==
		      sizeof(struct pfm_stacks_smpl_hdr) &&
	      sizeof(struct perfmon_space) ==
		      sizeof(struct pfm_precise_smpl_hdr));

static u64 space_half_size(u64 buf_size)
{
	return round_down((buf_size - sizeof(struct perfmon_space)) / 2,
			  sizeof(u64));
}

/* Begin with the half whose turn it is, the other one than last time. */
static void space_fill_half(struct perfmon_space *space)
{
	u64 second = sizeof(*space) + space->half_size;
	u64 beyond = space->buf_size - second;

	if (space->filled % 2) {
		space->cur_offs = second;
		space->min_buf_space -= beyond;
	} else {
		space->cur_offs = sizeof(*space);
		space->min_buf_space += beyond;
	}
	space->count = 0;
}

/**
 * perfmon_space_validate - is a buffer large enough?
 * @session_flags: flags of the session
 * @buf_size: bytes of the buffer
 * @largest: bytes of the largest entry
 * @halves: is the buffer to be divided?
 *
 * Return: 0, or -EINVAL: the largest entry does not fit, or not into each half; a
 * thread would wait (PFM_FL_NOTIFY_BLOCK) for a buffer that is never full; or that of
 * the members of a family (PFM_FL_INHERIT), who go on when it is, has no halves.
 */
int perfmon_space_validate(u32 session_flags, u64 buf_size, u64 largest,
			   bool halves)
{
	if (buf_size < sizeof(struct perfmon_space) + largest ||
	    buf_size > SIZE_MAX)
		return -EINVAL;
	if (!halves)
		return session_flags & PFM_FL_INHERIT ? -EINVAL : 0;
	if ((session_flags & (PFM_FL_NOTIFY_BLOCK | PFM_FL_INHERIT)) ==
		    PFM_FL_NOTIFY_BLOCK ||
	    space_half_size(buf_size) < largest)
		return -EINVAL;
	return 0;
}

/**
 * perfmon_space_init - the space of a new buffer
 * @buf: buffer, zeroed
 * @buf_size: bytes of it
 * @largest: bytes of the largest entry
 * @halves: is it divided?
 */
void perfmon_space_init(void *buf, u64 buf_size, u64 largest, bool halves)
{
	struct perfmon_space *space = buf;

	space->cur_offs = sizeof(*space);
	space->buf_size = buf_size;
	space->min_buf_space = largest;
	if (!halves)
		return;
	space->half_size = space_half_size(buf_size);
	space_fill_half(space);
}

/**
 * perfmon_space_filled - an entry has filled a buffer, or a half of it
 * @buf: buffer
 * @ctrl: what the handler has to say
 *
 * Return: what the handler has to return.
 */
int perfmon_space_filled(void *buf, u32 *ctrl)
{
	struct perfmon_space *space = buf;

	if (!space->half_size) {
		space->filled++;
		*ctrl = PFM_OVFL_CTRL_NOTIFY | PFM_OVFL_CTRL_MASK;
		return -ENOBUFS;
	}
	space->full_offs[space->filled % 2] = space->cur_offs;
	/* Programs may look at any time. */
	barrier();
	space->filled++;
	if (space->filled - space->released < 2)
		space_fill_half(space);
	*ctrl = PFM_OVFL_CTRL_NOTIFY | PFM_OVFL_CTRL_RESET;
	return 0;
}

/** perfmon_space_overrun - there is no room for an entry; likewise */
int perfmon_space_overrun(void *buf, u32 *ctrl)
{
	const struct perfmon_space *space = buf;

	if (!space->half_size)
		return perfmon_space_filled(buf, ctrl);
	*ctrl = PFM_OVFL_CTRL_FULL | PFM_OVFL_CTRL_RESET;
	return -ENOBUFS;
}

/**
 * perfmon_space_room - how many entries are sure to fit, whatever their sizes
 * @space: not full; the last of them may fill it, or the half
 */
u32 perfmon_space_room(const struct perfmon_space *space)
{
	u64 beyond = 0, largest;

	if (space->half_size && !(space->filled % 2))
		beyond = space->buf_size - sizeof(*space) - space->half_size;
	largest = space->min_buf_space - beyond;
	return min_t(u64, U32_MAX,
		     1 + div64_u64(space->buf_size - space->cur_offs -
				   space->min_buf_space, largest));
}

/* The half that has been full longest is given back. */
static void space_release_half(struct perfmon_space *space, u32 *ctrl)
{
	if (space->filled == space->released)
		return;
	space->released++;
	if (space->filled == space->released)
		return;
	/* Both were. */
	space_fill_half(space);
	*ctrl |= PFM_OVFL_CTRL_FULL;
}

/**
 * perfmon_space_restart - a restart gives back what was read
 * @active: unused
 * @ctrl: what the restart has to say
 * @buf: buffer
 *
 * Return: 0
 */
int perfmon_space_restart(bool active, u32 *ctrl, void *buf)
{
	struct perfmon_space *space = buf;

	*ctrl = PFM_OVFL_CTRL_RESET;
	if (space->half_size) {
		space_release_half(space, ctrl);
		return 0;
	}
	space->count = 0;
	space->cur_offs = sizeof(*space);
	return 0;
}

/**
 * perfmon_space_release - a program says which halves it has read
 * @buf: buffer in halves, both are full
 * @released: how many of all that were filled; anything else is ignored
 *
 * Context: the overflow interrupt on the CPU whose buffer it is.
 *
 * Return: is there room again?
 */
bool perfmon_space_release(void *buf, u64 released)
{
	struct perfmon_space *space = buf;
	u64 more = released - space->released;

	if (!more || more > space->filled - space->released)
		return false;
	space->released = released;
	space_fill_half(space);
	return true;
}

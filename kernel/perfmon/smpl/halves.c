// SPDX-License-Identifier: GPL-2.0-only
/*
 * Buffers in halves, see halves.h.
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
#include <linux/math.h>
#include <linux/perfmon_fmt.h>
#include <linux/stddef.h>
#include <uapi/linux/perfmon_dfl_smpl.h>
#include <uapi/linux/perfmon_stacks_smpl.h>

#include "halves.h"

/* What the headers of both formats have in the same places. */
struct halves_hdr {
	u64 count;
	u64 cur_offs;
	u64 filled;	/* halves that have become full */
	u64 buf_size;
	u64 min_buf_space;
	u64 own[3];	/* of the format */
	u64 half_size;
	u64 released;	/* of those that were filled */
	u64 full_offs[2];
	u64 reserved[4];
};

#define SAME(field, hdr, hdr_field) \
	static_assert(offsetof(struct halves_hdr, field) == \
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
static_assert(sizeof(struct halves_hdr) == sizeof(struct pfm_dfl_smpl_hdr) &&
	      sizeof(struct halves_hdr) == sizeof(struct pfm_stacks_smpl_hdr));

static u64 halves_size(u64 buf_size)
{
	return round_down((buf_size - sizeof(struct halves_hdr)) / 2,
			  sizeof(u64));
}

/* Begin with the half whose turn it is, the other one than last time. */
static void halves_fill(struct halves_hdr *hdr)
{
	u64 second = sizeof(*hdr) + hdr->half_size;
	u64 beyond = hdr->buf_size - second;

	if (hdr->filled % 2) {
		hdr->cur_offs = second;
		hdr->min_buf_space -= beyond;
	} else {
		hdr->cur_offs = sizeof(*hdr);
		hdr->min_buf_space += beyond;
	}
	hdr->count = 0;
}

/**
 * perfmon_halves_fit - has each half room for an entry?
 * @buf_size: bytes of the buffer, more than the header
 * @largest: bytes of the largest entry
 */
bool perfmon_halves_fit(u64 buf_size, u64 largest)
{
	return halves_size(buf_size) >= largest;
}

/**
 * perfmon_halves_init - divide a new buffer
 * @buf: buffer; its header is that of an empty one that is not divided
 */
void perfmon_halves_init(void *buf)
{
	struct halves_hdr *hdr = buf;

	hdr->half_size = halves_size(hdr->buf_size);
	halves_fill(hdr);
}

/**
 * perfmon_halves_turn - a half has become full
 * @buf: buffer
 * @ctrl: what the handler has to say
 *
 * Return: what the handler has to return.
 */
int perfmon_halves_turn(void *buf, u32 *ctrl)
{
	struct halves_hdr *hdr = buf;

	hdr->full_offs[hdr->filled % 2] = hdr->cur_offs;
	/* Programs may look at any time. */
	barrier();
	hdr->filled++;
	if (hdr->filled - hdr->released < 2)
		halves_fill(hdr);
	*ctrl = PFM_OVFL_CTRL_NOTIFY | PFM_OVFL_CTRL_RESET;
	return 0;
}

/** perfmon_halves_lose - there is an overflow, and both are full; likewise */
int perfmon_halves_lose(u32 *ctrl)
{
	*ctrl = PFM_OVFL_CTRL_FULL | PFM_OVFL_CTRL_RESET;
	return -ENOBUFS;
}

/**
 * perfmon_halves_release - a restart gives the half back that has been full longest
 * @buf: buffer
 * @ctrl: what the restart has to say
 */
void perfmon_halves_release(void *buf, u32 *ctrl)
{
	struct halves_hdr *hdr = buf;

	*ctrl = PFM_OVFL_CTRL_RESET;
	if (hdr->filled == hdr->released)
		return;
	hdr->released++;
	if (hdr->filled == hdr->released)
		return;
	/* Both were. */
	halves_fill(hdr);
	*ctrl |= PFM_OVFL_CTRL_FULL;
}

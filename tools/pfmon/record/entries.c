// SPDX-License-Identifier: GPL-2.0-only
/* The formats of the kernel's buffers, see entries.h. */
#include "record/entries.h"

#include <perfmon/perfmon.h>
#include <perfmon/perfmon_dfl_smpl.h>
#include <perfmon/perfmon_precise_smpl.h>
#include <perfmon/perfmon_stacks_smpl.h>

#include "profile/copies.h"

#define SAME_HEADER(one, field)         \
	(offsetof(struct one, field) == \
	 offsetof(struct pfm_dfl_smpl_hdr, field))
#define SAME_ENTRY(one, field)          \
	(offsetof(struct one, field) == \
	 offsetof(struct pfm_dfl_smpl_entry, field))
#define HAS_HALVES(one)                                               \
	(offsetof(struct one, hdr_released) ==                        \
		 offsetof(struct one, hdr_half_size) +                \
			 offsetof(struct entries_halves, released) && \
	 offsetof(struct one, hdr_full_offs) ==                       \
		 offsetof(struct one, hdr_half_size) +                \
			 offsetof(struct entries_halves, full_offs))

static_assert(SAME_HEADER(pfm_stacks_smpl_hdr, hdr_overflows) &&
		      SAME_HEADER(pfm_precise_smpl_hdr, hdr_overflows) &&
		      SAME_HEADER(pfm_stacks_smpl_hdr, hdr_cur_offs) &&
		      SAME_HEADER(pfm_precise_smpl_hdr, hdr_cur_offs),
	      "headers begin alike");
static_assert(HAS_HALVES(pfm_dfl_smpl_hdr) && HAS_HALVES(pfm_stacks_smpl_hdr) &&
		      HAS_HALVES(pfm_precise_smpl_hdr),
	      "halves");
static_assert(SAME_ENTRY(pfm_stacks_smpl_entry, tgid) &&
		      SAME_ENTRY(pfm_precise_smpl_entry, tgid) &&
		      SAME_ENTRY(pfm_precise_smpl_entry, tstamp) &&
		      SAME_ENTRY(pfm_precise_smpl_entry, last_reset_val),
	      "entries begin alike");
/* Entries of both formats with stacks have their sizes at the same place. */
static_assert(offsetof(struct pfm_precise_smpl_entry, repeat) ==
			      offsetof(struct pfm_stacks_smpl_entry, repeat) &&
		      offsetof(struct pfm_precise_smpl_entry, size) ==
			      offsetof(struct pfm_stacks_smpl_entry, size),
	      "stacks");

static bool has_stacks(const struct stream_kind *kind)
{
	return kind->frames || kind->precise;
}

static int create_precise(const struct stream_kind *kind, size_t size,
			  bool halves, int flags)
{
	struct pfm_precise_smpl_arg arg = {
		.buf_size = size,
		.buf_flags = halves ? PFM_PRECISE_SMPL_HALVES : 0,
		.max_frames = kind->frames,
		.blocks = kind->blocks,
	};

	return pfm_create_session(flags, PFM_PRECISE_SMPL_NAME, &arg,
				  sizeof(arg));
}

int entries_create_session(const struct stream_kind *kind, size_t size,
			   bool halves)
{
	struct pfm_stacks_smpl_arg stacks = {
		.buf_size = size,
		.buf_flags = halves ? PFM_STACKS_SMPL_HALVES : 0,
		.max_frames = kind->frames,
		.stack_bytes = kind->stack_bytes,
	};
	struct pfm_dfl_smpl_arg plain = {
		.buf_size = size,
		.buf_mode = halves ? PFM_DFL_SMPL_HALVES : 0,
	};
	int flags = kind->flags | PFM_FL_SMPL_FMT | PFM_FL_CLOEXEC;

	if (kind->precise)
		return create_precise(kind, size, halves, flags);
	if (kind->frames)
		return pfm_create_session(flags, PFM_STACKS_SMPL_NAME, &stacks,
					  sizeof(stacks));
	return pfm_create_session(flags, PFM_DFL_SMPL_NAME, &plain,
				  sizeof(plain));
}

size_t entries_begin(const struct stream_kind *kind)
{
	if (kind->precise)
		return sizeof(struct pfm_precise_smpl_hdr);
	return kind->frames ? sizeof(struct pfm_stacks_smpl_hdr) :
			      sizeof(struct pfm_dfl_smpl_hdr);
}

const volatile struct entries_halves *
entries_halves(const struct stream_kind *kind, const void *buffer)
{
	size_t at = offsetof(struct pfm_dfl_smpl_hdr, hdr_half_size);

	if (kind->precise)
		at = offsetof(struct pfm_precise_smpl_hdr, hdr_half_size);
	else if (kind->frames)
		at = offsetof(struct pfm_stacks_smpl_hdr, hdr_half_size);
	return (const volatile void *)((const char *)buffer + at);
}

/* No processor has more of them. */
#define BRANCHES_MAX 32
#define BRANCHES_SIZE                               \
	(sizeof(struct pfm_precise_smpl_branches) + \
	 BRANCHES_MAX * sizeof(struct pfm_precise_smpl_branch))

/* Of the blocks that were asked for, all that can be there. */
static size_t blocks_size(const struct stream_kind *kind)
{
	if (!kind->blocks)
		return 0;
	return sizeof(struct pfm_precise_smpl_blocks) +
	       (kind->blocks & PFM_PRECISE_SMPL_MEM ?
			sizeof(struct pfm_precise_smpl_mem) :
			0) +
	       (kind->blocks & PFM_PRECISE_SMPL_BRANCHES ? BRANCHES_SIZE : 0);
}

size_t entries_largest(const struct stream_kind *kind, unsigned int values)
{
	size_t follow = ((size_t)kind->frames + values) * sizeof(uint64_t);

	if (kind->precise)
		return sizeof(struct pfm_precise_smpl_entry) + follow +
		       blocks_size(kind);
	if (!kind->frames)
		return sizeof(struct pfm_dfl_smpl_entry) + follow;
	if (kind->stack_bytes)
		follow +=
			sizeof(struct pfm_stacks_smpl_copy) + kind->stack_bytes;
	return sizeof(struct pfm_stacks_smpl_entry) + follow;
}

size_t entries_size(const struct stream_kind *kind, const char *entry)
{
	if (has_stacks(kind))
		return ((const struct pfm_stacks_smpl_entry *)entry)->size;
	return sizeof(struct pfm_dfl_smpl_entry) +
	       (size_t)kind->periods->recorded * sizeof(uint64_t);
}

unsigned int entries_doubled(const struct stream_kind *kind, const char *entry)
{
	if (has_stacks(kind))
		return ((const struct pfm_stacks_smpl_entry *)entry)->doubled;
	return ((const struct pfm_dfl_smpl_entry *)entry)->doubled;
}

unsigned int entries_repeats(const struct stream_kind *kind, const char *entry)
{
	if (has_stacks(kind))
		return ((const struct pfm_stacks_smpl_entry *)entry)->repeat;
	return ((const struct pfm_dfl_smpl_entry *)entry)->repeat;
}

bool entries_are_alone(const struct stream_kind *kind, const char *entry)
{
	const struct pfm_stacks_smpl_entry *stack = (const void *)entry;

	return kind->frames > 1 && !stack->nr_kernel && stack->nr <= 1;
}

enum pfmd_type entries_chunk(const struct stream_kind *kind)
{
	if (kind->precise)
		return PFMD_PRECISE;
	if (kind->stack_bytes)
		return (enum pfmd_type)COPIES_CHUNK;
	return kind->frames ? PFMD_STACKS : PFMD_SAMPLES;
}

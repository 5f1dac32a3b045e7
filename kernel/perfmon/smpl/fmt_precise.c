// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sampling format "precise": overflows, and records that the hardware makes by
 * itself, with registers, data addresses and more in blocks.  The layout is an ABI
 * (<uapi/linux/perfmon_precise_smpl.h>).
 *
 * Programs read the buffer while the session is masked, stopped or detached.
 * The counts in the header are changed after the entry that they cover.
 */
#include <linux/align.h>
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/perfmon_fmt.h>
#include <linux/perfmon_pmu.h>
#include <linux/perfmon_record.h>
#include <linux/ptrace.h>
#include <linux/string.h>
#include <uapi/linux/perfmon.h>
#include <uapi/linux/perfmon_precise_smpl.h>

#include "../cpu.h"
#include "../session.h"
#include "smpl.h"
#include "space.h"
#include "walk.h"

#define PRECISE_FLAGS	(PFM_PRECISE_SMPL_HALVES | PFM_PRECISE_SMPL_NO_IDS)

/* Records for one interrupt, if the user does not choose. */
#define PRECISE_BATCH	64

static_assert(PFM_PRECISE_SMPL_CUT == PFM_STACKS_SMPL_CUT);
static_assert(PFM_PRECISE_SMPL_BROKEN == PFM_STACKS_SMPL_BROKEN);
static_assert(PFM_PRECISE_SMPL_KERNEL_CUT == PFM_STACKS_SMPL_KERNEL_CUT);
static_assert(PFM_PRECISE_SMPL_32BIT == PFM_STACKS_SMPL_32BIT);

static u64 precise_largest_blocks(const struct pfm_precise_smpl_arg *arg)
{
	u64 bytes = 0;

	if (arg->blocks)
		bytes += sizeof(struct pfm_precise_smpl_blocks);
	if (arg->blocks & PFM_PRECISE_SMPL_GPRS)
		bytes += sizeof(struct pfm_precise_smpl_gprs);
	if (arg->blocks & PFM_PRECISE_SMPL_MEM)
		bytes += sizeof(struct pfm_precise_smpl_mem);
	if (arg->blocks & PFM_PRECISE_SMPL_BRANCHES)
		bytes += sizeof(struct pfm_precise_smpl_branches) +
			 PERFMON_BRANCHES *
				 sizeof(struct pfm_precise_smpl_branch);
	/* What copies a stack needs room for registers as well. */
	if (arg->blocks & PFM_PRECISE_SMPL_STACK)
		bytes += sizeof(struct pfm_stacks_smpl_copy) + arg->stack_bytes;
	if (arg->blocks & PFM_PRECISE_SMPL_RAW)
		bytes += sizeof(struct pfm_precise_smpl_raw) +
			 PFM_PRECISE_SMPL_RAW_BYTES;
	return bytes;
}

/* An entry with all PMDs that the session may use, all addresses and all blocks. */
static u64 precise_largest_entry(unsigned int nr_pmds,
				 const struct pfm_precise_smpl_arg *arg)
{
	BUILD_BUG_ON(sizeof(struct pfm_precise_smpl_entry) +
			     (PFM_MAX_PMDS + PFM_PRECISE_SMPL_FRAMES) * sizeof(u64) +
			     sizeof(struct pfm_precise_smpl_blocks) +
			     sizeof(struct pfm_precise_smpl_gprs) +
			     sizeof(struct pfm_precise_smpl_mem) +
			     sizeof(struct pfm_precise_smpl_branches) +
			     PERFMON_BRANCHES *
				     sizeof(struct pfm_precise_smpl_branch) +
			     sizeof(struct pfm_stacks_smpl_copy) +
			     PFM_PRECISE_SMPL_BYTES +
			     sizeof(struct pfm_precise_smpl_raw) +
			     PFM_PRECISE_SMPL_RAW_BYTES > U16_MAX);
	return sizeof(struct pfm_precise_smpl_entry) +
	       (nr_pmds + arg->max_frames) * sizeof(u64) +
	       precise_largest_blocks(arg);
}

static bool precise_stack_fits(const struct pfm_precise_smpl_arg *arg)
{
	if (!(arg->blocks & PFM_PRECISE_SMPL_STACK))
		return !arg->stack_bytes;
	return arg->stack_bytes && arg->stack_bytes <= PFM_PRECISE_SMPL_BYTES &&
	       IS_ALIGNED(arg->stack_bytes, sizeof(u64));
}

/* Only one record of an interrupt can have what belongs to the interrupt. */
static bool precise_batch_fits(const struct pfm_precise_smpl_arg *arg)
{
	return arg->batch <= 1 || (!(arg->blocks & PFM_PRECISE_SMPL_STACK) &&
				   !arg->max_frames);
}

static int precise_validate(u32 session_flags, unsigned int nr_pmds,
			    const void *data)
{
	const u32 blocks = PFM_PRECISE_SMPL_GPRS | PFM_PRECISE_SMPL_STACK |
			   perfmon_arch_record_blocks();
	const u32 family = PFM_FL_INHERIT | PFM_FL_NOTIFY_BLOCK;
	const struct pfm_precise_smpl_arg *arg = data;

	if (arg->buf_flags & ~PRECISE_FLAGS || arg->blocks & ~blocks ||
	    arg->max_frames > PFM_PRECISE_SMPL_FRAMES ||
	    !precise_stack_fits(arg) || !precise_batch_fits(arg) ||
	    arg->reserved1 ||
	    memchr_inv(arg->reserved, 0, sizeof(arg->reserved)))
		return -EINVAL;
	/* Records would have to wait for room, and there is no place for them. */
	if ((session_flags & family) == family)
		return -EINVAL;
	return perfmon_space_validate(session_flags, arg->buf_size,
				      precise_largest_entry(nr_pmds, arg),
				      arg->buf_flags & PFM_PRECISE_SMPL_HALVES);
}

static int precise_getsize(u32 session_flags, const void *data, size_t *size)
{
	const struct pfm_precise_smpl_arg *arg = data;

	*size = arg->buf_size;
	return 0;
}

/*
 * Records of a CPU have no ids of their own: they get the ones of the interrupted thread.
 * Of a thread's session that is the thread, whenever the interrupt comes.
 */
static u32 precise_batch(u32 session_flags,
			 const struct pfm_precise_smpl_arg *arg)
{
	if (arg->max_frames || arg->stack_bytes)
		return 1;
	if (session_flags & PFM_FL_SYSTEM_WIDE &&
	    !(arg->buf_flags & PFM_PRECISE_SMPL_NO_IDS))
		return 1;
	return PRECISE_BATCH;
}

static int precise_init(void *buf, u32 session_flags, unsigned int nr_pmds,
			const void *data)
{
	const struct pfm_precise_smpl_arg *arg = data;
	struct pfm_precise_smpl_hdr *hdr = buf;

	perfmon_space_init(buf, arg->buf_size,
			   precise_largest_entry(nr_pmds, arg),
			   arg->buf_flags & PFM_PRECISE_SMPL_HALVES);
	hdr->hdr_version = PFM_PRECISE_SMPL_VERSION;
	hdr->hdr_buf_flags = arg->buf_flags;
	hdr->hdr_max_frames = arg->max_frames;
	hdr->hdr_blocks = arg->blocks;
	hdr->hdr_stack_bytes = arg->stack_bytes;
	hdr->hdr_batch = arg->batch ?: precise_batch(session_flags, arg);
	hdr->hdr_hw = perfmon_arch_record_hw();
	return 0;
}

static void *precise_head(const struct pfm_precise_smpl_hdr *hdr,
			  struct pfm_precise_smpl_entry *entry,
			  const struct pfm_ovfl_arg *ovfl,
			  const struct pfm_hw_record *hw)
{
	bool ids = !(hdr->hdr_buf_flags & PFM_PRECISE_SMPL_NO_IDS);
	struct perfmon_calls calls = { .flags = hw ? hw->flags : 0 };
	u64 *ips = (u64 *)(entry + 1);

	entry->pid = ids ? ovfl->pid : 0;
	entry->ovfl_pmd = ovfl->ovfl_pmd;
	entry->last_reset_val = ovfl->last_value;
	entry->ip = ovfl->ip;
	entry->tstamp = ovfl->tstamp;
	entry->cpu = ovfl->cpu;
	entry->set = ovfl->set;
	entry->tgid = ids ? ovfl->tgid : 0;
	entry->doubled = ovfl->doubled;
	entry->repeat = ovfl->repeat;
	entry->pmds = hw ? hw->pmds : 0;
	entry->next_ip = hw ? hw->next_ip : 0;
	if (hdr->hdr_max_frames)
		perfmon_walk(&calls, ips, ovfl, ovfl->ip, hdr->hdr_max_frames);
	entry->nr = calls.nr;
	entry->nr_kernel = calls.nr_kernel;
	entry->flags = calls.flags;
	return ips + calls.nr;
}

/* Registers of the interrupted program, which may have called the kernel, or NULL. */
static struct pt_regs *precise_program(const struct pfm_ovfl_arg *ovfl)
{
	if (!ovfl->regs || user_mode(ovfl->regs))
		return ovfl->regs;
	return perfmon_walk_program();
}

/* A record has its own registers, or the ones of the interrupt. */
static void *precise_gprs(void *to, struct pt_regs *regs,
			  const struct pfm_hw_record *hw)
{
	if (hw && hw->gprs)
		memcpy(to, hw->gprs, sizeof(struct pfm_precise_smpl_gprs));
	else if (regs)
		perfmon_arch_gprs(regs, to);
	else
		return to;
	return to + sizeof(struct pfm_precise_smpl_gprs);
}

static void *precise_mem(void *to, const struct pfm_hw_record *hw)
{
	*(struct pfm_precise_smpl_mem *)to = (struct pfm_precise_smpl_mem){
		.daddr = hw->daddr,
		.paddr = hw->paddr,
		.source = hw->source,
		.latency = hw->latency,
		.tsx = hw->tsx,
	};
	return to + sizeof(struct pfm_precise_smpl_mem);
}

/* Of the session that has the overflow, while its set is held. */
static void *precise_branches(void *to)
{
	const struct perfmon_session *s = perfmon_live_session();
	struct pfm_precise_smpl_branches *branches = to;
	struct pfm_precise_smpl_branch *first = (void *)(branches + 1);
	unsigned int nr = 0;

	if (s)
		nr = perfmon_arch_branches(&s->counting->arch, first);
	if (!nr)
		return to;
	branches->nr = nr;
	branches->reserved = 0;
	return first + nr;
}

/* The copy has registers before the bytes, and their place is too small for that. */
static void *precise_stack(void *to, struct pt_regs *regs, u32 max)
{
	struct pfm_precise_smpl_stack *stack = to;
	struct pfm_stacks_smpl_copy *copy = to;
	u64 sp = regs->sp;
	u32 bytes;

	if (!perfmon_arch_user_copy(regs, copy, max))
		return to;
	bytes = copy->bytes;
	memmove(stack + 1, copy + 1, bytes);
	stack->sp = sp;
	stack->bytes = bytes;
	stack->reserved = 0;
	return (void *)(stack + 1) + bytes;
}

static void *precise_raw(void *to, const struct pfm_hw_record *hw)
{
	struct pfm_precise_smpl_raw *raw = to;

	raw->kind = hw->raw_kind;
	raw->bytes = min_t(u32, hw->raw_bytes, PFM_PRECISE_SMPL_RAW_BYTES);
	memcpy(raw + 1, hw->raw, raw->bytes);
	return (void *)(raw + 1) + raw->bytes;
}

/* What a block has been written to; it is there if that is not empty. */
static void *precise_note(struct pfm_precise_smpl_blocks *blocks, u16 block,
			  const void *from, void *to)
{
	if (to != from)
		blocks->present |= block;
	return to;
}

static noinline void *precise_blocks(const struct pfm_precise_smpl_hdr *hdr,
				     struct pfm_precise_smpl_entry *entry,
				     void *to, const struct pfm_ovfl_arg *ovfl,
				     const struct pfm_hw_record *hw)
{
	const u32 program = PFM_PRECISE_SMPL_GPRS | PFM_PRECISE_SMPL_STACK;
	struct pfm_precise_smpl_blocks *blocks = to;
	struct pt_regs *regs = precise_program(ovfl);
	u32 wanted = hdr->hdr_blocks;

	*blocks = (struct pfm_precise_smpl_blocks){};
	to = blocks + 1;
	if (wanted & PFM_PRECISE_SMPL_GPRS)
		to = precise_note(blocks, PFM_PRECISE_SMPL_GPRS, to,
				  precise_gprs(to, regs, hw));
	if (wanted & PFM_PRECISE_SMPL_MEM && hw)
		to = precise_note(blocks, PFM_PRECISE_SMPL_MEM, to,
				  precise_mem(to, hw));
	if (wanted & PFM_PRECISE_SMPL_BRANCHES && !hw)
		to = precise_note(blocks, PFM_PRECISE_SMPL_BRANCHES, to,
				  precise_branches(to));
	if (wanted & PFM_PRECISE_SMPL_STACK && regs)
		to = precise_note(blocks, PFM_PRECISE_SMPL_STACK, to,
				  precise_stack(to, regs, hdr->hdr_stack_bytes));
	if (wanted & PFM_PRECISE_SMPL_RAW && hw && hw->raw)
		to = precise_note(blocks, PFM_PRECISE_SMPL_RAW, to,
				  precise_raw(to, hw));
	if (wanted & program & ~blocks->present)
		entry->flags |= PFM_PRECISE_SMPL_NO_REGS;
	blocks->bytes = to - (void *)(blocks + 1);
	return to;
}

static int precise_store(void *buf, const struct pfm_ovfl_arg *ovfl,
			 const struct pfm_hw_record *hw, u32 *ctrl)
{
	const u64 *from = ovfl->smpl_values, *end = from + ovfl->nr_values;
	struct pfm_precise_smpl_entry *entry;
	struct pfm_precise_smpl_hdr *hdr = buf;
	u64 *to;

	if (perfmon_space_is_full(buf))
		return perfmon_space_overrun(buf, ctrl);
	entry = buf + hdr->hdr_cur_offs;
	to = precise_head(hdr, entry, ovfl, hw);
	if (hdr->hdr_blocks)
		to = precise_blocks(hdr, entry, to, ovfl, hw);
	while (from < end)
		*to++ = *from++;
	entry->size = (void *)to - (void *)entry;
	barrier();
	hdr->hdr_cur_offs = (void *)to - buf;
	hdr->hdr_count++;

	/* Notify for the sample that fills the buffer, not for the first that is lost. */
	if (perfmon_space_is_full(buf))
		return perfmon_space_filled(buf, ctrl);
	*ctrl = PFM_OVFL_CTRL_RESET;
	return 0;
}

static int precise_handler(void *buf, const struct pfm_ovfl_arg *ovfl,
			   u32 *ctrl)
{
	return precise_store(buf, ovfl, NULL, ctrl);
}

static int precise_record(void *buf, const struct pfm_ovfl_arg *ovfl,
			  const struct pfm_hw_record *hw, u32 *ctrl)
{
	struct pfm_precise_smpl_hdr *hdr = buf;

	switch (hw->left_out) {
	case PFM_HW_FILTERED:
		hdr->hdr_filtered++;
		return 0;
	case PFM_HW_AMBIGUOUS:
		hdr->hdr_ambiguous++;
		return 0;
	case PFM_HW_STRAY:
		hdr->hdr_stray++;
		return 0;
	}
	return precise_store(buf, ovfl, hw, ctrl);
}

/* The last record that finds room may fill the buffer. */
static u32 precise_room(const void *buf)
{
	const struct pfm_precise_smpl_hdr *hdr = buf;
	const struct perfmon_space *space = buf;
	u32 records;

	if (perfmon_space_is_full(space))
		return 0;
	records = perfmon_space_room(space);
	return min(records, hdr->hdr_batch);
}

static u32 precise_blocks_wanted(const void *buf)
{
	const struct pfm_precise_smpl_hdr *hdr = buf;

	return hdr->hdr_blocks;
}

static struct pfm_smpl_fmt precise_format = {
	.name = PFM_PRECISE_SMPL_NAME,
	.version = PFM_PRECISE_SMPL_VERSION,
	.arg_size = sizeof(struct pfm_precise_smpl_arg),
	.flags = PFM_FMTFL_BUILTIN | PFM_FMTFL_CPUS | PFM_FMTFL_STACK,
	.validate = precise_validate,
	.getsize = precise_getsize,
	.init = precise_init,
	.handler = precise_handler,
	.room = precise_room,
	.record = precise_record,
	.blocks = precise_blocks_wanted,
	.restart = perfmon_space_restart,
	.release = perfmon_space_release,
};

static int __init precise_register(void)
{
	return pfm_register_smpl_fmt(&precise_format);
}
subsys_initcall(precise_register);

/** perfmon_precise_exit - undo precise_register(); no session is left */
void __init perfmon_precise_exit(void)
{
	pfm_unregister_smpl_fmt(&precise_format);
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sampling formats: modules that own the layout of a session's sampling buffer
 * and decide what happens at an overflow.
 *
 * A format registers a struct pfm_smpl_fmt.  pfm_create_session() finds it by
 * name and holds its module; from then on the callbacks are called as
 * described below.  kernel/perfmon/smpl/fmt_default.c is the one that is built in.
 */
#ifndef _LINUX_PERFMON_FMT_H
#define _LINUX_PERFMON_FMT_H

#include <linux/kobject.h>
#include <linux/list.h>
#include <linux/sysfs.h>
#include <linux/types.h>

struct module;
struct pt_regs;

/* Bits of the control word that a handler or a restart fills. */
#define PFM_OVFL_CTRL_NOTIFY	0x1	/* message, if the PMD wants one */
#define PFM_OVFL_CTRL_RESET	0x2	/* reset the PMDs that are due */
#define PFM_OVFL_CTRL_MASK	0x4	/* stop until a restart */
#define PFM_OVFL_CTRL_SWITCH	0x8	/* to the next event set */
#define PFM_OVFL_CTRL_FULL	0x10	/* a restart is owed before more fits */

/**
 * struct pfm_ovfl_arg - one 64-bit overflow
 * @pid: thread that was interrupted, in the pid namespace of the owner
 * @ovfl_pmd: number of the PMD
 * @doubled: times that its period had doubled, see reg_smpl_rate
 * @repeat: periods that were over in addition when the overflow was handled; 0 without
 *	PFM_FL_NMI
 * @last_value: value that the PMD was loaded with last
 * @ip: interrupted instruction pointer, of user mode if the session may not
 *	see the kernel
 * @tstamp: ns, scheduler clock of the CPU, the same for all overflows of one
 *	interrupt
 * @cpu: where it happened; in a family not always where the buffer is
 * @set: active event set
 * @tgid: process that was interrupted, as @pid
 * @eventid: reg_smpl_eventid
 * @smpl_values: 64-bit values of the PMDs in reg_smpl_pmds, ascending
 * @nr_values: their number
 * @again: another overflow of the same interrupt was before this one, whose
 *	handler has returned 0
 * @captured: an NMI has kept the place, since interrupts were off: @chain is valid, and
 *	@regs are the registers of the program
 * @regs: of the interrupted context, or of user mode if the session may not see
 *	the kernel; NULL if the thread has no user mode, or if a sample of a family has
 *	waited for room and they are gone
 * @chain: @ip, and with PFM_FMTFL_STACK the calls in the kernel, innermost first
 * @nr_chain: their number, at least 1
 * @chain_flags: PFM_STACKS_SMPL_KERNEL_CUT if there were more
 *
 * Up to @tgid they are laid out as in an entry of the default format, which copies
 * them in one.
 */
struct pfm_ovfl_arg {
	u32 pid;
	u16 ovfl_pmd;
	u8 doubled;
	u8 repeat;
	u64 last_value;
	u64 ip;
	u64 tstamp;
	u16 cpu;
	u16 set;
	u32 tgid;
	u64 eventid;
	const u64 *smpl_values;
	unsigned int nr_values;
	bool again;
	bool captured;
	struct pt_regs *regs;
	const u64 *chain;
	u16 nr_chain;
	u16 chain_flags;
};

/* The format is part of the kernel and has no module to hold. */
#define PFM_FMTFL_BUILTIN	0x1
/*
 * Sessions with PFM_FL_INHERIT may use it.  They have a buffer for each CPU, which is
 * prepared like any other; the handler is called with that of its CPU, on several
 * CPUs at once.  No member is masked or takes turns by overflows: MASK and SWITCH are
 * without effect, and @release may be called, never @restart.
 */
#define PFM_FMTFL_CPUS		0x2
/* An NMI keeps the calls in the kernel for @handler. */
#define PFM_FMTFL_STACK		0x4

/**
 * struct pfm_smpl_fmt - a sampling format
 * @name: unique, usable as a file name
 * @version: major << 16 | minor, shown in sysfs
 * @arg_size: of the argument that users pass, 0 to PAGE_SIZE
 * @flags: PFM_FMTFL_*
 * @queue_depth: messages that users may have queued, 0 to 8; only checked, every
 *	queue holds 8
 * @owner: THIS_MODULE
 * @validate: check session flags, number of PMDs that the session may use, and
 *	argument.  Return 0 or a negative errno for the user.  Optional.
 * @getsize: store the size of the buffer in bytes, 0 for none.  Optional.
 * @init: prepare the zeroed buffer, NULL if there is none.  Optional.
 * @handler: record an overflow: called in the overflow interrupt with
 *	interrupts off, once per PMD, ascending; must not sleep, fault, or take
 *	locks that process context takes.  Store control bits and return 0, or
 *	non-zero for "no more now".  With FULL and non-zero this overflow is lost
 *	as well, and the owner is notified if he has no restart left to make; a
 *	member of a family with PFM_FL_NOTIFY_BLOCK waits instead, and the handler
 *	is asked again in the thread, with interrupts off.
 * @restart: @active tells whether the session counts; fill @ctrl with RESET,
 *	MASK ("stay masked") and FULL ("and another restart").  A non-zero return
 *	keeps the session masked.
 *	Called with interrupts off, never while @handler runs for the same
 *	session, on any CPU, and perhaps under the scheduler's locks of the
 *	monitored thread: beyond what holds for @handler it must not wake
 *	anybody, queue work or irq_work, or print.  Optional.
 * @release: a program has written that it has read @released of the buffer, in the
 *	format's own unit, and it may have written anything.  Called after @handler
 *	has asked for FULL, and as that is; return whether there is room again, then
 *	@handler is called once more with the same overflow.  Only with
 *	PFM_FMTFL_CPUS.  Optional.
 * @exit: the session ends.  May sleep.  Optional.
 * @list: registered formats, private
 * @dir: in sysfs, private
 * @version_attr: in @dir, private
 *
 * The first three and @exit are called in process context.
 */
struct pfm_smpl_fmt {
	const char *name;
	u32 version;
	size_t arg_size;
	u32 flags;
	u32 queue_depth;
	struct module *owner;
	int (*validate)(u32 session_flags, unsigned int nr_pmds,
			const void *arg);
	int (*getsize)(u32 session_flags, const void *arg, size_t *size);
	int (*init)(void *buf, u32 session_flags, unsigned int nr_pmds,
		    const void *arg);
	int (*handler)(void *buf, const struct pfm_ovfl_arg *ovfl, u32 *ctrl);
	int (*restart)(bool active, u32 *ctrl, void *buf);
	bool (*release)(void *buf, u64 released);
	void (*exit)(void *buf);

	struct list_head list;
	struct kobject *dir;
	struct kobj_attribute version_attr;
};

int pfm_register_smpl_fmt(struct pfm_smpl_fmt *fmt);
int pfm_unregister_smpl_fmt(struct pfm_smpl_fmt *fmt);

#endif /* _LINUX_PERFMON_FMT_H */

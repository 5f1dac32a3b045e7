/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sampling formats: modules that own the layout of a session's sampling buffer
 * and decide what happens at an overflow.
 *
 * A format registers a struct pfm_smpl_fmt.  pfm_create_session() finds it by name and
 * holds its module; from then on the callbacks are called as described below.
 * kernel/perfmon/smpl/fmt_default.c is built in and can serve as an example.
 */
#ifndef _LINUX_PERFMON_FMT_H
#define _LINUX_PERFMON_FMT_H

#include <linux/kobject.h>
#include <linux/list.h>
#include <linux/sysfs.h>
#include <linux/types.h>

struct module;
struct pfm_hw_record;
struct pt_regs;

/* Bits of the control word that a handler or a restart sets. */
#define PFM_OVFL_CTRL_NOTIFY	0x1	/* queue a message, if the PMD wants one */
#define PFM_OVFL_CTRL_RESET	0x2	/* reset the PMDs that need it */
#define PFM_OVFL_CTRL_MASK	0x4	/* stop until a restart */
#define PFM_OVFL_CTRL_SWITCH	0x8	/* switch to the next event set */
#define PFM_OVFL_CTRL_FULL	0x10	/* full until another restart */

/**
 * struct pfm_ovfl_arg - one 64-bit overflow
 * @pid: interrupted thread, in the pid namespace of the owner
 * @ovfl_pmd: number of the PMD
 * @doubled: how often its period had been doubled, see reg_smpl_rate
 * @repeat: further periods that had ended when the overflow was handled; 0 without
 *	PFM_FL_NMI
 * @last_value: value that the PMD was last loaded with
 * @ip: interrupted instruction pointer; the one of user mode if the session may not see
 *	the kernel
 * @tstamp: scheduler clock of the CPU in ns, the same for all overflows of one interrupt
 * @cpu: CPU of the overflow; in a family, the buffer may be another CPU's
 * @set: active event set
 * @tgid: interrupted process, in the same namespace as @pid
 * @eventid: reg_smpl_eventid
 * @smpl_values: 64-bit values of the PMDs in reg_smpl_pmds, ascending
 * @nr_values: number of @smpl_values
 * @again: an earlier overflow of the same interrupt came before this one, and its handler
 *	returned 0
 * @captured: interrupts were off, and an NMI has stored the place: @chain is valid, and
 *	@regs are the registers of the program
 * @regs: registers of the interrupted context, or of user mode if the session may not see
 *	the kernel; NULL if the thread has no user mode, or if a sample of a family has
 *	waited for room and its registers are gone
 * @chain: @ip, followed by the calls in the kernel with PFM_FMTFL_STACK, innermost first
 * @nr_chain: number of addresses in @chain, at least 1
 * @chain_flags: PFM_STACKS_SMPL_KERNEL_CUT if there were more
 *
 * The fields up to @tgid have the layout of an entry of the default format, which copies
 * them at once.
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
 * Sessions with PFM_FL_INHERIT may use the format.  They have a buffer for each CPU,
 * prepared like any other.  The handler gets the buffer of its CPU, and runs on several
 * CPUs at once.  Members are neither masked nor switched by overflows: MASK and SWITCH
 * have no effect.  @release may be called, @restart never is.
 */
#define PFM_FMTFL_CPUS		0x2
/* An NMI stores the calls in the kernel for @handler. */
#define PFM_FMTFL_STACK		0x4

/**
 * struct pfm_smpl_fmt - a sampling format
 * @name: unique, usable as a file name
 * @version: major << 16 | minor, shown in sysfs
 * @arg_size: size of the argument that users pass, 0 to PAGE_SIZE
 * @flags: PFM_FMTFL_*
 * @queue_depth: messages that users may ask to be queued, 0 to 8; only checked, every
 *	queue holds 8
 * @owner: THIS_MODULE
 * @validate: check the session flags, the number of PMDs that the session may use, and
 *	the argument.  Return 0 or a negative errno for the user.  Optional.
 * @getsize: store the size of the buffer in bytes, 0 for none.  Optional.
 * @init: prepare the zeroed buffer, NULL if there is none.  Optional.
 * @handler: record an overflow.  Called in the overflow interrupt with interrupts off,
 *	once per PMD, ascending; must not sleep, fault, or take locks that process context
 *	takes.  Store control bits and return 0, or non-zero if it has no room for more.
 *	With FULL and non-zero this overflow is lost as well, and the owner is notified
 *	unless one of its restarts is still due.  Instead, a member of a family with
 *	PFM_FL_NOTIFY_BLOCK waits, and the handler is called again in the thread, with
 *	interrupts off.
 * @restart: @active is true if the session counts; fill @ctrl with RESET, MASK ("stay
 *	masked") and FULL ("another restart is needed").  A non-zero return keeps the
 *	session masked.  Called with interrupts off, on any CPU, never while @handler runs
 *	for the same session, and perhaps under the scheduler's locks of the monitored
 *	thread.  So, in addition to the rules for @handler, it must not wake a task, queue
 *	work or irq_work, or print.  Optional.
 * @release: a program has written that it has read @released of the buffer, in the
 *	format's own unit; the value may be anything.  Called after @handler has set FULL,
 *	in the same context.  Return whether there is room again; then @handler is called
 *	once more with the same overflow.  Only with PFM_FMTFL_CPUS.  Optional.
 * @room: at least so many further records fit before one fills the buffer or a half, and
 *	no more than the argument wants per interrupt.  In the context of @record.
 *	With @record only.
 * @record: like @handler, for a record that the hardware has made; @ovfl has its ip and
 *	time.  May be called for several records, one after the other, and also while a
 *	thread is switched, with @ovfl's regs NULL.  Optional.
 * @blocks: the PFM_PRECISE_SMPL_* blocks that it stores of a record; without it records
 *	have no more than what all of them have.  May be called from the start of the
 *	session to its end.  Optional, with @record only.
 * @exit: the session ends.  May sleep.  Optional.
 * @list: registered formats, private
 * @dir: in sysfs, private
 * @version_attr: in @dir, private
 *
 * @validate, @getsize, @init and @exit are called in process context.
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
	u32 (*room)(const void *buf);
	int (*record)(void *buf, const struct pfm_ovfl_arg *ovfl,
		      const struct pfm_hw_record *hw, u32 *ctrl);
	u32 (*blocks)(const void *buf);
	void (*exit)(void *buf);

	struct list_head list;
	struct kobject *dir;
	struct kobj_attribute version_attr;
};

int pfm_register_smpl_fmt(struct pfm_smpl_fmt *fmt);
int pfm_unregister_smpl_fmt(struct pfm_smpl_fmt *fmt);

#endif /* _LINUX_PERFMON_FMT_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Captures: where an overflow happened while interrupts were off; see capture.c.
 */
#ifndef _KERNEL_PERFMON_CAPTURE_H
#define _KERNEL_PERFMON_CAPTURE_H

#include <linux/types.h>

struct perfmon_moment;
struct perfmon_session;
struct perfmon_set;
struct pt_regs;
struct task_struct;

/* Most calls in the kernel that a sample has: each takes the unwinder long. */
#define PERFMON_KERNEL_FRAMES	48

/**
 * struct perfmon_capture - where an overflow happened
 * @full: it is one, of this stretch of code without interrupts
 * @id: names the set that counted, perfmon_arch_id()
 * @task: the thread that ran; it may have been switched out since, but not freed
 * @tstamp: ns, perfmon_host_sample_clock()
 * @nr: addresses in @ips
 * @flags: PFM_STACKS_SMPL_KERNEL_CUT if there were more
 * @ips: the interrupted instruction, and its callers if the format wants them
 */
struct perfmon_capture {
	bool full;
	u64 id;
	struct task_struct *task;
	u64 tstamp;
	u16 nr;
	u16 flags;
	u64 ips[PERFMON_KERNEL_FRAMES];
};

void perfmon_capture(struct pt_regs *regs, u64 id, bool stack);
void perfmon_capture_drop(void);
const struct perfmon_capture *
perfmon_capture_take(const struct perfmon_session *s,
		     const struct perfmon_set *set);
void perfmon_capture_show(const struct perfmon_capture *capture,
			  struct perfmon_moment *when);

#endif /* _KERNEL_PERFMON_CAPTURE_H */

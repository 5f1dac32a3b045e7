// SPDX-License-Identifier: GPL-2.0-only
/*
 * Captures: where an overflow happened while interrupts were off.
 *
 * With PFM_FL_NMI the overflow interrupts at once, but the vector that makes the sample
 * has to wait until interrupts are on. So the NMI keeps the place, the time and the calls
 * of the first overflow in each stretch of code without interrupts. The sample also stands
 * for the periods that end after it (perfmon_pmds_note_late()).
 *
 * Owns capture_here of each CPU. The NMI fills it unless it is full. The next overflow
 * interrupt of the CPU empties it, whatever session is there by then: a capture never
 * outlives its stretch, so that the thread that ran is not freed.
 */
#include <linux/compiler.h>
#include <linux/percpu.h>
#include <linux/perfmon_pmu.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>

#include "../admin/stats.h"
#include "../host.h"
#include "../set.h"
#include "capture.h"
#include "record.h"

static DEFINE_PER_CPU(struct perfmon_capture, capture_here);

/**
 * perfmon_capture - an overflow is to be handled as soon as interrupts are on
 * @regs: of what was interrupted; NULL: interrupts were on, and the overflow interrupt
 *	finds them
 * @id: names the set that counts
 * @stack: its format wants the calls in the kernel
 *
 * Context: NMI.
 */
void perfmon_capture(struct pt_regs *regs, u64 id, bool stack)
{
	struct perfmon_capture *capture = this_cpu_ptr(&capture_here);

	perfmon_count(PERFMON_STAT_OVFL_NMI);
	if (!regs || capture->full)
		return;
	capture->id = id;
	capture->task = current;
	capture->tstamp = perfmon_host_sample_clock();
	capture->flags = 0;
	capture->nr = 1;
	capture->ips[0] = instruction_pointer(regs);
	if (stack)
		capture->nr = perfmon_arch_kernel_stack(regs, capture->ips,
							PERFMON_KERNEL_FRAMES,
							&capture->flags);
	barrier();
	WRITE_ONCE(capture->full, true);
	perfmon_count(PERFMON_STAT_OVFL_CAPTURED);
}

/** perfmon_capture_drop - forget it: its session is not on this CPU any more */
void perfmon_capture_drop(void)
{
	if (!__this_cpu_read(capture_here.full))
		return;
	__this_cpu_write(capture_here.full, false);
	perfmon_count(PERFMON_STAT_OVFL_DROPPED);
}

/**
 * perfmon_capture_take - where the overflows happened that are about to be handled
 * @s: session
 * @set: its set, which counts
 *
 * Until the set is held the NMI of a later overflow may fill it anew: both are places of
 * overflows that are about to be handled.
 *
 * Context: overflow interrupt.
 * Return: NULL: where the interrupt was taken.
 */
const struct perfmon_capture *
perfmon_capture_take(const struct perfmon_session *s,
		     const struct perfmon_set *set)
{
	struct perfmon_capture *capture = this_cpu_ptr(&capture_here);

	if (!capture->full)
		return NULL;
	if (capture->id != perfmon_arch_id(&set->arch)) {
		perfmon_capture_drop();
		return NULL;
	}
	WRITE_ONCE(capture->full, false);
	return s->kernel_ip ? capture : NULL;
}

/**
 * perfmon_capture_show - let a sample have the place of a capture
 * @capture: of the session's set
 * @when: filled
 */
void perfmon_capture_show(const struct perfmon_capture *capture,
			  struct perfmon_moment *when)
{
	struct pt_regs *regs = NULL;

	if (capture->task == current &&
	    !(current->flags & (PF_KTHREAD | PF_USER_WORKER)))
		regs = task_pt_regs(current);
	when->regs = regs && user_mode(regs) ? regs : NULL;
	when->ip = capture->ips[0];
	when->tstamp = capture->tstamp;
	when->task = capture->task;
	when->capture = capture;
}

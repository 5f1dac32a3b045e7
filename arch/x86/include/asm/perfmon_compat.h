/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Differences between the kernels that perfmon is built into, Linux 6.12 and 7.3: the
 * only file with conditions on the version.  A module has its own (module/compat.h).
 */
#ifndef _ASM_X86_PERFMON_COMPAT_H
#define _ASM_X86_PERFMON_COMPAT_H

#include <linux/hrtimer.h>

#include <asm/msr.h>

/* Linux 6.12 has this macro; 7.x has renamed it. */
#ifdef rdmsrl

#include <asm/cpuid.h>

static inline void hrtimer_setup(struct hrtimer *timer,
				 enum hrtimer_restart (*function)(struct hrtimer *),
				 clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = function;
}

#else

#include <asm/cpuid/api.h>

#define rdmsrl		rdmsrq
#define wrmsrl		wrmsrq
#define rdmsrl_safe	rdmsrq_safe
#define wrmsrl_safe	wrmsrq_safe

#define rdpmcl(counter, value)	((value) = rdpmc(counter))

/* KASAN does not allocate in task_work_add() any more. */
#define TWAF_NO_ALLOC	0

#endif

#endif /* _ASM_X86_PERFMON_COMPAT_H */

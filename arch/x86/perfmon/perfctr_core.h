/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Declarations for the files of the low-level core: perfctr_ll.c (counting), update.c and
 * check.c (new control data), detect.c (the choice of the design), reserve.c (ownership
 * of the PMU), reboot.c (stopping it at reboot), inventory.c and verify.c (writes by
 * other software) and interrupt/ (the overflow interrupt).
 */
#ifndef _PERFCTR_CORE_H
#define _PERFCTR_CORE_H

#include <linux/jump_label.h>

#include "perfctr_design.h"

/* Set once by perfctr_cpu_init(); perfctr_core.c has it. */
extern struct perfctr_design *perfctr_design;

/* Does the design have counters, which must be reserved? */
static inline bool perfctr_has_pmu(void)
{
	return perfctr_design->nr_counters;
}

/* isuspend_cpu of a state whose counter registers are valid on no CPU. */
#define PERFCTR_NO_CPU	(-1)

/* kinds.c: hybrid processors, and which CPU is which kind of core. */
void perfctr_kinds_choose(struct perfctr_design *design);
void perfctr_kinds_add_cpu(unsigned int cpu);
void perfctr_kinds_find_more(struct perfctr_design *design);
bool perfctr_kinds_lacks(unsigned int cpu);

/* In masks of counters, fixed counters follow the programmable ones. */
#define PERFCTR_FIXED_SHIFT 32

/**
 * perfctr_counter_bit - bit of a counter in masks of counters
 * @map: its RDPMC number
 *
 * Return: the mask.
 */
static inline u64 perfctr_counter_bit(unsigned int map)
{
	if (map & PERFCTR_FIXED)
		return BIT_ULL(PERFCTR_FIXED_SHIFT + (map & ~PERFCTR_FIXED));
	return BIT_ULL(map & ~perfctr_design->map_flags);
}

/* isolate.c */
void perfctr_isolate_init(void);

/* perfctr_ll.c */
void perfctr_resolve_calls(void);
void perfctr_disarm(void);

/* confirmed.c: a log message on processors where perfmon was never confirmed. */
void perfctr_tell_unconfirmed(void);

/* period.c: the shortest periods that errata permit. */
void perfctr_period_init(void);

/* options.c: perfmon= on the command line. */
extern bool perfctr_nointr;
extern bool perfctr_nonmi;
extern bool perfctr_ibs_wanted;
void perfctr_apply_options(struct perfctr_design *design);

/* inventory.c: the contents of the PMU before it is first taken. */
bool perfctr_counter_works(void);
void perfctr_take_inventory(void);

/**
 * struct perfctr_difference - the first register with an unexpected value
 * @exists: such a register was found
 * @cpu: its CPU
 * @msr: its address; 0: LVTPC of the local APIC
 * @value: its contents
 * @expected: contents according to the cache
 */
struct perfctr_difference {
	bool exists;
	unsigned int cpu;
	u32 msr;
	u64 value;
	u64 expected;
};

/* verify.c: detection of writes by other software. */
void perfctr_compare_cpu(void *difference);
void perfctr_describe(const struct perfctr_difference *diff, char *text,
		      size_t size);
void perfctr_verify_this_cpu(void);

/*
 * reserve.c.  Call a function on one CPU after the other, with interrupts off, if the PMU
 * is ours.  Return: false if it is not.
 */
bool perfctr_on_our_cpus(void (*call)(void *data), void *data);

int perfctr_reserve_init(void);
void perfctr_reserve_exit(void);
void perfctr_halt(void);

/* allocator.c: the kernel's allocator of counter MSRs. */
bool perfctr_allocator_take(void);
void perfctr_allocator_give(void);

/*
 * owner_builtin.c: the other users of the PMU in this kernel.  take() cannot ask for the
 * other user's name under the locks that its caller holds: it returns
 * perfctr_host_others, and user() returns the name.
 */
extern const char *const perfctr_host_others;
const char *perfctr_host_refuses(void);
const char *perfctr_host_take(void);
void perfctr_host_give(void);
const char *perfctr_host_user(void);
bool perfctr_host_in_use(void);
bool perfctr_host_all_read(void);
void perfctr_host_enter_cpu(void);
void perfctr_host_forbid_rdpmc(void);
void perfctr_host_permit_rdpmc(void);
void perfctr_host_restore_lvtpc(void);

/*
 * The same for instruction-based sampling, which perf_event uses apart from counters:
 * does perfmon have it on this host?  Take it for a session; false: perf_event uses it.
 */
bool perfctr_host_has_ibs(void);
bool perfctr_host_take_ibs(void);
void perfctr_host_give_ibs(void);

/*
 * A time of the TSC as time of samples.  Return: false if they cannot be compared.
 */
bool perfctr_host_tsc_clock(u64 tsc, u64 *ns);

/* I-mode elements whose counters had overflowed when last read. */
static inline unsigned int
perfctr_overflowed_starts(const struct perfctr_cpu_state *state)
{
	unsigned int i, n = perfctr_cstatus_nrctrs(state->cstatus);
	unsigned int overflowed = 0;

	for (i = perfctr_cstatus_nractrs(state->cstatus); i < n; i++)
		if ((int)state->pmc[i].start >= 0)
			overflowed |= BIT(i);
	return overflowed;
}

/* interrupt/vector_builtin.c */
void perfctr_vector_raise_in_nmi(void);

/* interrupt/nmi.c */
void __perfctr_nmi_resume(const struct perfctr_cpu_state *state);
void __perfctr_nmi_suspend(const struct perfctr_cpu_state *state);
void __perfctr_nmi_found(unsigned int overflowed);
void perfctr_nmi_raise(struct pt_regs *regs, u64 id, bool stack);
void perfctr_nmi_exit(void);

/*
 * The state begins to count on this CPU: let its overflows be delivered as it wants.
 *
 * Context: interrupts off; its i-mode counters have their start values.
 */
static __always_inline void
perfctr_nmi_resume(const struct perfctr_cpu_state *state)
{
	if (static_branch_unlikely(&perfctr_nmi_key))
		__perfctr_nmi_resume(state);
}

/* The state has stopped and been read.  Context: interrupts off. */
static __always_inline void
perfctr_nmi_suspend(const struct perfctr_cpu_state *state)
{
	if (static_branch_unlikely(&perfctr_nmi_key))
		__perfctr_nmi_suspend(state);
}

/*
 * Note that these elements of the state on this CPU were found overflowed.
 *
 * Context: interrupts off.
 */
static __always_inline void perfctr_nmi_found(unsigned int overflowed)
{
	if (static_branch_unlikely(&perfctr_nmi_key))
		__perfctr_nmi_found(overflowed);
}

/* pebs/ */
bool perfctr_pebs_fill_map(struct perfmon_pmu *pmu);
void perfctr_pebs_add_cpu(unsigned int cpu);
void perfctr_pebs_taken(void);
void perfctr_pebs_given(void);
void perfctr_pebs_start_cpu(void);
void perfctr_pebs_stop_cpu(void);

/* lbr/ */
void perfctr_lbr_fill_map(struct perfmon_pmu *pmu);
void perfctr_lbr_stop_cpu(void);

/* ibs/ */
void perfctr_ibs_fill_map(struct perfmon_pmu *pmu);
void perfctr_ibs_stop_cpu(void);
void perfctr_ibs_exit(void);

/* reboot.c */
void perfctr_reboot_init(void);
void perfctr_reboot_exit(void);

#endif /* _PERFCTR_CORE_H */

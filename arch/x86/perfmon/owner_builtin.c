// SPDX-License-Identifier: GPL-2.0-only
/*
 * The other users of the PMU in a kernel with a built-in low-level core: perf_event,
 * which has a gate for us (x86_pmu_take()); drivers that use the allocator of counter
 * MSRs; and programs that execute RDPMC.
 *
 * Called by reserve.c under its lock, except for the name of the user.
 */
#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/jump_label.h>
#include <linux/nmi.h>
#include <linux/sched/clock.h>
#include <linux/smp.h>

#include <asm/mmu_context.h>
#include <asm/perf_event.h>
#include <asm/perfctr_hooks.h>
#include <asm/timer.h>
#include <asm/tsc.h>

#include "perfctr_core.h"

/* Read when a CPU switches to another mm. */
bool perfctr_rdpmc_forbidden;

/* The allocator excludes drivers other than perf_event. */
static bool owner_reserve_msrs(void)
{
	return !perfctr_design->in_allocator || perfctr_allocator_take();
}

const char *const perfctr_host_others = "others";

/*
 * Name of the other user if the PMU is in use.  The hard-lockup detector is a perf event
 * that was not opened by a program.
 */
const char *perfctr_host_user(void)
{
	if (IS_ENABLED(CONFIG_HARDLOCKUP_DETECTOR_PERF) &&
	    (READ_ONCE(watchdog_enabled) & WATCHDOG_HARDLOCKUP_ENABLED))
		return "nmi_watchdog";
	return "perf_event";
}

/** perfctr_host_refuses - the reason why no driver may have the PMU, or NULL */
const char *perfctr_host_refuses(void)
{
	return NULL;
}

/**
 * perfctr_host_take - exclude all other users from the PMU
 *
 * Context: may sleep.
 * Return: NULL, then perfctr_host_give() must follow; else the name of the other user, or
 * perfctr_host_others if it must be asked for.
 */
const char *perfctr_host_take(void)
{
	if (!perfctr_has_pmu())
		return NULL;
	if (x86_pmu_take())
		return perfctr_host_others;
	if (!owner_reserve_msrs()) {
		x86_pmu_give();
		return "another driver";
	}
	return NULL;
}

/** perfctr_host_give - let other users have the PMU */
void perfctr_host_give(void)
{
	if (!perfctr_has_pmu())
		return;
	if (perfctr_design->in_allocator)
		perfctr_allocator_give();
	x86_pmu_give();
}

/** perfctr_host_in_use - does perf_event use the PMU? */
bool perfctr_host_in_use(void)
{
	return x86_pmu_in_use();
}

/** perfctr_host_all_read - may all programs execute RDPMC? */
bool perfctr_host_all_read(void)
{
	return static_key_enabled(&rdpmc_always_available_key);
}

/**
 * perfctr_host_enter_cpu - prepare this CPU for our counting
 *
 * perf zeroes counters that it used before when it switches to an mm that may use RDPMC:
 * make it do so now, not while sessions count.  From now on no program on this CPU reads
 * counters.
 *
 * Context: interrupts off.
 */
void perfctr_host_enter_cpu(void)
{
	perf_clear_dirty_counters();
	cr4_update_pce(NULL);
}

/** perfctr_host_forbid_rdpmc - forbid all programs to read counters */
void perfctr_host_forbid_rdpmc(void)
{
	WRITE_ONCE(perfctr_rdpmc_forbidden, true);
}

/** perfctr_host_permit_rdpmc - undo it; all counters have been zeroed */
void perfctr_host_permit_rdpmc(void)
{
	WRITE_ONCE(perfctr_rdpmc_forbidden, false);
	on_each_cpu(cr4_update_pce, NULL, 1);
}

/**
 * perfctr_host_restore_lvtpc - give this CPU's LVTPC entry back
 *
 * perf_event gets its NMI entry back.  If it has no driver for the CPU, the call does
 * nothing and the entry stays masked, as it was before.
 */
void perfctr_host_restore_lvtpc(void)
{
	perf_events_lapic_init();
}

/** perfctr_host_tsc_clock - when samples of a time of the TSC would have been taken
 * @tsc: the time
 * @ns: filled
 *
 * Return: false if the kernel does not use the TSC as its clock.
 */
bool perfctr_host_tsc_clock(u64 tsc, u64 *ns)
{
	if (!using_native_sched_clock() || !sched_clock_stable())
		return false;
	*ns = native_sched_clock_from_tsc(tsc) + __sched_clock_offset;
	return true;
}

/* Events of perf_event that use IBS; negative: sessions that do. */
atomic_t perfctr_ibs_users = ATOMIC_INIT(0);

/** perfctr_host_has_ibs - can perf_event be kept from using IBS? */
bool perfctr_host_has_ibs(void)
{
	return true;
}

/**
 * perfctr_host_take_ibs - keep perf_event from using IBS
 *
 * Return: true, then perfctr_host_give_ibs() must follow; false: perf_event uses it.
 */
bool perfctr_host_take_ibs(void)
{
	return atomic_dec_unless_positive(&perfctr_ibs_users);
}

/** perfctr_host_give_ibs - undo perfctr_host_take_ibs() */
void perfctr_host_give_ibs(void)
{
	atomic_inc(&perfctr_ibs_users);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The other users of the PMU in a kernel that loads the low-level core as a
 * module: perf_event and drivers, which use the allocator of counter MSRs, and
 * programs that execute RDPMC.
 *
 * perf_event asks for all counters when its first hardware event is opened, so one
 * that we have keeps it out.  It does not ask for BTS and PT.  Nobody learns that
 * we have the counters, and so nobody can ask for them back.
 *
 * Called by reserve.c under its lock, but for the name of the user.
 */
#include <linux/nmi.h>
#include <linux/percpu.h>
#include <linux/perfmon_module.h>
#include <linux/smp.h>

#include <asm/apic.h>
#include <asm/perf_event.h>
#include <asm/special_insns.h>

#include "perfctr_core.h"

/* The allocator says no more of others than that somebody has a counter. */
static bool taken;

/* LVTPC as it was before us. */
static DEFINE_PER_CPU(u32, lvtpc_before);

/* Undo the first @n steps of owner_reserve_msrs(): counter, selector, counter... */
static void owner_release_msrs(unsigned int n)
{
	while (n--) {
		if (n & 1)
			release_evntsel_nmi(perfctr_design->evntsel_msr(n / 2));
		else
			release_perfctr_nmi(perfctr_design->counter_msr(n / 2));
	}
}

static bool owner_reserve_msrs(void)
{
	unsigned int n, end = 2 * perfctr_design->nr_counters;

	for (n = 0; n < end; n++) {
		int ok = n & 1 ?
			reserve_evntsel_nmi(perfctr_design->evntsel_msr(n / 2)) :
			reserve_perfctr_nmi(perfctr_design->counter_msr(n / 2));

		if (!ok) {
			owner_release_msrs(n);
			return false;
		}
	}
	return true;
}

/**
 * perfctr_owner_excludes - does having all counters keep perf_event out?
 *
 * Not where the allocator does not know them, as those of version 6 of Intel's
 * architecture, which have other addresses.  Nobody has tried the Pentium 4.
 */
bool perfctr_owner_excludes(void)
{
	if (!perfctr_has_pmu())
		return true;
	if (boot_cpu_data.x86_vendor == X86_VENDOR_INTEL &&
	    boot_cpu_data.cpuid_level >= 10 && (cpuid_eax(10) & 0xff) >= 6)
		return false;
	return perfctr_design->in_allocator && !perfctr_design->has_p4_control;
}

/*
 * Name of who uses the PMU, if somebody does.  The hard-lockup detector is a perf
 * event that nobody opened.
 *
 * Context: may sleep.
 */
const char *perfctr_host_user(void)
{
	if (perfmon_host_sysctl("/proc/sys/kernel/nmi_watchdog", 0) > 0)
		return "nmi_watchdog";
	return "perf_event";
}

/* CR4.PCE is set in each program, or in one that has an event of perf's mapped. */
bool perfctr_host_all_read(void)
{
	return native_read_cr4() & X86_CR4_PCE;
}

/**
 * perfctr_host_take - keep all others from the PMU
 *
 * Context: may sleep.
 * Return: NULL, then perfctr_host_give() must follow; or who has it.
 */
const char *perfctr_host_take(void)
{
	if (!perfctr_has_pmu())
		return NULL;
	if (!owner_reserve_msrs())
		return perfctr_host_user();
	if (perfctr_host_all_read()) {
		owner_release_msrs(2 * perfctr_design->nr_counters);
		return "all programs (rdpmc is 2)";
	}
	WRITE_ONCE(taken, true);
	return NULL;
}

/** perfctr_host_give - let others have the PMU */
void perfctr_host_give(void)
{
	if (!perfctr_has_pmu())
		return;
	WRITE_ONCE(taken, false);
	owner_release_msrs(2 * perfctr_design->nr_counters);
}

/** perfctr_host_in_use - does perf_event use the PMU? */
bool perfctr_host_in_use(void)
{
	unsigned int msr;

	if (!perfctr_has_pmu() || READ_ONCE(taken))
		return false;
	msr = perfctr_design->evntsel_msr(0);
	if (!reserve_evntsel_nmi(msr))
		return true;
	release_evntsel_nmi(msr);
	return false;
}

/**
 * perfctr_host_enter_cpu - this CPU is going to count for us
 *
 * Context: interrupts off.
 */
void perfctr_host_enter_cpu(void)
{
	__this_cpu_write(lvtpc_before, perfctr_lvtpc_read());
}

/** perfctr_host_forbid_rdpmc - no program shall read counters */
void perfctr_host_forbid_rdpmc(void)
{
}

/** perfctr_host_permit_rdpmc - nothing of ours is left in any counter */
void perfctr_host_permit_rdpmc(void)
{
}

/** perfctr_host_restore_lvtpc - this CPU's LVTPC entry is free */
void perfctr_host_restore_lvtpc(void)
{
	apic_write(APIC_LVTPC, __this_cpu_read(lvtpc_before));
}

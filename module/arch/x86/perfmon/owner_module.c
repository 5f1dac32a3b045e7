// SPDX-License-Identifier: GPL-2.0-only
/*
 * The other users of the PMU in a kernel that loads the low-level core as a
 * module: perf_event and drivers, which use the allocator of counter MSRs, and
 * programs that execute RDPMC.
 *
 * perf_event asks for all counters when its first hardware event is opened, so a single
 * counter that we hold excludes it.  It does not ask for BTS and PT.  Other users do not
 * learn that we have the counters, so they cannot ask us to give them back.
 *
 * Called by reserve.c under its lock; except for the name of the user, and for functions
 * that the hooks call for each program (host_module.c).
 */
#include <linux/kthread.h>
#include <linux/mm_types.h>
#include <linux/nmi.h>
#include <linux/percpu.h>
#include <linux/perfmon_module.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/sched/task.h>
#include <linux/smp.h>

#include <asm/apic.h>
#include <asm/cpuid.h>
#include <asm/perf_event.h>
#include <asm/special_insns.h>
#include <asm/tlbflush.h>

#include "perfctr_core.h"

/* We have the counters: the allocator does not say who holds one. */
static bool taken;

/* CR4.PCE is still set for the program on the CPU. */
static DEFINE_PER_CPU(bool, still_permits);

/* LVTPC before we took the PMU. */
static DEFINE_PER_CPU(u32, lvtpc_before);

/** perfctr_host_tsc_clock - modules cannot turn times of the TSC into the kernel's */
bool perfctr_host_tsc_clock(u64 tsc, u64 *ns)
{
	return false;
}

/**
 * perfctr_owner_excludes - does holding all counters exclude perf_event?
 *
 * No if the allocator does not know the counters: in version 6 of Intel's architecture
 * they have other addresses.  The Pentium 4 is untested.  No as a Xen PV guest either,
 * where calls emulate the registers.
 */
bool perfctr_owner_excludes(void)
{
	if (!perfctr_has_pmu())
		return true;
	if (boot_cpu_has(X86_FEATURE_XENPV))
		return false;
	if (boot_cpu_data.x86_vendor == X86_VENDOR_INTEL &&
	    boot_cpu_data.cpuid_level >= 10 && (cpuid_eax(10) & 0xff) >= 6)
		return false;
	return perfctr_design->in_allocator && !perfctr_design->has_p4_control;
}

const char *const perfctr_host_others = "others";

/*
 * Name of the other user if the PMU is in use.  The hard-lockup detector is a perf event
 * that was not opened by a program.
 *
 * Context: may sleep; without cpus_read_lock: a writer to the detector's file takes it
 * while the file is locked.
 */
const char *perfctr_host_user(void)
{
	if (perfmon_host_sysctl("/proc/sys/kernel/nmi_watchdog", 0) > 0)
		return "nmi_watchdog";
	return "perf_event";
}

/*
 * May all programs execute RDPMC?  CR4.PCE is set for all, or only for programs that
 * perf_event has given permission to.
 *
 * Context: may sleep.
 */
bool perfctr_host_all_read(void)
{
	struct mm_struct *mm = current->mm;

	if (!(native_read_cr4() & X86_CR4_PCE))
		return false;
	if (!mm || !atomic_read(&mm->context.perf_rdpmc_allowed))
		return true;
	return perfmon_host_sysctl("/sys/bus/event_source/devices/cpu/rdpmc",
				   1) == 2;
}

/**
 * perfctr_host_forbid_mm - take a program's permission to execute RDPMC
 * @mm: its mm, which is loaded or about to be
 *
 * perf_event gives the permission with a mapped event, and does not take it from
 * children.  While we have the counters there are no events, so no program needs it.
 * Without it, perf_event does not clear counters for the program either.
 *
 * Context: interrupts off.
 */
void perfctr_host_forbid_mm(struct mm_struct *mm)
{
	atomic_set(&mm->context.perf_rdpmc_allowed, 0);
	/* A switch to an mm that is already loaded would not change CR4. */
	cr4_clear_bits_irqsoff(X86_CR4_PCE);
}

/** perfctr_host_forbid_here - perfctr_host_forbid_mm() for the program on this CPU */
void perfctr_host_forbid_here(void)
{
	perfctr_host_forbid_mm(current->active_mm);
	__this_cpu_write(still_permits, native_read_cr4() & X86_CR4_PCE);
}

static int owner_load_mm(void *mm)
{
	kthread_use_mm(mm);
	kthread_unuse_mm(mm);
	return 0;
}

/**
 * perfctr_host_load_mm - make a CPU load a mm, and then its own program's again
 * @cpu: CPU, online or not
 * @mm: another mm than the program's; the caller has a reference
 *
 * Context: may sleep.
 */
void perfctr_host_load_mm(unsigned int cpu, struct mm_struct *mm)
{
	smp_call_on_cpu(cpu, owner_load_mm, mm, false);
}

static void owner_forbid_by_load(struct mm_struct *mm)
{
	unsigned int cpu;

	if (!mm)
		return;
	for_each_online_cpu(cpu)
		if (per_cpu(still_permits, cpu))
			perfctr_host_load_mm(cpu, mm);
}

/**
 * perfctr_host_forbid_rest - complete it where CR4 cannot be written here
 *
 * If only KVM may write CR4 (compat.h), the kernel writes it when it loads another mm.
 * So each CPU that still has CR4.PCE set is made to load one; two are tried, since its
 * program may have one of them.
 *
 * Context: may sleep; with cpus_read_lock, after perfctr_host_forbid_here() on each CPU.
 */
void perfctr_host_forbid_rest(void)
{
	struct task_struct *first = perfmon_host_first_program();
	struct mm_struct *mm = first ? get_task_mm(first) : NULL;

	owner_forbid_by_load(mm);
	owner_forbid_by_load(current->mm);
	if (mm)
		mmput(mm);
	if (first)
		put_task_struct(first);
}

/**
 * perfctr_host_refuses - the reason why perfmon may not have the PMU, or NULL
 *
 * Context: may sleep; without cpus_read_lock, as above.
 */
const char *perfctr_host_refuses(void)
{
	return perfctr_has_pmu() && perfctr_host_all_read() ?
		       "all programs (rdpmc is 2)" : NULL;
}

/**
 * perfctr_host_take - exclude all other users from the PMU
 *
 * Context: may sleep.
 * Return: NULL, then perfctr_host_give() must follow; or perfctr_host_others.
 */
const char *perfctr_host_take(void)
{
	if (!perfctr_has_pmu())
		return NULL;
	if (!perfctr_allocator_take())
		return perfctr_host_others;
	WRITE_ONCE(taken, true);
	return NULL;
}

/** perfctr_host_give - let other users have the PMU */
void perfctr_host_give(void)
{
	if (!perfctr_has_pmu())
		return;
	WRITE_ONCE(taken, false);
	perfctr_allocator_give();
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
 * perfctr_host_enter_cpu - prepare this CPU for our counting
 *
 * Context: interrupts off.
 */
void perfctr_host_enter_cpu(void)
{
	__this_cpu_write(lvtpc_before, perfctr_lvtpc_read());
}

/** perfctr_host_forbid_rdpmc - forbid programs to read counters: the hooks do that */
void perfctr_host_forbid_rdpmc(void)
{
}

/** perfctr_host_permit_rdpmc - undo it: nothing to do, the hooks are gone */
void perfctr_host_permit_rdpmc(void)
{
}

/** perfctr_host_restore_lvtpc - give this CPU's LVTPC entry back */
void perfctr_host_restore_lvtpc(void)
{
	apic_write(APIC_LVTPC, __this_cpu_read(lvtpc_before));
}

/**
 * perfctr_host_has_ibs - does perfmon have IBS?
 *
 * perf_event does not learn that we use it: the administrator has to say that it does
 * not.
 */
bool perfctr_host_has_ibs(void)
{
	return perfctr_ibs_wanted;
}

/** perfctr_host_take_ibs - nothing can be done against perf_event */
bool perfctr_host_take_ibs(void)
{
	return true;
}

/** perfctr_host_give_ibs - nothing is to be undone */
void perfctr_host_give_ibs(void)
{
}

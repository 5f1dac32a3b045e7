// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ownership of the PMU: perfctr_cpu_reserve() and perfctr_cpu_release().
 *
 * Owns the name of the high-level driver that holds the hardware, under service_lock.
 * Taking the hardware means: all other users in the kernel are excluded
 * (owner_builtin.c), no thread executes RDPMC, and each CPU's PMU is put into the state
 * that its control cache assumes.  A hotplug callback does this for CPUs that come up
 * later.
 *
 * An owner that does not use the PMU at the moment offers it.  Then any other user that
 * asks gets it at once; if none does, the owner takes it back at no cost.
 *
 * Lock order: cpus_read_lock, service_lock, perf's pmc_reserve_mutex.  perf may ask for
 * the PMU in a callback of CPU hotplug (for the NMI watchdog of a CPU that comes up), so
 * no holder of service_lock ever waits for cpus_read_lock.
 */
#define pr_fmt(fmt) "perfctr: " fmt

#include <linux/bitops.h>
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/jiffies.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/syscore_ops.h>

#include <asm/perfctr_hooks.h>

#include "perfctr_core.h"

/* A user that took up an offer keeps the PMU at least for this time. */
#define REST	msecs_to_jiffies(100)

static DEFINE_MUTEX(service_lock);
static const char *owner; /* NULL: the PMU is not ours */
static bool offered; /* its owner has called perfctr_cpu_offer() */
static u64 rest_end; /* end of the last REST, in jiffies */
static bool halted; /* never cleared, see perfctr_halt() */
static int hotplug_state;

/*
 * This CPU is ours: reserve_start_cpu() was the last of it and reserve_stop_cpu();
 * changed with interrupts off.
 */
static DEFINE_PER_CPU(bool, cpu_started);

/* The CPU was ours when it went offline; cleared if it comes up again. */
static DEFINE_PER_CPU(bool, cpu_left);

/*
 * CPUs that share their counters with another one, or have fewer.  They are found when
 * they come up, because their place in the core is not certain earlier.  On machines
 * without such CPUs the branch is never enabled.
 *
 * Context: cpus_read_lock, or a callback of hotplug.
 */
#ifdef CONFIG_PERFCTR_CPUS_FORBIDDEN_MASK
static void reserve_forbid_cpu(unsigned int cpu)
{
	if (!perfctr_design->cpu_is_forbidden ||
	    (!perfctr_design->cpu_is_forbidden(cpu) &&
	     !perfctr_kinds_lacks(cpu)))
		return;
	cpumask_set_cpu(cpu, &perfctr_cpus_forbidden_mask);
	static_branch_enable_cpuslocked(&perfctr_cpus_forbidden_key);
}
#else
static void reserve_forbid_cpu(unsigned int cpu)
{
}
#endif

static void __init reserve_look_at_cpus(void)
{
	unsigned int cpu;

	cpus_read_lock();
	for_each_online_cpu(cpu) {
		reserve_forbid_cpu(cpu);
		perfctr_kinds_add_cpu(cpu);
	}
	cpus_read_unlock();
	perfctr_kinds_find_more(perfctr_design);
}

/* Take the PMU of this CPU.  Context: interrupts off. */
static void reserve_start_cpu(void *unused)
{
	struct perfctr_cache *cache = this_cpu_ptr(&perfctr_cache);

	if (!perfctr_has_pmu() || halted)
		return;
	perfctr_host_enter_cpu();
	if (perfctr_cpu_forbidden())
		return;
	perfctr_design->start_cpu();
	memset(cache, 0, sizeof(*cache));
	/* Counters may have had any value. */
	cache->used = ~0ULL;
	perfctr_pebs_start_cpu();
	perfctr_lvtpc_take();
	__this_cpu_write(cpu_started, true);
}

/*
 * Give the PMU of this CPU back, unless CPU hotplug has done so before.  Context:
 * interrupts off.
 */
static void reserve_stop_cpu(void *unused)
{
	struct perfctr_cache *cache = this_cpu_ptr(&perfctr_cache);

	if (!__this_cpu_read(cpu_started))
		return;
	__this_cpu_write(cpu_started, false);
	perfctr_design->stop_cpu();
	perfctr_ibs_stop_cpu();
	perfctr_pebs_stop_cpu();
	perfctr_lbr_stop_cpu();
	memset(cache, 0, sizeof(*cache));
	perfctr_lvtpc_give();
}

/*
 * Look for writes by other software.  A separate section with interrupts off, because
 * some designs have many registers to read.
 */
static void reserve_verify_cpu(void *unused)
{
	if (__this_cpu_read(cpu_started))
		perfctr_verify_this_cpu();
}

static void with_irqs_off(void (*on_cpu)(void *unused))
{
	unsigned long flags;

	local_irq_save(flags);
	on_cpu(NULL);
	local_irq_restore(flags);
}

static void reserve_start_if_owned(void *unused)
{
	if (READ_ONCE(owner))
		reserve_start_cpu(NULL);
}

/*
 * The entry of a CPU that went offline as ours is masked.  If the CPU has come back
 * without a power cycle, and perf has the PMU now, only we can unmask the entry.
 */
static void reserve_enter_cpu(void *unused)
{
	if (__this_cpu_read(cpu_left))
		perfctr_lvtpc_give();
	__this_cpu_write(cpu_left, false);
	reserve_start_if_owned(NULL);
}

/*
 * Threads that are leaving the CPU may be resumed once more.  Their overflow must not
 * cause an NMI, which no handler would claim.  perf_event writes the entry when the CPU
 * comes up again.
 */
static void reserve_leave_cpu(void *unused)
{
	if (!__this_cpu_read(cpu_started))
		return;
	reserve_stop_cpu(NULL);
	perfctr_lvtpc_mask();
	__this_cpu_write(cpu_left, true);
}

/*
 * Hotplug callbacks exclude reserve and release, which hold cpus_read_lock, but not
 * reserve_give_up() on behalf of perf_event.  The latter clears owner before it sends
 * reserve_stop_cpu() to each CPU.  A CPU that still saw an owner here has interrupts off
 * until reserve_start_cpu() is done, and gets the interrupt afterwards.  A CPU that was
 * not online yet for the interrupt sees no owner.
 */
static int perfctr_cpu_online(unsigned int cpu)
{
	reserve_forbid_cpu(cpu);
	perfctr_kinds_add_cpu(cpu);
	perfctr_pebs_add_cpu(cpu);
	with_irqs_off(reserve_enter_cpu);
	return 0;
}

static int perfctr_cpu_offline(unsigned int cpu)
{
	with_irqs_off(reserve_leave_cpu);
	return 0;
}

/*
 * In system suspend the boot CPU loses its registers and runs alone; the others go
 * through hotplug.  lapic_resume() has restored LVTPC.
 */
static int perfctr_suspend(void *unused)
{
	with_irqs_off(reserve_stop_cpu);
	return 0;
}

static void perfctr_resume(void *unused)
{
	with_irqs_off(reserve_start_if_owned);
}

static const struct syscore_ops syscore_ops = {
	.suspend = perfctr_suspend,
	.resume = perfctr_resume,
};

static struct syscore perfctr_syscore = {
	.ops = &syscore_ops,
};

/*
 * Put the PMUs of all CPUs into the state that their caches assume.
 *
 * Return: NULL, or a name for the software that refused a write.
 */
static const char *reserve_start_cpus(void)
{
	u32 msr;

	if (!perfctr_has_pmu())
		return NULL;
	perfctr_take_inventory();
	perfctr_host_forbid_rdpmc();
	perfctr_pebs_taken();
	on_each_cpu(reserve_start_cpu, NULL, 1);
	msr = perfctr_refused_msr();
	if (!msr)
		return NULL;
	pr_err("MSR %#x cannot be written\n", msr);
	on_each_cpu(reserve_stop_cpu, NULL, 1);
	perfctr_pebs_given();
	perfctr_refused_msr();
	perfctr_host_give();
	perfctr_host_permit_rdpmc();
	return "firmware or a hypervisor";
}

bool perfctr_on_our_cpus(void (*call)(void *data), void *data)
{
	unsigned int cpu;
	bool ours;

	cpus_read_lock();
	mutex_lock(&service_lock);
	ours = owner && perfctr_has_pmu();
	if (ours)
		for_each_online_cpu(cpu)
			smp_call_function_single(cpu, call, data, 1);
	mutex_unlock(&service_lock);
	cpus_read_unlock();
	return ours;
}

/*
 * Undo perfctr_cpu_reserve().
 *
 * Context: service_lock held, and cpus_read_lock unless the PMU is offered.
 */
static void reserve_give_up(void)
{
	perfctr_cpu_set_ihandler(NULL);
	offered = false;
	on_each_cpu(reserve_verify_cpu, NULL, 1);
	WRITE_ONCE(owner, NULL);
	smp_mb(); /* see perfctr_cpu_online() */
	on_each_cpu(reserve_stop_cpu, NULL, 1);
	perfctr_pebs_given();
	perfctr_host_give();
	perfctr_host_permit_rdpmc();
}

/**
 * perfctr_cpu_reserve - take the counters of all CPUs
 * @service: unique name of the high-level driver, static storage
 *
 * Another driver that has offered them loses them.
 *
 * Context: may sleep.
 * Return: NULL on success, else the name of their owner.
 */
const char *perfctr_cpu_reserve(const char *service)
{
	const char *holder = perfctr_host_refuses();

	if (holder)
		return holder;
	cpus_read_lock();
	mutex_lock(&service_lock);
	if (offered)
		reserve_give_up();
	holder = halted ? "reboot" : owner;
	if (!holder)
		holder = perfctr_host_take();
	if (!holder)
		holder = reserve_start_cpus();
	if (!holder)
		WRITE_ONCE(owner, service);
	mutex_unlock(&service_lock);
	cpus_read_unlock();
	return holder == perfctr_host_others ? perfctr_host_user() : holder;
}
EXPORT_SYMBOL_GPL(perfctr_cpu_reserve);

/**
 * perfctr_cpu_release - give the counters back
 * @service: as passed to perfctr_cpu_reserve()
 *
 * No state may be on a CPU when this is called.
 *
 * Context: may sleep.
 */
void perfctr_cpu_release(const char *service)
{
	cpus_read_lock();
	mutex_lock(&service_lock);
	if (!WARN_ON_ONCE(owner != service))
		reserve_give_up();
	mutex_unlock(&service_lock);
	cpus_read_unlock();
}
EXPORT_SYMBOL_GPL(perfctr_cpu_release);

/**
 * perfctr_cpu_offer - let the first user that asks take the counters
 * @service: as passed to perfctr_cpu_reserve()
 *
 * No register is touched until then.  No state may be on a CPU, and none may be resumed
 * before perfctr_cpu_retain() has returned true.
 *
 * Context: may sleep.
 */
void perfctr_cpu_offer(const char *service)
{
	mutex_lock(&service_lock);
	if (!WARN_ON_ONCE(owner != service))
		offered = true;
	mutex_unlock(&service_lock);
}
EXPORT_SYMBOL_GPL(perfctr_cpu_offer);

/**
 * perfctr_cpu_retain - take an offer back
 * @service: as passed to perfctr_cpu_reserve()
 *
 * Context: may sleep.
 * Return: true if the service still has the counters, unchanged and with its overflow
 * handler; false if another user has taken them.
 */
bool perfctr_cpu_retain(const char *service)
{
	bool kept;

	mutex_lock(&service_lock);
	kept = owner == service;
	if (kept)
		offered = false;
	mutex_unlock(&service_lock);
	return kept;
}
EXPORT_SYMBOL_GPL(perfctr_cpu_retain);

/**
 * perfctr_cpu_rest - time to wait before the PMU may be taken back
 *
 * Each change of owner interrupts all CPUs, so a driver whose offer was taken up waits
 * for this time before it calls perfctr_cpu_reserve() again.
 *
 * Context: may sleep.
 * Return: jiffies; 0 also while another user has the PMU.
 */
unsigned long perfctr_cpu_rest(void)
{
	u64 now = get_jiffies_64();
	unsigned long rest = 0;

	mutex_lock(&service_lock);
	if (!owner && !perfctr_host_in_use() && time_before64(now, rest_end))
		rest = rest_end - now;
	mutex_unlock(&service_lock);
	return rest;
}
EXPORT_SYMBOL_GPL(perfctr_cpu_rest);

/*
 * perf_event is about to ask for the PMU.  The caller may be in a callback of CPU
 * hotplug, holds no lock that is taken here, and can wait for interrupts of other CPUs.
 */
void __perfctr_pmu_wanted(void)
{
	mutex_lock(&service_lock);
	if (offered) {
		reserve_give_up();
		rest_end = get_jiffies_64() + REST;
	}
	mutex_unlock(&service_lock);
}

/*
 * Stop the counters of all CPUs for good, also on CPUs that come up later.  Their owner
 * is not notified.
 *
 * Context: may sleep.
 */
void perfctr_halt(void)
{
	cpus_read_lock();
	mutex_lock(&service_lock);
	halted = true;
	on_each_cpu(reserve_stop_cpu, NULL, 1);
	mutex_unlock(&service_lock);
	cpus_read_unlock();
}

/**
 * perfctr_cpu_owner - name of the present owner of the counters
 *
 * Context: may sleep.
 * Return: a service name, "perf_event" or "nmi_watchdog"; "none" also while the counters
 * are on offer.  The answer may be outdated when the caller sees it; drivers that use the
 * allocator of counter MSRs are not reported.
 */
const char *perfctr_cpu_owner(void)
{
	const char *holder;

	mutex_lock(&service_lock);
	holder = offered ? NULL : owner;
	mutex_unlock(&service_lock);
	if (holder)
		return holder;
	return perfctr_host_in_use() ? perfctr_host_user() : "none";
}

/* A PMU that is in use works; otherwise try a counter. */
static bool __init reserve_pmu_exists(void)
{
	bool works;

	if (!perfctr_has_pmu() || perfctr_host_take())
		return true;
	works = perfctr_counter_works();
	perfctr_host_give();
	return works;
}

int __init perfctr_reserve_init(void)
{
	int ret;

	if (!reserve_pmu_exists()) {
		pr_info("%s without counters, a virtual machine?\n",
			perfctr_design->name);
		return -ENODEV;
	}
	ret = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "perfctr:online",
					perfctr_cpu_online,
					perfctr_cpu_offline);
	if (ret < 0)
		return ret;
	hotplug_state = ret;
	reserve_look_at_cpus();
	register_syscore(&perfctr_syscore);
	return 0;
}

void __init perfctr_reserve_exit(void)
{
	unregister_syscore(&perfctr_syscore);
	cpuhp_remove_state_nocalls(hotplug_state);
}

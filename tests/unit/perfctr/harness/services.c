// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel around the low-level core, as far as machine.h lets a test play
 * with it: locks, hotplug, perf_event, the allocator of counters, the log.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>

#include <linux/cpu.h>
#include <linux/perfmon_pmu.h>
#include <linux/seq_file.h>

#include <asm/apic.h>
#include <asm/perf_event.h>
#include <asm/perfctr_hooks.h>

#include "machine.h"
#include "pebs/pebs.h"

unsigned long watchdog_enabled;
DEFINE_STATIC_KEY_FALSE(rdpmc_always_available_key);
bool perfctr_pmu_owned;

/* No processor of the tests makes records. */
bool perfmon_records_left(struct perfmon_arch_set *set)
{
	(void)set;
	return false;
}

u32 perfmon_records_wanted(void)
{
	return 0;
}

bool pebs_area_suffices(void)
{
	return false;
}

struct debug_store *pebs_area_ds(unsigned int cpu)
{
	(void)cpu;
	return NULL;
}

u64 pebs_area_map(unsigned int cpu, void *records)
{
	(void)cpu;
	return (unsigned long)records;
}

void pebs_area_unmap(unsigned int cpu)
{
	(void)cpu;
}

s64 atomic64_inc_return(atomic64_t *v)
{
	v->counter += (s64)machine.skip_ids + 1;
	machine.skip_ids = 0;
	return v->counter;
}

void machine_log(const char *fmt, ...)
{
	const size_t used = strlen(machine.log);
	va_list args;

	va_start(args, fmt);
	vsnprintf(machine.log + used, sizeof(machine.log) - used, fmt, args);
	va_end(args);
}

bool machine_warn_on(bool condition)
{
	machine.warnings += condition;
	return condition;
}

/* As strict as the kernel's: digits and at most a newline. */
int kstrtouint(const char *text, unsigned int base, unsigned int *value)
{
	unsigned long long number;
	char *end;

	if (*text < '0' || *text > '9')
		return -EINVAL;
	number = strtoull(text, &end, (int)base);
	if (*end && strcmp(end, "\n") != 0)
		return -EINVAL;
	if (number > UINT_MAX)
		return -ERANGE;
	*value = (unsigned int)number;
	return 0;
}

void seq_printf(struct seq_file *m, const char *fmt, ...)
{
	va_list args;
	int length;

	va_start(args, fmt);
	length = vsnprintf(m->text + m->length, sizeof(m->text) - m->length,
			   fmt, args);
	va_end(args);
	assert_in_range(length, 0, sizeof(m->text) - m->length - 1);
	m->length += length;
}

u64 get_jiffies_64(void)
{
	return machine.ticks;
}

void cpus_read_lock(void)
{
	assert_false(machine.hotplug_runs);
	machine.cpus_locked++;
}

void cpus_read_unlock(void)
{
	assert_true(machine.cpus_locked--);
}

/* The mutexes of the core come after the lock of the CPUs, or without it. */
void mutex_lock(struct mutex *mutex)
{
	assert_false(mutex->locked);
	assert_false(machine.irqs_off);
	mutex->locked = true;
}

void mutex_unlock(struct mutex *mutex)
{
	assert_true(mutex->locked);
	mutex->locked = false;
}

bool cpu_online(unsigned int cpu)
{
	return machine.cpu[cpu].online;
}

/*
 * Without the lock a CPU could come up between this and what follows, unless
 * the caller has thought of that.
 */
void on_each_cpu(smp_call_func_t function, void *info, int wait)
{
	const unsigned int caller = machine.current_cpu;
	unsigned long flags;
	unsigned int cpu;

	assert_true(machine.cpus_locked || machine.hotplug_runs);
	assert_true(wait);
	for_each_online_cpu(cpu)
	{
		machine_on(cpu);
		local_irq_save(flags);
		function(info);
		local_irq_restore(flags);
	}
	machine_on(caller);
}

int smp_call_function_single(int cpu, smp_call_func_t function, void *info,
			     int wait)
{
	const unsigned int caller = machine.current_cpu;
	unsigned long flags;

	assert_true(machine.cpus_locked || machine.hotplug_runs);
	assert_true(wait);
	machine_on((unsigned int)cpu);
	local_irq_save(flags);
	function(info);
	local_irq_restore(flags);
	machine_on(caller);
	return 0;
}

int cpuhp_setup_state_nocalls(int state, const char *name,
			      cpuhp_callback_t online, cpuhp_callback_t offline)
{
	assert_int_equal(state, CPUHP_AP_ONLINE_DYN);
	assert_non_null(name);
	assert_null(machine.online);
	if (machine.hotplug_error)
		return machine.hotplug_error;
	machine.online = online;
	machine.offline = offline;
	return state + 7;
}

void cpuhp_remove_state_nocalls(int state)
{
	assert_int_equal(state, CPUHP_AP_ONLINE_DYN + 7);
	assert_non_null(machine.online);
	machine.online = NULL;
	machine.offline = NULL;
}

void machine_cpu_down(unsigned int cpu)
{
	machine_on(cpu);
	assert_int_equal(machine.offline(cpu), 0);
	machine.cpu[cpu].online = false;
	machine_on(cpu ? 0 : 1);
}

/* After a reset, firmware counts for itself, if it can. */
static void lose_registers(struct machine_cpu *c)
{
	const struct processor *p = machine.processor;

	pmu_reset(&c->pmu);
	if (p->firmware)
		assert_int_equal(pmu_wrmsr(&c->pmu, p->selector_msr,
					   p->firmware),
				 PMU_OK);
	else if (p->rules)
		assert_int_equal(pmu_wrmsr(&c->pmu, p->selector_msr,
					   p->rules->insns | p->rules->os |
						   p->rules->enable),
				 PMU_OK);
	c->lvtpc = APIC_LVT_MASKED;
}

void machine_cpu_up(unsigned int cpu)
{
	struct machine_cpu *c = &machine.cpu[cpu];

	lose_registers(c);
	c->online = true;
	machine_on(cpu);
	machine.hotplug_runs = true;
	assert_int_equal(machine.online(cpu), 0);
	machine.hotplug_runs = false;
	machine_on(cpu ? 0 : 1);
}

void register_syscore(struct syscore *syscore)
{
	assert_null(machine.syscore);
	machine.syscore = syscore;
}

void unregister_syscore(struct syscore *syscore)
{
	assert_ptr_equal(machine.syscore, syscore);
	machine.syscore = NULL;
}

/* The APIC's own syscore operations put LVTPC back before ours are called. */
void machine_suspend(void)
{
	struct syscore *syscore = machine.syscore;
	u32 lvtpc;
	unsigned int cpu;

	for (cpu = 1; cpu < NR_CPUS; cpu++)
		assert_false(machine.cpu[cpu].online);
	machine_on(0);
	machine.irqs_off = true;
	assert_int_equal(syscore->ops->suspend(syscore->data), 0);
	lvtpc = machine.cpu[0].lvtpc;
	machine.suspended_lvtpc = lvtpc;
	lose_registers(&machine.cpu[0]);
	machine.cpu[0].lvtpc = lvtpc;
	syscore->ops->resume(syscore->data);
	machine.irqs_off = false;
}

int register_reboot_notifier(struct notifier_block *nb)
{
	assert_null(machine.reboot);
	machine.reboot = nb;
	return 0;
}

int unregister_reboot_notifier(struct notifier_block *nb)
{
	assert_ptr_equal(machine.reboot, nb);
	machine.reboot = NULL;
	return 0;
}

void machine_reboot(void)
{
	assert_non_null(machine.reboot);
	assert_int_equal(machine.reboot->notifier_call(machine.reboot,
						       SYS_RESTART, NULL),
			 NOTIFY_DONE);
}

int x86_pmu_take(void)
{
	assert_false(perfctr_pmu_owned);
	if (machine.perf_uses_pmu)
		return -EBUSY;
	perfctr_pmu_owned = true;
	return 0;
}

void x86_pmu_give(void)
{
	assert_true(perfctr_pmu_owned);
	perfctr_pmu_owned = false;
}

bool x86_pmu_in_use(void)
{
	return machine.perf_uses_pmu;
}

void machine_perf_wants_pmu(void)
{
	machine.hotplug_runs = true;
	perfctr_pmu_wanted();
	machine.hotplug_runs = false;
}

void cr4_update_pce(void *ignored)
{
	(void)ignored;
	assert_true(machine.irqs_off);
	machine_this_cpu()->pce = !perfctr_forbids_rdpmc();
}

void perf_clear_dirty_counters(void)
{
	machine_this_cpu()->perf_zeroed++;
}

void perf_events_lapic_init(void)
{
	if (machine.perf_knows_cpu)
		apic_write(APIC_LVTPC, APIC_DM_NMI);
}

static struct claim *find_claim(u32 msr, bool selector)
{
	struct claim *claim = machine.claims;

	while (claim->holder &&
	       (claim->msr != msr || claim->selector != selector))
		claim++;
	assert_true(claim < &machine.claims[MACHINE_CLAIMS - 1]);
	return claim;
}

void machine_claim(u32 msr, bool selector, const char *holder)
{
	struct claim *claim = find_claim(msr, selector);

	assert_null(claim->holder);
	*claim = (struct claim){ msr, selector, holder };
}

unsigned int machine_claims_of(const char *holder)
{
	const struct claim *claim;
	unsigned int n = 0;

	for (claim = machine.claims; claim->holder; claim++)
		n += strcmp(claim->holder, holder) == 0;
	return n;
}

static int reserve(u32 msr, bool selector)
{
	if (find_claim(msr, selector)->holder)
		return 0;
	machine_claim(msr, selector, "perfctr");
	return 1;
}

/* The last claim moves to the place of the one that goes. */
static void release(u32 msr, bool selector)
{
	struct claim *claim = find_claim(msr, selector);
	struct claim *last = claim;

	assert_non_null(claim->holder);
	assert_string_equal(claim->holder, "perfctr");
	while (last[1].holder)
		last++;
	*claim = *last;
	*last = (struct claim){ 0 };
}

int reserve_perfctr_nmi(unsigned int msr)
{
	return reserve(msr, false);
}

int reserve_evntsel_nmi(unsigned int msr)
{
	return reserve(msr, true);
}

void release_perfctr_nmi(unsigned int msr)
{
	release(msr, false);
}

void release_evntsel_nmi(unsigned int msr)
{
	release(msr, true);
}

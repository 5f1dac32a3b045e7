// SPDX-License-Identifier: GPL-2.0-only
/*
 * Others who use the PMU: firmware before us, hypervisors that keep registers
 * for themselves, and whoever writes a register that is ours.
 */
#include <linux/cpu.h>

#include <asm/apic.h>
#include <asm/perfctr_hooks.h>
#include <asm/processor.h>

#include "driver.h"
#include "p4_harness.h"
#include "perfctr_harness.h"

/* Nothing counts without its bits, and reset clears them. */
#define AMD_GLOBAL_CTL 0xc0000301

static void power_on(const struct processor *p)
{
	machine_power_on(p);
}

static void write_msr(unsigned int cpu, u32 msr, u64 value)
{
	assert_int_equal(pmu_wrmsr(&machine.cpu[cpu].pmu, msr, value), PMU_OK);
}

static u64 read_msr(unsigned int cpu, u32 msr)
{
	uint64_t value = 0;

	assert_int_equal(pmu_rdmsr(&machine.cpu[cpu].pmu, msr, &value), PMU_OK);
	return value;
}

static bool has_p6_selectors(const struct processor *p)
{
	return p->rules->enable == EN;
}

static u32 selector_msr(const struct processor *p, unsigned int i)
{
	return p->selector_msr + i * p->msr_stride;
}

static void start(void)
{
	assert_int_equal(perfmon_arch_init(), 0);
	assert_null(perfmon_arch_acquire(NULL));
}

static void assert_verified(const char *text)
{
	char found[96];

	perfmon_arch_verify(found, sizeof(found));
	assert_string_equal(found, text);
}

static bool log_says(const char *format, u32 msr, u64 value)
{
	char text[128];

	snprintf(text, sizeof(text), format, msr, value);
	return strstr(machine.log, text);
}

/* Of each number of counters, from the first one on. */
static void
counters_that_firmware_uses_are_no_reason_to_give_up(const struct processor *p)
{
	unsigned int i, n;

	for (n = 1; n <= p->counters; n++)
		write_msr(0, selector_msr(p, n - 1),
			  selector_for(p, n - 1, EVENT_INSNS, OS));
	/* It counts as the probe goes on, in the kernel. */
	machine.access_insns = 1;
	assert_int_equal(perfmon_arch_init(), 0);
	machine.access_insns = 0;
	assert_null(strstr(machine.log, "without counters"));
	for (i = 0; i < p->counters; i++)
		assert_int_equal(read_msr(0, selector_msr(p, i)),
				 selector_for(p, i, EVENT_INSNS, OS));
	assert_null(perfmon_arch_acquire(NULL));
}

static void
the_probe_takes_a_counter_that_nobody_uses(const struct processor *p)
{
	write_msr(0, selector_msr(p, 0), selector_for(p, 0, EVENT_INSNS, OS));
	if (strcmp(p->pmu, "zen4") == 0)
		write_msr(0, AMD_GLOBAL_CTL, 1);
	machine.access_insns = 1;
	assert_int_equal(perfmon_arch_init(), 0);
	assert_int_equal(machine.cpu[0].pmu.counter[1].value, 0);
	/* The first one was never stopped. */
	assert_true(machine.cpu[0].pmu.counter[0].value >= 3);
}

static void
counters_that_firmware_uses_are_named_in_the_log(const struct processor *p)
{
	const u32 selector = selector_for(p, 0, EVENT_INSNS, OS);
	const u32 msr = selector_msr(p, 0);

	write_msr(0, msr, selector);
	start();
	assert_non_null(strstr(machine.log, "inventory: family"));
	assert_true(log_says("[Firmware Bug]: found MSR %#x = %#llx: it counts",
			     msr, selector));
	/* The other CPUs have nothing there. */
	assert_non_null(strstr(machine.log, "CPU 1 differs: "));
	assert_true(log_says("MSR %#x = %#llx", msr, 0) ||
		    strstr(machine.log, "= 0\n"));
}

static void
what_does_not_count_is_no_bug_of_the_firmware(const struct processor *p)
{
	const u32 msr = selector_msr(p, 0);
	unsigned int cpu;

	for (cpu = 0; cpu < NR_CPUS; cpu++)
		write_msr(cpu, msr, EVENT_INSNS | USR);
	start();
	assert_true(
		log_says("found MSR %#x = %#llx\n", msr, EVENT_INSNS | USR));
	assert_null(strstr(machine.log, "Firmware Bug"));
	assert_null(strstr(machine.log, "differs"));
}

static void the_inventory_is_taken_once(const struct processor *p)
{
	char log[sizeof(machine.log)];

	(void)p;
	start();
	memcpy(log, machine.log, sizeof(log));
	perfmon_arch_release();
	assert_null(perfmon_arch_acquire(NULL));
	assert_string_equal(machine.log, log);
}

static void
a_register_that_cannot_be_written_is_named(const struct processor *p)
{
	const u32 msr = selector_msr(p, p->counters - 1);

	assert_int_equal(perfmon_arch_init(), 0);
	machine.refused_msr = msr;
	assert_string_equal(perfmon_arch_acquire(NULL),
			    "firmware or a hypervisor");
	assert_true(log_says("MSR %#x cannot be written", msr, 0));
	assert_false(perfctr_pmu_owned);
	assert_int_equal(machine_claims_of("perfctr"), 0);
	assert_int_equal(machine.cpu[1].lvtpc, APIC_DM_NMI);
	assert_verified("free");
	machine.refused_msr = 0;
	assert_null(perfmon_arch_acquire(NULL));
}

static void what_we_wrote_ourselves_is_no_difference(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int cpu;

	assert_int_equal(perfmon_arch_init(), 0);
	assert_verified("free");
	assert_null(perfmon_arch_acquire(NULL));
	assert_verified("ok");
	for (cpu = 0; cpu < NR_CPUS; cpu++) {
		if (cpu % __max_threads_per_core)
			continue;
		if (p->rules->has_p4_control)
			p4_make_all(&state, 0);
		else
			make_state(p, &state, all_counters(p), USR | OS);
		resume_on(cpu, &state);
		machine_run(1000, true);
		assert_verified("ok");
		machine_on(cpu);
		perfctr_cpu_suspend(&state);
		assert_verified("ok");
	}
	machine.log[0] = 0;
	perfmon_arch_release();
	assert_string_equal(machine.log, "");
	assert_verified("free");
}

static void
what_others_write_into_a_selector_is_found(const struct processor *p)
{
	unsigned int i;
	char text[96];

	start();
	for (i = 0; i < p->counters; i++) {
		const u32 msr = selector_msr(p, i);

		write_msr(2, msr, EVENT_INSNS | USR);
		snprintf(text, sizeof(text), "CPU 2: MSR %#x is %#x, not 0",
			 msr, EVENT_INSNS | USR);
		assert_verified(text);
		write_msr(2, msr, 0);
		assert_verified("ok");
	}
}

static void what_others_stop_is_found(const struct processor *p)
{
	struct perfctr_cpu_state state;
	char text[96];

	start();
	make_state(p, &state, all_counters(p), USR);
	resume_on(1, &state);
	write_msr(1, selector_msr(p, 0), 0);
	snprintf(text, sizeof(text), "CPU 1: MSR %#x is 0, not %#x",
		 selector_msr(p, 0), selector_for(p, 0, EVENT_INSNS, USR));
	assert_verified(text);
	machine_on(1);
	perfctr_cpu_suspend(&state);
	assert_verified(text);
}

/* One write, and nothing would count any more. */
static void
a_global_control_that_others_write_is_found(const struct processor *p)
{
	(void)p;
	start();
	write_msr(0, 0x38f, 0);
	assert_verified("CPU 0: MSR 0x38f is 0, not 0x700000003");
}

static bool is_core2(const struct processor *p)
{
	return strcmp(p->name, "core2") == 0;
}

static void an_entry_that_others_write_is_found(const struct processor *p)
{
	(void)p;
	start();
	machine.cpu[2].lvtpc = APIC_DM_NMI;
	assert_verified("CPU 2: LVTPC is 0x400, not 0xee");
}

static void
differences_are_logged_when_the_pmu_is_given_back(const struct processor *p)
{
	const u32 msr = selector_msr(p, 0);

	start();
	write_msr(1, msr, EVENT_INSNS | USR);
	machine.log[0] = 0;
	perfmon_arch_release();
	assert_true(log_says("CPU 1: MSR %#x is %#llx, not 0: somebody else",
			     msr, EVENT_INSNS | USR));
	/* And given back it is like any other. */
	assert_int_equal(read_msr(1, msr), 0);
}

/* CPUID leaf 10 says version 2, two and three counters, and no bits. */
static void
a_width_that_firmware_keeps_silent_about_is_known(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int i;

	machine.own_cpuid10 = true;
	machine.cpuid10[0] = 2 | p->counters << 8 | 7 << 24;
	machine.cpuid10[3] = p->fixed;
	start();
	driver_set_handler();
	for (i = 0; i <= p->counters; i += p->counters) {
		memset(&state, 0, sizeof(state));
		add_ictr(p, &state, i, USR, -1000);
		accept(&state);
		driver.interrupts = 0;
		driver_resume(0, &state);
		machine_run(999, true);
		assert_int_equal(driver.interrupts, 0);
		machine_run(1, true);
		assert_int_equal(driver.interrupts, 1);
		driver_suspend();
		assert_int_equal(state.pmc[0].sum, 1000);
	}
}

/* A write of bits that a fixed counter does not have raises #GP. */
static void
a_fixed_counter_may_be_narrower_than_the_others(const struct processor *p)
{
	struct perfctr_cpu_state state = { 0 };

	machine.own_cpuid10 = true;
	machine.cpuid10[0] = 2 | p->counters << 8 | 48 << 16 | 7 << 24;
	machine.cpuid10[3] = p->fixed | 40 << 5;
	start();
	driver_set_handler();
	add_ictr(p, &state, p->counters, USR, -1000);
	accept(&state);
	driver_resume(0, &state);
	machine_run(1000, true);
	assert_int_equal(driver.interrupts, 1);
	driver_suspend();
}

int main(void)
{
	static const struct rule rules[] = {
		RULE_IF(has_p6_selectors,
			counters_that_firmware_uses_are_no_reason_to_give_up),
		RULE_IF(has_p6_selectors,
			the_probe_takes_a_counter_that_nobody_uses),
		RULE_IF(has_p6_selectors,
			counters_that_firmware_uses_are_named_in_the_log),
		RULE_IF(has_p6_selectors,
			what_does_not_count_is_no_bug_of_the_firmware),
		RULE(the_inventory_is_taken_once),
		RULE_IF(has_p6_selectors,
			a_register_that_cannot_be_written_is_named),
		RULE(what_we_wrote_ourselves_is_no_difference),
		RULE_IF(has_p6_selectors,
			what_others_write_into_a_selector_is_found),
		RULE_IF(has_p6_selectors, what_others_stop_is_found),
		RULE_IF(is_core2, a_global_control_that_others_write_is_found),
		RULE_IF(has_interrupts, an_entry_that_others_write_is_found),
		RULE_IF(is_core2,
			a_width_that_firmware_keeps_silent_about_is_known),
		RULE_IF(is_core2,
			a_fixed_counter_may_be_narrower_than_the_others),
		RULE_IF(has_p6_selectors,
			differences_are_logged_when_the_pmu_is_given_back),
	};
	const size_t n = ARRAY_SIZE(rules);

	return run_rules(rules, n, power_on) +
	       run_rules_on(old_processors, nr_old_processors, rules, n,
			    power_on) +
	       run_p4_rules(rules, n, power_on);
}

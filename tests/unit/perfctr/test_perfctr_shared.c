// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a CPU shares with others: with the second thread or core, with guests,
 * with features of the processor that use its counters.
 */
#include <asm/msr.h>
#include <asm/perfctr_hooks.h>
#include <asm/processor.h>

#include "driver.h"
#include "perfctr_harness.h"

#define BOTH_CORES 0xc000
#define HOST_ONLY (1u << 9) /* of the upper half */
#define GUEST_ONLY (1u << 8)

static void power_on(const struct processor *p)
{
	machine_power_on(p);
}

static void start(void)
{
	assert_int_equal(perfmon_arch_init(), 0);
	assert_null(perfmon_arch_acquire(NULL));
	driver_set_handler();
}

static bool is(const struct processor *p, const char *name)
{
	return strcmp(p->name, name) == 0;
}

static bool is_nehalem(const struct processor *p)
{
	return is(p, "nehalem");
}

static bool is_skylake(const struct processor *p)
{
	return is(p, "skylake");
}

static bool has_any_thread(const struct processor *p)
{
	return has_interrupts(p) && !(p->rules->reserved & ANY);
}

static bool has_two_cores(const struct processor *p)
{
	return is(p, "core2") || is(p, "coreduo");
}

static void count_offcore(const struct processor *p,
			  struct perfctr_cpu_state *state, u64 response)
{
	memset(state, 0, sizeof(*state));
	add_counter(p, state, 0, EVENT_INSNS, USR);
	state->control.extra_used = 1u << PERFCTR_OFFCORE_RSP0;
	state->control.extra[PERFCTR_OFFCORE_RSP0] = response;
	accept(state);
}

/* The sibling has sessions of its own; our cache knows nothing of it. */
static void a_register_of_both_threads_is_written_whatever_the_cache_says(
	const struct processor *p)
{
	struct perfctr_cpu_state first, second;
	uint64_t *response = &machine.cpu[0].pmu.extra[PMU_EXTRA_OFFCORE_RSP0];

	(void)p;
	start();
	count_offcore(p, &first, 0x11);
	count_offcore(p, &second, 0x11);
	resume_on(0, &first);
	assert_int_equal(*response, 0x11);
	perfctr_cpu_suspend(&first);
	*response = 0x22;
	resume_on(0, &second);
	assert_int_equal(*response, 0x11);
	perfctr_cpu_suspend(&second);
}

static void a_register_of_one_thread_is_written_once(const struct processor *p)
{
	struct perfctr_cpu_state first, second;

	start();
	count_offcore(p, &first, 0x11);
	count_offcore(p, &second, 0x11);
	assert_int_equal(resume_on(0, &first), 2);
	perfctr_cpu_suspend(&first);
	assert_int_equal(resume_on(0, &second), 0);
	perfctr_cpu_suspend(&second);
}

/* The sibling goes on counting with it while this thread is in the handler. */
static void assert_held_means_stopped(struct perfctr_cpu_state *state)
{
	accept(state);
	resume_on(0, state);
	assert_false(state->user_only);
	assert_true(cost_of(perfctr_cpu_hold, state).writes > 0);
	assert_true(cost_of(perfctr_cpu_go_on, state).writes > 0);
	perfctr_cpu_suspend(state);
}

static void
counters_of_any_thread_are_stopped_for_the_handler(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int i;

	start();
	for (i = 0; i < all_counters(p); i++) {
		memset(&state, 0, sizeof(state));
		add_ictr(p, &state, i, USR, -1000);
		state.control.evntsel[0] |= i < p->counters ? ANY : FIXED_ANY;
		assert_held_means_stopped(&state);
	}
}

static void
events_of_both_cores_are_stopped_for_the_handler(const struct processor *p)
{
	struct perfctr_cpu_state state;

	start();
	memset(&state, 0, sizeof(state));
	add_ictr(p, &state, 0, USR, -1000);
	state.control.evntsel[0] |= BOTH_CORES;
	assert_held_means_stopped(&state);
	/* This core alone, as most events are. */
	state.control.evntsel[0] ^= 1u << 15;
	accept(&state);
	assert_true(state.user_only);
}

static u64 selector_in_hardware(const struct processor *p, u32 high)
{
	struct perfctr_cpu_state state = { 0 };

	add_counter(p, &state, 0, EVENT_INSNS, USR);
	state.control.evntsel_high[0] = high;
	accept(&state);
	resume_on(0, &state);
	perfctr_cpu_suspend(&state);
	return machine.cpu[0].pmu.counter[0].select >> 32;
}

/* With SVM off such a counter would count nothing. */
static void what_is_for_hosts_only_counts_without_svm(const struct processor *p)
{
	start();
	assert_int_equal(selector_in_hardware(p, HOST_ONLY), 0);
	assert_int_equal(selector_in_hardware(p, GUEST_ONLY), GUEST_ONLY);
	assert_int_equal(selector_in_hardware(p, HOST_ONLY | 1), 1);
	machine.cpu[0].side[SIDE_EFER] = EFER_SVME;
	assert_int_equal(selector_in_hardware(p, HOST_ONLY), HOST_ONLY);
	machine.cpu[0].side[SIDE_EFER] = 0;
	assert_int_equal(selector_in_hardware(p, HOST_ONLY), 0);
}

static u32 selector_high_now(void)
{
	return machine.cpu[0].pmu.counter[0].select >> 32;
}

static void kvm_switches_svm(u64 efer)
{
	machine.cpu[0].side[SIDE_EFER] = efer;
	assert_true(perfctr_owns_pmu());
	perfctr_svm_changed();
}

/* What is on the CPU all the time has the next tick only. */
static void counters_follow_when_kvm_switches_svm(const struct processor *p)
{
	struct perfctr_cpu_state state = { 0 };

	start();
	add_counter(p, &state, 0, EVENT_INSNS, USR);
	state.control.evntsel_high[0] = HOST_ONLY;
	accept(&state);
	resume_on(0, &state);
	kvm_switches_svm(EFER_SVME);
	perfctr_cpu_tick(&state);
	assert_int_equal(selector_high_now(), HOST_ONLY);
	perfctr_cpu_suspend(&state);
	kvm_switches_svm(0);
	assert_int_equal(resume_on(0, &state), 1);
	assert_int_equal(selector_high_now(), 0);
	assert_int_equal(cost_of(perfctr_cpu_tick, &state).writes, 0);
	perfctr_cpu_suspend(&state);
}

static bool is_amd_10h(const struct processor *p)
{
	return p->vendor == X86_VENDOR_AMD && p->high_bits;
}

static bool is_architectural(const struct processor *p)
{
	return is(p, "core2") || (p->vendor == X86_VENDOR_INTEL &&
				  p->cpu_type == PERFCTR_X86_INTEL_ARCH);
}

/* A kernel or firmware before us may have left them on. */
static void what_disturbs_counters_is_switched_off(const struct processor *p)
{
	unsigned int cpu;

	(void)p;
	machine.has_sides = true;
	machine.more_features = X86_FEATURE_PEBS;
	for (cpu = 0; cpu < NR_CPUS; cpu++) {
		machine.cpu[cpu].side[SIDE_DEBUGCTL] = 0x1801;
		machine.cpu[cpu].side[SIDE_PEBS_ENABLE] = 0x100000001;
	}
	start();
	for (cpu = 0; cpu < NR_CPUS; cpu++) {
		assert_int_equal(machine.cpu[cpu].side[SIDE_DEBUGCTL], 0x801);
		assert_int_equal(machine.cpu[cpu].side[SIDE_PEBS_ENABLE], 0);
		assert_int_equal(machine.cpu[cpu].side[SIDE_FORCE_ABORT], 0);
	}
	assert_non_null(strstr(machine.log, "found MSR 0x1d9 = 0x1801"));
	assert_non_null(strstr(machine.log, "found MSR 0x3f1 = 0x100000001"));
}

/* Else the microcode would use counter 3 for transactions. */
static void transactions_leave_counter_3_alone_while_the_pmu_is_ours(
	const struct processor *p)
{
	unsigned int cpu;

	(void)p;
	machine.has_sides = true;
	machine.more_features = X86_FEATURE_TSX_FORCE_ABORT;
	machine.cpu[1].side[SIDE_FORCE_ABORT] = 4;
	start();
	for (cpu = 0; cpu < NR_CPUS; cpu++)
		assert_int_equal(machine.cpu[cpu].side[SIDE_FORCE_ABORT] & 1,
				 1);
	perfmon_arch_release();
	assert_int_equal(machine.cpu[0].side[SIDE_FORCE_ABORT], 0);
	assert_int_equal(machine.cpu[1].side[SIDE_FORCE_ABORT], 4);
}

/*
 * Haswell and later interrupt once more if a counter is still at its overflow
 * when the entry is opened.
 */
static void the_entry_is_opened_when_counters_have_their_new_values(
	const struct processor *p)
{
	static const u32 levels[] = { USR, USR | OS };
	struct perfctr_cpu_state state;
	unsigned int i, holds;

	start();
	for (i = 0; i < 2 * ARRAY_SIZE(levels); i++) {
		holds = i & 1;
		driver.holds = holds;
		driver.interrupts = 0;
		memset(&state, 0, sizeof(state));
		add_ictr(p, &state, 0, levels[i / 2], -100);
		accept(&state);
		driver_resume(0, &state);
		machine.cpu[0].lvtpc_writes = 0;
		machine_run(100, true);
		assert_int_equal(driver.interrupts, 1);
		assert_int_equal(machine.cpu[0].lvtpc_writes, 1);
		assert_true((int)machine.cpu[0].counter_at_write < 0);
		driver_suspend();
	}
}

static bool masks_on_delivery(const struct processor *p)
{
	return has_interrupts(p) && p->vendor == X86_VENDOR_INTEL;
}

static void registers_that_qualify_events_are_left_as_they_were_found(
	const struct processor *p)
{
	static const u32 msrs[] = { 0x1a6, 0x3f6 };
	unsigned int i;

	(void)p;
	for (i = 0; i < ARRAY_SIZE(msrs); i++)
		assert_int_equal(pmu_wrmsr(&machine.cpu[0].pmu, msrs[i], 0x21),
				 PMU_OK);
	assert_int_equal(perfmon_arch_init(), 0);
	assert_int_equal(machine.cpu[0].pmu.extra[PMU_EXTRA_OFFCORE_RSP0],
			 0x21);
	assert_int_equal(machine.cpu[0].pmu.extra[PMU_EXTRA_LD_LAT], 0x21);
}

/* The status can freeze all counters from version 4 on. */
static void a_frozen_status_is_acknowledged(const struct processor *p)
{
	struct perfctr_cpu_state state;

	start();
	memset(&state, 0, sizeof(state));
	add_ictr(p, &state, 0, USR | OS, -100);
	accept(&state);
	driver_resume(0, &state);
	machine_run(50, true);
	/* As if the next overflow froze them. */
	machine.irqs_off = true;
	machine_run(60, false);
	machine.cpu[0].pmu.global_status |= 3ull << 58;
	machine_irqs_on();
	assert_int_equal(driver.interrupts, 1);
	assert_int_equal(machine.cpu[0].pmu.global_status >> 58, 0);
	machine_run(200, true);
	assert_true(driver.interrupts >= 2);
	driver_suspend();
}

/* A counter has counted until it wrapped, for somebody who was not told. */
static void an_overflow_of_others_is_forgotten(const struct processor *p)
{
	struct perfctr_cpu_state others = { 0 }, state = { 0 };

	start();
	add_counter(p, &others, 0, EVENT_INSNS, USR);
	accept(&others);
	add_ictr(p, &state, 0, USR, -1000);
	accept(&state);
	resume_on(0, &others);
	machine.cpu[0].pmu.global_status |= 3;
	perfctr_cpu_suspend(&others);
	driver_resume(0, &state);
	assert_int_equal(machine.cpu[0].pmu.global_status & 3, 0);
	driver_suspend();
}

static bool can_freeze(const struct processor *p)
{
	return is_skylake(p) || is(p, "icelake") || is(p, "spr") ||
	       is(p, "gnr") || is(p, "srf") || is(p, "zen4") || is(p, "zen5");
}

int main(void)
{
	static const struct rule rules[] = {
		RULE_IF(is_nehalem,
			a_register_of_both_threads_is_written_whatever_the_cache_says),
		RULE_IF(is_skylake, a_register_of_one_thread_is_written_once),
		RULE_IF(has_any_thread,
			counters_of_any_thread_are_stopped_for_the_handler),
		RULE_IF(has_two_cores,
			events_of_both_cores_are_stopped_for_the_handler),
		RULE_IF(is_amd_10h, what_is_for_hosts_only_counts_without_svm),
		RULE_IF(is_amd_10h, counters_follow_when_kvm_switches_svm),
		RULE_IF(is_architectural,
			what_disturbs_counters_is_switched_off),
		RULE_IF(is_skylake,
			transactions_leave_counter_3_alone_while_the_pmu_is_ours),
		RULE_IF(masks_on_delivery,
			the_entry_is_opened_when_counters_have_their_new_values),
		RULE_IF(is_skylake,
			registers_that_qualify_events_are_left_as_they_were_found),
		RULE_IF(can_freeze, a_frozen_status_is_acknowledged),
		RULE_IF(has_overflow_status,
			an_overflow_of_others_is_forgotten),
	};

	return run_rules(rules, ARRAY_SIZE(rules), power_on);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the core says of the processor, with a local APIC, with one that is too
 * old and without one; and what modules may call.
 */
#include <asm/apic.h>
#include <asm/processor.h>

#include "set.h"

extern const struct machine_export __start_machine_exports[];
extern const struct machine_export __stop_machine_exports[];

static u32 features_without_interrupt(const struct processor *p)
{
	return (p->counters && !p->no_rdpmc ? PERFCTR_FEATURE_RDPMC : 0) |
	       (p->no_tsc ? 0 : PERFCTR_FEATURE_RDTSC);
}

static void the_processor_is_named(const struct processor *p)
{
	boot(p);
	assert_int_equal(perfctr_info.cpu_type, p->cpu_type);
	assert_string_equal(perfctr_cpu_name, p->core_name);
}

static void
the_frequency_is_that_of_the_tsc_where_it_works(const struct processor *p)
{
	machine_power_on(p);
	tsc_khz = 1234567;
	assert_int_equal(perfctr_cpu_init(), 0);
	assert_int_equal(perfctr_info.cpu_khz, p->no_tsc ? 0 : 1234567);
}

static void
pcint_is_set_where_design_and_apic_can_interrupt(const struct processor *p)
{
	boot(p);
	assert_int_equal(perfctr_info.cpu_features,
			 features_without_interrupt(p) |
				 (has_interrupts(p) ? PERFCTR_FEATURE_PCINT :
						      0));
}

/* No i-mode without an interrupt; a-mode does not need one. */
static void assert_no_interrupts(const struct processor *p)
{
	struct perfctr_cpu_state state = { 0 };
	unsigned int n;

	assert_null(perfctr_cpu_reserve("test"));
	assert_int_equal(perfctr_info.cpu_features,
			 features_without_interrupt(p));
	for (n = 0; n < NR_CPUS; n++)
		assert_int_equal(machine.cpu[n].lvtpc_writes, 0);
	if (!p->counters)
		return;
	if (p->shared_enable)
		add_counter(p, &state, 0, EVENT_INSNS, USR);
	add_ictr(p, &state, all_counters(p) - 1, USR, -1000);
	refuse(&state);
	make_state(p, &state, all_counters(p), USR | OS);
	resume_on(0, &state);
	machine_run(100, true);
	perfctr_cpu_suspend(&state);
	assert_sums(p, &state, 100);
}

static void without_an_apic_there_is_no_i_mode(const struct processor *p)
{
	struct processor without_apic = *p;

	without_apic.features &= ~X86_FEATURE_APIC;
	machine_power_on(&without_apic);
	assert_int_equal(perfctr_cpu_init(), 0);
	assert_no_interrupts(&without_apic);
}

/* The first APICs have three entries: timer and two pins. */
static void an_apic_without_lvtpc_gives_no_i_mode(const struct processor *p)
{
	machine_power_on(p);
	machine.maxlvt = 3;
	assert_int_equal(perfctr_cpu_init(), 0);
	assert_no_interrupts(p);
}

static void without_an_apic_all_pmds_only_count(const struct processor *p)
{
	struct processor without_apic = *p;
	struct set set;
	unsigned int i;

	without_apic.features &= ~X86_FEATURE_APIC;
	boot_and_reserve(&without_apic);
	make_set(p, &set);
	set.ictrs = ~0ul;
	build_set(&set);
	assert_int_equal(set.arch.state.control.nrictrs, 0);
	run_set(&set);
	for (i = 0; i < all_counters(p); i++) {
		assert_false(perfmon_arch_interrupts(&set.arch, i));
		assert_pmd(p, &set, i, 1000);
	}
}

static bool is_exported(const char *name)
{
	const struct machine_export *e;

	for (e = __start_machine_exports; e < __stop_machine_exports; e++)
		if (!strcmp(e->name, name))
			return true;
	return false;
}

/* All of the API but init and exit, which are for the kernel itself. */
static void a_module_can_call_the_whole_api(const struct processor *p)
{
	static const char *const api[] = {
		"perfctr_cpu_name",	      "perfctr_info",
		"perfctr_cpu_reserve",	      "perfctr_cpu_release",
		"perfctr_cpu_update_control", "perfctr_cpu_suspend",
		"perfctr_cpu_resume",	      "perfctr_cpu_sample",
		"perfctr_cpu_set_ihandler",   "perfctr_cpu_identify_overflow",
		"perfctr_cpu_ireload",	      "perfctr_cpus_forbidden_mask",
	};
	unsigned int i;

	(void)p;
	for (i = 0; i < ARRAY_SIZE(api); i++)
		if (!is_exported(api[i]))
			fail_msg("%s is not exported", api[i]);
	assert_false(is_exported("perfctr_cpu_init"));
}

/* Second threads that share counters with the first: Pentium 4 only. */
static void
no_cpu_is_forbidden_without_hyper_threading(const struct processor *p)
{
	boot(p);
	assert_int_equal(perfctr_cpus_forbidden_mask.bits, 0);
}

static bool has_no_siblings(const struct processor *p)
{
	return !p->siblings;
}

static void nothing(const struct processor *p)
{
	(void)p;
}

int main(void)
{
	static const struct rule rules[] = {
		RULE(the_processor_is_named),
		RULE(the_frequency_is_that_of_the_tsc_where_it_works),
		RULE(pcint_is_set_where_design_and_apic_can_interrupt),
		RULE_IF(has_interrupts, without_an_apic_there_is_no_i_mode),
		RULE_IF(has_interrupts, an_apic_without_lvtpc_gives_no_i_mode),
		RULE_IF(has_interrupts, without_an_apic_all_pmds_only_count),
		RULE(a_module_can_call_the_whole_api),
		RULE_IF(has_no_siblings,
			no_cpu_is_forbidden_without_hyper_threading),
	};

	return run_rules(rules, ARRAY_SIZE(rules), nothing);
}

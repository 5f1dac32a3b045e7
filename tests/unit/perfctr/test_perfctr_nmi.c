// SPDX-License-Identifier: GPL-2.0-only
/*
 * Overflow interrupts as NMIs: whose an NMI is, what it keeps, and that the overflow
 * is handled once by the vector that it raises.
 */
#include <asm/apic.h>

#include "driver.h"
#include "perfctr_harness.h"

/* What the high-level driver was told in NMIs. */
static struct {
	unsigned int nmis;
	unsigned int captured; /* with interrupts off */
	unsigned long ip; /* of the last of these */
	u64 id;
	bool stack;
} seen;

static void see(struct pt_regs *regs, u64 id, bool stack)
{
	seen.nmis++;
	seen.id = id;
	seen.stack = stack;
	if (!regs)
		return;
	seen.captured++;
	seen.ip = regs->ip;
}

static void start(const struct processor *p)
{
	driver_boot(p);
	if (!has_interrupts(p))
		return;
	assert_true(perfctr_cpu_has_nmi());
	assert_int_equal(perfctr_cpu_use_nmi(see), 0);
	/* The handler is there once, however often it is asked for. */
	assert_int_equal(perfctr_cpu_use_nmi(see), 0);
}

/* The first counter counts instructions. */
static void make_nmi_state(const struct processor *p,
			   struct perfctr_cpu_state *state, u32 levels,
			   int ireset)
{
	memset(state, 0, sizeof(*state));
	add_ictr(p, state, 0, levels, ireset);
	accept(state);
	state->nmi = PERFCTR_NMI;
}

static void an_nmi_comes_at_once_and_the_vector_later(const struct processor *p)
{
	struct perfctr_cpu_state a;

	make_nmi_state(p, &a, USR | OS, -100);
	driver_resume(0, &a);
	machine.irqs_off = true;
	machine_run(100, false);
	assert_int_equal(seen.captured, 1);
	assert_int_equal(seen.ip, machine.cpu[0].pmu.insns);
	assert_true(seen.id == perfctr_state_id(&a));
	assert_false(seen.stack);
	assert_int_equal(driver.interrupts, 0);
	machine_run(50, false);
	machine_irqs_on();
	assert_int_equal(driver.interrupts, 1);
	assert_int_equal(driver.found_nothing, 0);
	assert_int_equal(driver.replayed, 0);
	machine_run(98, false);
	driver_suspend();
	assert_int_equal(machine.cpu[0].nmis, 1);
	assert_int_equal(machine.cpu[0].unclaimed, 0);
	assert_true(a.pmc[0].sum == 248);
}

static void with_interrupts_on_nothing_has_to_be_kept(const struct processor *p)
{
	struct perfctr_cpu_state a;
	unsigned int i;

	make_nmi_state(p, &a, USR | OS, -100);
	a.nmi |= PERFCTR_NMI_STACK;
	driver_resume(0, &a);
	for (i = 1; i <= 5; i++) {
		machine_run(100, true);
		assert_int_equal(seen.nmis, i);
		assert_int_equal(driver.interrupts, i);
		assert_true(seen.stack);
	}
	assert_int_equal(seen.captured, 0);
	assert_int_equal(machine.cpu[0].unclaimed, 0);
	driver_suspend();
}

/* The handler may leave counters of the user level running. */
static void held_states_get_nmis_too(const struct processor *p)
{
	struct perfctr_cpu_state a;
	unsigned int i;

	driver.holds = true;
	make_nmi_state(p, &a, USR, -100);
	driver_resume(0, &a);
	for (i = 1; i <= 5; i++) {
		machine_run(100, true);
		machine_run(100, false);
		assert_int_equal(machine.cpu[0].nmis, i);
		assert_int_equal(driver.interrupts, i);
	}
	machine_nmi();
	assert_int_equal(machine.cpu[0].unclaimed, 1);
	driver_suspend();
}

static void nmis_of_others_are_not_claimed(const struct processor *p)
{
	struct perfctr_cpu_state a;

	machine_nmi();
	make_nmi_state(p, &a, USR | OS, -100);
	driver_resume(0, &a);
	machine_run(50, true);
	machine_nmi();
	assert_int_equal(machine.cpu[0].unclaimed, 2);
	/* Nor while the vector has to wait for interrupts to be on. */
	machine.irqs_off = true;
	machine_run(60, false);
	assert_int_equal(machine.cpu[0].unclaimed, 2);
	machine_nmi();
	assert_int_equal(machine.cpu[0].unclaimed, 3);
	machine_irqs_on();
	machine_nmi();
	driver_suspend();
	machine_nmi();
	assert_int_equal(machine.cpu[0].unclaimed, 5);
	assert_int_equal(seen.nmis, 1);
	assert_int_equal(driver.interrupts, 1);
}

static void an_nmi_after_the_suspend_is_claimed_once(const struct processor *p)
{
	struct perfctr_cpu_state a;

	make_nmi_state(p, &a, USR | OS, -100);
	driver_resume(0, &a);
	/* One that is in time leaves nothing behind. */
	machine_run(100, true);
	assert_int_equal(driver.interrupts, 1);
	machine.nmi_is_late = true;
	machine.irqs_off = true;
	machine_run(100, false);
	assert_int_equal(machine.late_nmis, 1);
	driver_suspend();
	machine_nmi();
	assert_int_equal(machine.cpu[0].unclaimed, 0);
	machine_nmi();
	assert_int_equal(machine.cpu[0].unclaimed, 1);
	machine_irqs_on();
	/* The overflow is handled when the state is back. */
	machine.nmi_is_late = false;
	driver_resume(0, &a);
	machine_take_interrupts();
	assert_int_equal(driver.interrupts, 2);
	assert_int_equal(driver.found_nothing, 0);
	driver_suspend();
}

static void what_does_not_come_is_not_waited_for(const struct processor *p)
{
	struct perfctr_cpu_state a;

	/* An entry that is masked tells that it has come. */
	if (perfctr_design->lvt_automask)
		return;
	make_nmi_state(p, &a, USR | OS, -100);
	driver_resume(0, &a);
	machine.nmi_is_late = true;
	machine.irqs_off = true;
	machine_run(100, false);
	driver_suspend();
	machine.ticks += 3;
	machine_nmi();
	assert_int_equal(machine.cpu[0].unclaimed, 1);
	machine_irqs_on();
}

/* The NMI of the second one may come when the first one has found both. */
static void
the_second_nmi_of_two_counters_is_claimed_once(const struct processor *p)
{
	struct perfctr_cpu_state a;

	if (perfctr_design->lvt_automask || p->counters < 2)
		return;
	memset(&a, 0, sizeof(a));
	add_ictr(p, &a, 0, USR | OS, -100);
	add_ictr(p, &a, 1, USR | OS, -100);
	accept(&a);
	a.nmi = PERFCTR_NMI;
	driver_resume(0, &a);
	machine.nmi_is_late = true;
	machine.irqs_off = true;
	machine_run(100, false);
	machine_nmi();
	machine_nmi();
	assert_int_equal(machine.cpu[0].unclaimed, 0);
	machine_nmi();
	assert_int_equal(machine.cpu[0].unclaimed, 1);
	machine_irqs_on();
	driver_suspend();
}

static void lvtpc_is_written_where_states_of_both_kinds_take_turns(
	const struct processor *p)
{
	struct perfctr_cpu_state a, b;
	unsigned int writes;

	make_nmi_state(p, &a, USR | OS, -100000);
	make_istate(p, &b, all_counters(p), USR | OS, -100000);
	driver_resume(0, &a);
	assert_int_equal(machine.cpu[0].lvtpc, APIC_DM_NMI);
	driver_suspend();
	writes = machine.cpu[0].lvtpc_writes;
	driver_resume(0, &a);
	driver_suspend();
	assert_int_equal(machine.cpu[0].lvtpc_writes, writes);
	driver_resume(0, &b);
	assert_int_equal(machine.cpu[0].lvtpc, LOCAL_PERFCTR_VECTOR);
	driver_suspend();
	assert_int_equal(machine.cpu[0].lvtpc_writes, writes + 1);
	/* Who comes later does not find it as it was left. */
	driver_resume(0, &a);
	driver_suspend();
	perfmon_arch_release();
	assert_null(perfmon_arch_acquire(NULL));
	assert_int_equal(machine.cpu[0].lvtpc, LOCAL_PERFCTR_VECTOR);
}

/* While the vector waits the entry of most processors is masked. */
static void
verification_knows_an_entry_that_was_masked(const struct processor *p)
{
	struct perfctr_cpu_state a;
	char text[96];

	make_nmi_state(p, &a, USR | OS, -100);
	driver_resume(0, &a);
	machine.irqs_off = true;
	machine_run(100, false);
	machine.irqs_off = false;
	perfmon_arch_verify(text, sizeof(text));
	assert_string_equal(text, "ok");
	driver_suspend();
}

static void an_overflow_that_is_handled_in_the_next_stretch_is_found_once(
	const struct processor *p)
{
	struct perfctr_cpu_state a, b;

	make_nmi_state(p, &a, USR | OS, -100);
	make_nmi_state(p, &b, USR | OS, -100000);
	driver_resume(0, &a);
	machine.irqs_off = true;
	machine_run(120, false);
	driver_suspend();
	driver_resume(0, &b);
	machine_irqs_on();
	assert_int_equal(driver.found_nothing, 1);
	driver_suspend();
	driver_resume(0, &a);
	machine_take_interrupts();
	assert_int_equal(driver.interrupts, 2);
	assert_int_equal(driver.found_nothing, 1);
	machine_run(99, true);
	machine_nmi();
	assert_int_equal(machine.cpu[0].unclaimed, 1);
	machine_run(1, true);
	assert_int_equal(driver.interrupts, 3);
	driver_suspend();
	assert_int_equal(machine.cpu[0].nmis, 3);
}

/* The program has written the counter before its overflow was handled. */
static void a_counter_with_a_new_value_overflows_anew(const struct processor *p)
{
	struct perfctr_cpu_state a;

	make_nmi_state(p, &a, USR | OS, -100);
	driver_resume(0, &a);
	machine.irqs_off = true;
	machine_run(120, false);
	assert_int_equal(seen.nmis, 1);
	driver_suspend();
	perfctr_cpu_set_start(&a, 0, -50);
	driver.active[0] = &a;
	perfctr_cpu_resume(&a);
	machine_run(60, false);
	if (!perfctr_design->lvt_automask)
		assert_int_equal(seen.nmis, 2);
	assert_int_equal(machine.cpu[0].unclaimed, 0);
	machine_irqs_on();
	driver_suspend();
}

int main(void)
{
	static const struct rule rules[] = {
		RULE_IF(has_interrupts,
			an_nmi_comes_at_once_and_the_vector_later),
		RULE_IF(has_interrupts,
			with_interrupts_on_nothing_has_to_be_kept),
		RULE_IF(has_interrupts, held_states_get_nmis_too),
		RULE_IF(has_interrupts, nmis_of_others_are_not_claimed),
		RULE_IF(has_interrupts,
			an_nmi_after_the_suspend_is_claimed_once),
		RULE_IF(has_interrupts, what_does_not_come_is_not_waited_for),
		RULE_IF(has_interrupts,
			the_second_nmi_of_two_counters_is_claimed_once),
		RULE_IF(has_interrupts,
			lvtpc_is_written_where_states_of_both_kinds_take_turns),
		RULE_IF(has_interrupts,
			verification_knows_an_entry_that_was_masked),
		RULE_IF(has_interrupts,
			an_overflow_that_is_handled_in_the_next_stretch_is_found_once),
		RULE_IF(has_interrupts,
			a_counter_with_a_new_value_overflows_anew),
	};

	return run_rules_of_writes(rules, ARRAY_SIZE(rules), start);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a program finds that may read counters: its own counts, and nothing that
 * tells of others.
 */
#include <asm/perfctr.h>

#include "driver.h"
#include "perfctr_harness.h"

static u64 read_counter(u32 map)
{
	u64 value;

	rdpmcl(map, value);
	return value;
}

/* All counters count another program on this CPU. */
static void let_others_count(const struct processor *p, u64 insns)
{
	struct perfctr_cpu_state others;

	make_state(p, &others, all_counters(p), USR);
	driver_resume(0, &others);
	machine_run(insns, true);
	driver_suspend();
}

/* A state of the first counter only. */
static void make_own(const struct processor *p, struct perfctr_cpu_state *own)
{
	make_state(p, own, 1, USR);
	machine_on(0);
}

static void all_others_are_zero_and_stay_so(const struct processor *p)
{
	struct perfctr_cpu_state all, own;
	unsigned int i;

	if (!perfctr_cpu_isolates)
		return;
	make_state(p, &all, all_counters(p), USR);
	let_others_count(p, 5000);
	make_own(p, &own);
	perfctr_cpu_resume_alone(&own);
	machine_run(1000, true);
	for (i = 1; i < all_counters(p); i++)
		assert_int_equal(read_counter(all.pmc[i].map), 0);
	perfctr_cpu_suspend_noting(&own);
	assert_sums(p, &own, 1000);
}

/* A counter that goes on after others says how much they have counted. */
static void its_own_starts_anew_after_others(const struct processor *p)
{
	struct perfctr_cpu_state own;

	if (!perfctr_cpu_isolates)
		return;
	make_own(p, &own);
	perfctr_cpu_resume_alone(&own);
	machine_run(1000, true);
	perfctr_cpu_suspend_noting(&own);
	let_others_count(p, 5000);
	machine_on(0);
	perfctr_cpu_resume_alone(&own);
	assert_int_equal(read_counter(own.pmc[0].map), 0);
	machine_run(1000, true);
	perfctr_cpu_suspend_noting(&own);
	assert_sums(p, &own, 2000);
}

static void its_own_goes_on_where_nobody_has_counted(const struct processor *p)
{
	struct perfctr_cpu_state own;
	u64 value;

	if (!perfctr_cpu_isolates)
		return;
	make_own(p, &own);
	perfctr_cpu_resume_alone(&own);
	machine_run(1000, true);
	perfctr_cpu_suspend_noting(&own);
	value = read_counter(own.pmc[0].map);
	assert_true(value > 0);
	perfctr_cpu_resume_alone(&own);
	assert_int_equal(read_counter(own.pmc[0].map), value);
	perfctr_cpu_suspend_noting(&own);
}

/*
 * A plain resume finds what others have counted, and notes that. Without a count
 * of its own since, the counter looks as if nobody had been there.
 */
static void
what_a_plain_resume_has_found_is_not_its_own(const struct processor *p)
{
	struct perfctr_cpu_state own;

	if (!perfctr_cpu_isolates)
		return;
	make_own(p, &own);
	let_others_count(p, 5000);
	machine_on(0);
	perfctr_cpu_resume(&own);
	perfctr_cpu_suspend(&own);
	perfctr_cpu_resume_alone(&own);
	assert_int_equal(read_counter(own.pmc[0].map), 0);
	perfctr_cpu_suspend_noting(&own);
	assert_sums(p, &own, 0);
}

/* New control data have no start of their own either. */
static void nor_is_what_was_noted_for_other_controls(const struct processor *p)
{
	struct perfctr_cpu_state own;

	if (!perfctr_cpu_isolates)
		return;
	make_own(p, &own);
	let_others_count(p, 5000);
	machine_on(0);
	own.pmc[0].start = read_counter(own.pmc[0].map);
	own.noted = true;
	accept(&own);
	perfctr_cpu_resume_alone(&own);
	assert_int_equal(read_counter(own.pmc[0].map), 0);
	perfctr_cpu_suspend_noting(&own);
}

int main(void)
{
	static const struct rule rules[] = {
		RULE(all_others_are_zero_and_stay_so),
		RULE(its_own_starts_anew_after_others),
		RULE(its_own_goes_on_where_nobody_has_counted),
		RULE(what_a_plain_resume_has_found_is_not_its_own),
		RULE(nor_is_what_was_noted_for_other_controls),
	};

	return run_rules(rules, ARRAY_SIZE(rules), driver_boot);
}

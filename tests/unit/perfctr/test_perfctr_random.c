// SPDX-License-Identifier: GPL-2.0-only
/*
 * A million random controls for each processor (fewer with sanitizers), which
 * move over three CPUs in random order, with interrupts at any time: the core
 * accepts exactly the good ones, no MSR access faults, the hardware gets what
 * was asked for, no count and no overflow is lost.
 *
 * What a state must have counted is known twice: from the events that the
 * models counted while it was on a CPU, and, where an element counts
 * instructions, from the instructions.
 *
 * PERFCTR_SEED=N in the environment repeats a run that failed.
 */
#include <assert.h>
#include <limits.h>
#include <stdlib.h>

#include "p4_harness.h"
#include "random_control.h"

#ifndef CONTROLS
#define CONTROLS 25000
#endif
#define STATES 6
#define MAX_INSNS (1u << 28) /* keeps any period far below 2^31 events */
#define NOBODY STATES
#define MAX_PROCESSORS 64

/* A state and what it must contain. */
struct subject {
	struct perfctr_cpu_state state;
	u32 levels[PERFCTR_MAX_COUNTERS]; /* or NOT_FORETOLD */
	u64 sum[PERFCTR_MAX_COUNTERS];
	s64 position[PERFCTR_MAX_COUNTERS]; /* i-mode; 0 is the overflow */
	u64 tsc;
	unsigned int cpu; /* NR_CPUS: on none */
	bool loses; /* interrupts, since the resume */
};

/* What a CPU had seen when its state's sums were last brought up to date. */
struct seen {
	u64 events[PMU_MAX_COUNTERS];
	u64 user, insns;
};

static const struct processor *processor;
static struct subject subjects[STATES];
static unsigned int active[NR_CPUS];
static struct seen seen[NR_CPUS];
static unsigned int accepted, overflows;

/* One that may be used. */
static unsigned int some_cpu(void)
{
	unsigned int cpu;

	do
		cpu = below(NR_CPUS);
	while (perfctr_cpus_forbidden_mask.bits >> cpu & 1);
	return cpu;
}

static unsigned int elements(const struct subject *s)
{
	return perfctr_cstatus_nrctrs(s->state.cstatus);
}

static unsigned int first_ictr(const struct subject *s)
{
	return perfctr_cstatus_nractrs(s->state.cstatus);
}

static unsigned int model_counter(const struct subject *s, unsigned int i)
{
	const u32 number = s->state.control.pmc_map[i] &
			   ~processor->rules->map_flags;

	return model_index(processor, counter_index(processor, number));
}

static void look(unsigned int cpu)
{
	const struct machine_cpu *c = &machine.cpu[cpu];

	memcpy(seen[cpu].events, c->events, sizeof(c->events));
	seen[cpu].user = c->pmu.stat[PMU_STAT_USER_INSNS];
	seen[cpu].insns = c->pmu.insns;
}

/* Instructions at these levels since the last look. */
static u64 insns_at(unsigned int cpu, u32 levels)
{
	const struct pmu *pmu = &machine.cpu[cpu].pmu;
	const u64 user = pmu->stat[PMU_STAT_USER_INSNS] - seen[cpu].user;
	const u64 all = pmu->insns - seen[cpu].insns;

	return (levels & USR ? user : 0) + (levels & OS ? all - user : 0);
}

/* Give the CPU's state what the CPU has counted. */
static void account(unsigned int cpu)
{
	const struct machine_cpu *c = &machine.cpu[cpu];
	struct subject *s = &subjects[active[cpu]];
	unsigned int i;

	for (i = 0; i < elements(s); i++) {
		const unsigned int counter = model_counter(s, i);
		const u64 events =
			c->events[counter] - seen[cpu].events[counter];

		if (s->levels[i] != NOT_FORETOLD &&
		    events != insns_at(cpu, s->levels[i]))
			fail_msg("element %u: %llu events", i, events);
		s->sum[i] += events;
		s->position[i] += (s64)events;
	}
	if (s->state.control.tsc_on && s->state.cstatus)
		s->tsc += 2 * insns_at(cpu, USR | OS);
	look(cpu);
}

static void assert_sums_are_right(const struct subject *s)
{
	unsigned int i;

	for (i = 0; i < PERFCTR_MAX_COUNTERS; i++)
		if (s->state.pmc[i].sum != s->sum[i])
			fail_msg("element %u: %llu, not %llu", i,
				 s->state.pmc[i].sum, s->sum[i]);
	if (s->state.tsc_sum != s->tsc)
		fail_msg("TSC: %llu, not %llu", s->state.tsc_sum, s->tsc);
}

static void assert_hardware_has(const struct subject *s)
{
	const struct pmu *pmu = &machine_this_cpu()->pmu;
	const struct perfctr_cpu_control *control = &s->state.control;
	unsigned int i;

	if (processor->rules->has_p4_control)
		p4_assert_programmed(control, elements(s));
	if (processor->rules->choose)
		return;
	for (i = 0; i < elements(s); i++) {
		const u32 number = control->pmc_map[i];
		const u64 selector = (u64)control->evntsel_high[i] << 32 |
				     control->evntsel[i];

		if (number >= FIXED ? (pmu->fixed_ctrl >> 4 * (number - FIXED) &
				       0xf) != selector :
				      pmu->counter[number].select != selector)
			fail_msg("counter %#x lacks %#llx", number, selector);
	}
}

/* I-mode elements that are due to be identified. */
static u32 due(const struct subject *s)
{
	u32 mask = 0;
	unsigned int i;

	for (i = first_ictr(s); i < elements(s); i++)
		mask |= (u32)(s->position[i] >= 0) << i;
	return mask;
}

static void identify(struct subject *s)
{
	const u32 expected = due(s);
	const u32 mask = perfctr_cpu_identify_overflow(&s->state);
	unsigned int i;

	if (mask != expected)
		fail_msg("overflow of %#x, not %#x", mask, expected);
	for (i = 0; i < PERFCTR_MAX_COUNTERS; i++)
		if (mask >> i & 1)
			s->position[i] = s->state.control.ireset[i];
	overflows += mask != 0;
}

/* The next state on the CPU loses no interrupts for this one. */
static void leave(unsigned int cpu)
{
	subjects[active[cpu]].cpu = NR_CPUS;
	active[cpu] = NOBODY;
	machine.cpu[cpu].pmu.fault.lose = 0;
}

/* What counts at user level only may be left counting, and its TSC is. */
static void handle_held(unsigned int cpu, struct subject *s)
{
	perfctr_cpu_hold(&s->state);
	assert_sums_are_right(s);
	identify(s);
	machine_run(below(3), false);
	if (s->state.user_only)
		account(cpu);
	else
		look(cpu);
	if (one_in(4)) {
		leave(cpu);
		perfctr_cpu_drop(&s->state);
		assert_sums_are_right(s);
	} else {
		perfctr_cpu_go_on(&s->state);
	}
}

static void handle_overflow(unsigned long pc)
{
	const unsigned int cpu = machine.current_cpu;
	struct subject *s = &subjects[active[cpu]];

	(void)pc;
	if (active[cpu] == NOBODY ||
	    !perfctr_cstatus_has_ictrs(s->state.cstatus))
		return;
	machine_run(below(3), false);
	account(cpu);
	if (one_in(2)) {
		handle_held(cpu, s);
		return;
	}
	perfctr_cpu_suspend(&s->state);
	assert_sums_are_right(s);
	identify(s);
	if (one_in(5))
		perfctr_cpu_ireload(&s->state);
	perfctr_cpu_resume(&s->state);
}

static void suspend(unsigned int cpu)
{
	struct subject *s = &subjects[active[cpu]];

	machine_on(cpu);
	account(cpu);
	leave(cpu);
	perfctr_cpu_suspend(&s->state);
	assert_sums_are_right(s);
}

static void resume(unsigned int cpu, struct subject *s)
{
	if (s->cpu != NR_CPUS)
		suspend(s->cpu);
	machine_on(cpu);
	if (active[cpu] != NOBODY)
		suspend(cpu);
	if (one_in(20))
		perfctr_cpu_ireload(&s->state);
	look(cpu);
	active[cpu] = s - subjects;
	s->cpu = cpu;
	perfctr_cpu_resume(&s->state);
	assert_cache_is_right(processor, cpu);
	if (active[cpu] == NOBODY) /* dropped by the handler at once */
		return;
	assert_hardware_has(s);
	s->loses = one_in(50);
	if (s->loses)
		machine_this_cpu()->pmu.fault.lose = 1 + below(2);
}

/* Far, but never so far that a short period interrupts for ever. */
static u32 distance(const struct subject *s)
{
	u32 limit = one_in(100) ? MAX_INSNS : 1000;
	unsigned int i;

	for (i = first_ictr(s); i < elements(s); i++) {
		const u64 some = -(s64)s->state.control.ireset[i] * 8ull;

		if (some < limit)
			limit = some;
	}
	return below(limit + 1);
}

/* Let a CPU run with what it has, or nothing. */
static void run(unsigned int cpu)
{
	struct subject *s = &subjects[active[cpu]];
	const bool idle = active[cpu] == NOBODY;
	const u32 insns = idle ? below(1000) : distance(s);

	machine_on(cpu);
	if (one_in(4)) { /* and off until somebody else is here, perhaps */
		machine.irqs_off = true;
		machine_run(insns % 1024, false);
		if (one_in(2) && !idle)
			resume(cpu, &subjects[below(STATES)]);
		machine_irqs_on();
	} else {
		machine_run(insns, one_in(2));
	}
	if (active[cpu] == NOBODY)
		return;
	s = &subjects[active[cpu]];
	account(cpu);
	if (due(s) && !s->loses)
		fail_msg("overflow of %#x missed", due(s));
	if (one_in(3)) {
		perfctr_cpu_sample(&s->state);
		assert_sums_are_right(s);
	}
}

static void update(struct subject *s)
{
	const struct perfctr_cpu_control *control = &s->state.control;
	const bool is_global = one_in(2);
	unsigned int i;
	bool good;

	if (s->cpu != NR_CPUS)
		suspend(s->cpu);
	random_control(processor, &s->state.control, s->levels);
	good = control_is_good(processor, control, is_global);
	if (perfctr_cpu_update_control(&s->state, is_global) !=
	    (good ? 0 : -EINVAL))
		fail_msg("a %s control is judged wrong", good ? "good" : "bad");
	accepted += good;
	assert_int_equal(s->state.cstatus,
			 good ? perfctr_mk_cstatus(control->tsc_on,
						   control->nractrs,
						   control->nrictrs) :
				0);
	for (i = first_ictr(s); i < elements(s); i++)
		s->position[i] = control->ireset[i];
}

static void
random_controls_fault_never_and_count_exactly(const struct processor *p)
{
	unsigned int i;

	processor = p;
	for (i = 0; i < NR_CPUS; i++) {
		active[i] = NOBODY;
		/* Guests run, so selectors are programmed as they are. */
		machine.cpu[i].side[SIDE_EFER] = EFER_SVME;
	}
	for (i = 0; i < STATES; i++)
		subjects[i].cpu = NR_CPUS;
	perfctr_cpu_set_ihandler(handle_overflow);
	for (i = 0; i < CONTROLS; i++) {
		struct subject *s = &subjects[below(STATES)];

		update(s);
		resume(some_cpu(), s);
		run(machine.current_cpu);
		if (one_in(2))
			run(some_cpu());
		if (one_in(2))
			resume(some_cpu(), &subjects[below(STATES)]);
		if (one_in(2))
			run(some_cpu());
	}
	assert_int_equal(machine_stat(PMU_STAT_GP), 0);
	/* The test is worth something only if it sees a lot of all. */
	assert_in_range(accepted, CONTROLS / 2, CONTROLS / 16 * 15);
	if (has_interrupts(p))
		assert_true(overflows > CONTROLS / 20);
}

static void start(const struct processor *p)
{
	boot_and_reserve(p);
}

/* The rows of all tables. */
static struct processor all_processors[MAX_PROCESSORS];
static unsigned int nr_all_processors;

static void add_table(const struct processor *table, unsigned int nr)
{
	assert(nr_all_processors + nr <= MAX_PROCESSORS);
	memcpy(all_processors + nr_all_processors, table, nr * sizeof(*table));
	nr_all_processors += nr;
}

/* Rows that differ in nothing that matters here need no second million. */
static bool is_first_of_its_kind(const struct processor *p)
{
	const struct processor *other;

	for (other = all_processors; other < p; other++)
		if (!strcmp(other->pmu, p->pmu) && other->rules == p->rules &&
		    other->counters == p->counters &&
		    other->fixed == p->fixed &&
		    other->high_bits == p->high_bits &&
		    has_interrupts(other) == has_interrupts(p))
			return false;
	return true;
}

int main(void)
{
	static const struct rule rules[] = {
		RULE_IF(is_first_of_its_kind,
			random_controls_fault_never_and_count_exactly),
	};
	const char *seed = getenv("PERFCTR_SEED");

	random_seed = seed ? strtoul(seed, NULL, 0) : 20040711;
	printf("# PERFCTR_SEED=%u\n", random_seed);

	add_table(processors, nr_processors);
	add_table(old_processors, nr_old_processors);
	add_table(p4_processors, nr_p4_processors);

	return run_rules_at_once(all_processors, nr_all_processors, rules,
				 ARRAY_SIZE(rules), start);
}

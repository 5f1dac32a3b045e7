// SPDX-License-Identifier: GPL-2.0-only
/*
 * A hundred thousand random controls for each processor: the core accepts
 * exactly those that obey the rules, no accepted one makes an MSR access
 * fault, the hardware gets what was asked for, and all sums are exact.
 */
#include "perfctr_test.h"

#define CONTROLS 100000
#define STATES 6
#define MAX_INSNS (1u << 30) /* keeps any event below 2^32 in one period */

static u32 seed = 20040711;

static u32 below(u32 limit)
{
	return next_random(&seed) % limit;
}

static bool one_in(u32 n)
{
	return below(n) == 0;
}

/* Distinct counters in random order, with selectors that obey the rules. */
static void random_control(const struct processor *p,
			   struct perfctr_cpu_control *control)
{
	unsigned int order[PMU_MAX_COUNTERS], i, j, n = all_counters(p);

	memset(control, 0, sizeof(*control));
	for (i = 0; i < n; i++) {
		j = below(i + 1);
		order[i] = order[j];
		order[j] = i;
	}
	control->tsc_on = below(2);
	control->nractrs = below(n + 1);
	for (i = 0; i < control->nractrs; i++) {
		u32 selector = next_random(&seed) & ~(PIN | INT | ANY | EN);

		if (one_in(2)) /* count what can be foretold */
			selector = EVENT_INSNS | (selector & (USR | OS));
		else
			control->evntsel_high[i] = next_random(&seed) &
						   p->high_bits;
		control->pmc_map[i] = counter_number(p, order[i]);
		if (order[i] >= p->counters)
			control->evntsel[i] = selector >> 16 & 3;
		else
			control->evntsel[i] =
				selector |
				(p->shared_enable && order[i] ? 0 : EN);
	}
}

/* Break a rule, perhaps. */
static void spoil(const struct processor *p,
		  struct perfctr_cpu_control *control)
{
	const unsigned int i = below(control->nractrs + 1);

	switch (below(9)) {
	case 0:
		control->pmc_map[i] = below(20);
		break;
	case 1:
		control->pmc_map[i] ^= 1u << below(32);
		break;
	case 2:
		control->pmc_map[i] = FIXED + below(5);
		break;
	case 3:
		control->evntsel[i] ^= 1u << below(32);
		break;
	case 4:
		control->evntsel[i] = next_random(&seed);
		break;
	case 5:
		control->evntsel_high[i] ^= 1u << below(32);
		break;
	case 6:
		control->nractrs = below(20);
		break;
	case 7:
		control->nrictrs = below(2);
		break;
	case 8:
		control->pmc_map[i] = control->pmc_map[below(all_counters(p))];
		break;
	}
}

static bool element_is_valid(const struct processor *p,
			     const struct perfctr_cpu_control *control,
			     unsigned int i)
{
	const u32 number = control->pmc_map[i], selector = control->evntsel[i];
	const bool enabled = selector & EN;
	unsigned int j;

	for (j = 0; j < i; j++)
		if (control->pmc_map[j] == number)
			return false;
	if (number >= FIXED)
		return number - FIXED < p->fixed && selector < 4 &&
		       !control->evntsel_high[i];
	return number < p->counters && !(selector & (PIN | INT | ANY)) &&
	       enabled == (!p->shared_enable || !number) &&
	       !(control->evntsel_high[i] & ~p->high_bits);
}

static bool is_valid(const struct processor *p,
		     const struct perfctr_cpu_control *control)
{
	bool has_first = false;
	unsigned int i;

	if (control->nrictrs || control->nractrs > 18)
		return false;
	for (i = 0; i < control->nractrs; i++) {
		if (!element_is_valid(p, control, i))
			return false;
		has_first |= control->pmc_map[i] == 0;
	}
	return !p->shared_enable || !control->nractrs || has_first;
}

/* True if accepted. */
static bool update(const struct processor *p, struct perfctr_cpu_state *state)
{
	const int expected = is_valid(p, &state->control) ? 0 : -EINVAL;

	assert_int_equal(perfctr_cpu_update_control(state, below(2)), expected);
	assert_int_equal(state->cstatus,
			 expected ?
				 0 :
				 perfctr_mk_cstatus(state->control.tsc_on,
						    state->control.nractrs, 0));
	return !expected;
}

static void assert_hardware_has(const struct processor *p,
				const struct perfctr_cpu_state *state)
{
	const struct pmu *pmu = &machine_this_cpu()->pmu;
	const struct perfctr_cpu_control *control = &state->control;
	unsigned int i;

	for (i = 0; i < perfctr_cstatus_nrctrs(state->cstatus); i++) {
		const u32 number = control->pmc_map[i];

		if (number >= FIXED)
			assert_int_equal(
				pmu->fixed_ctrl >> 4 * (number - FIXED) & 0xf,
				control->evntsel[i]);
		else
			assert_int_equal(pmu->counter[number].select,
					 (u64)control->evntsel_high[i] << 32 |
						 control->evntsel[i]);
	}
	assert_cache_is_right(p, machine.current_cpu);
}

/* What element i counts while so many instructions retire, if it is known. */
static bool foretell(const struct perfctr_cpu_control *control, unsigned int i,
		     u32 user, u32 kernel, u64 *events)
{
	const u32 selector = control->evntsel[i];

	if (control->pmc_map[i] == FIXED) {
		*events = (selector & FIXED_USR ? user : 0) +
			  (selector & FIXED_OS ? kernel : 0);
		return true;
	}
	if ((selector & ~(USR | OS | EN)) != EVENT_INSNS ||
	    control->evntsel_high[i] || control->pmc_map[i] >= FIXED)
		return false;
	*events = (selector & USR ? user : 0) + (selector & OS ? kernel : 0);
	return true;
}

/* One period on a random CPU. */
static void count(const struct processor *p, struct perfctr_cpu_state *state,
		  u64 *sums)
{
	const unsigned int n = perfctr_cstatus_nrctrs(state->cstatus);
	const u32 user = below(one_in(100) ? MAX_INSNS : 1000);
	const u32 kernel = below(1000);
	u64 start[PERFCTR_MAX_COUNTERS], events, foretold;
	const struct pmu_counter *counter;
	unsigned int i;

	resume_on(below(NR_CPUS), state);
	assert_hardware_has(p, state);
	counter = machine_this_cpu()->pmu.counter;
	for (i = 0; i < n; i++)
		start[i] = counter[counter_index(p, state->pmc[i].map)].value;
	machine_run(user, true);
	if (one_in(3))
		perfctr_cpu_sample(state);
	machine_run(kernel, false);
	perfctr_cpu_suspend(state);
	for (i = 0; i < n; i++) {
		events = counter[counter_index(p, state->pmc[i].map)].value -
			 start[i];
		events &= (1ull << p->width) - 1;
		if (foretell(&state->control, i, user, kernel, &foretold))
			assert_int_equal(events, foretold);
		sums[i] += events;
	}
	for (i = 0; i < PERFCTR_MAX_COUNTERS; i++)
		assert_int_equal(state->pmc[i].sum, sums[i]);
}

static void
random_controls_fault_never_and_count_exactly(const struct processor *p)
{
	static struct perfctr_cpu_state states[STATES];
	static u64 sums[STATES][PERFCTR_MAX_COUNTERS];
	unsigned int accepted = 0, i, s;

	for (i = 0; i < CONTROLS; i++) {
		s = below(STATES);
		random_control(p, &states[s].control);
		if (one_in(3))
			spoil(p, &states[s].control);
		accepted += update(p, &states[s]);
		count(p, &states[s], sums[s]);
		/* The same control again, perhaps on another CPU. */
		if (one_in(2))
			count(p, &states[s], sums[s]);
		/* And one that has been away. */
		if (one_in(2)) {
			s = below(STATES);
			count(p, &states[s], sums[s]);
		}
	}
	assert_int_equal(machine_stat(PMU_STAT_GP), 0);
	/* The test is worth something only if it sees a lot of both. */
	assert_in_range(accepted, CONTROLS / 4,
			CONTROLS / 4 * 3 + CONTROLS / 8);
}

int main(void)
{
	static const struct rule rules[] = {
		RULE(random_controls_fault_never_and_count_exactly),
	};

	return run_rules(rules, ARRAY_SIZE(rules), boot_and_reserve);
}

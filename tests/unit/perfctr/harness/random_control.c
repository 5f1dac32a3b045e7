// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random controls: most obey the rules of the processor, a part has one of them
 * broken, perhaps.
 */
#include <limits.h>

#include "random_control.h"

#define ELEMENTS PERFCTR_MAX_COUNTERS

u32 random_seed;

u32 below(u32 limit)
{
	return next_random(&random_seed) % limit;
}

/* The numbers 0 to n - 1 in random order. */
static void shuffle(unsigned int *order, unsigned int n)
{
	unsigned int i, j;

	for (i = 0; i < n; i++) {
		j = below(i + 1);
		order[i] = order[j];
		order[j] = i;
	}
}

static int random_ireset(void)
{
	switch (below(6)) {
	case 0:
		return -1;
	case 1:
		return -1 - (int)below(10);
	case 2:
		return INT_MIN + (int)below(3);
	case 3:
		return -1 - (int)below(1u << 31);
	default:
		return -1 - (int)below(2000);
	}
}

static u32 random_levels(void)
{
	return below(4) * USR;
}

/* Levels that the processor cannot tell from each other are all of them. */
static u32 real_levels(const struct processor *p, u32 levels)
{
	return p->rules->usr ? levels : USR | OS;
}

static void random_fixed(const struct processor *p,
			 struct perfctr_cpu_control *control, unsigned int i,
			 bool imode)
{
	control->evntsel[i] = (below(8) & fixed_bits(p)) |
			      (imode ? FIXED_INT : 0);
}

static void random_selector(const struct processor *p,
			    struct perfctr_cpu_control *control, unsigned int i,
			    unsigned int counter, bool imode)
{
	const struct design_rules *rules = p->rules;
	u32 selector = next_random(&random_seed) &
		       ~(rules->reserved | rules->interrupt | rules->enable);

	if (rules->one_of && !(selector & rules->one_of))
		selector |= rules->one_of;
	if (!p->shared_enable || !counter)
		selector |= rules->enable;
	if (imode)
		selector |= rules->interrupt;
	control->evntsel[i] = selector;
	control->evntsel_high[i] = next_random(&random_seed) & p->high_bits;
}

/* Returns where the element counts instructions. */
static u32 random_element(const struct processor *p,
			  struct perfctr_cpu_control *control, unsigned int i,
			  unsigned int counter)
{
	const struct design_rules *rules = p->rules;
	const bool imode = i >= control->nractrs;
	u32 levels = random_levels();

	control->pmc_map[i] = counter_number(p, counter);
	if (imode)
		control->ireset[i] = random_ireset();
	if (rules->one_of && !levels)
		levels = USR;
	if (rules->choose && counter < p->counters) {
		if (one_in(2) && rules->choose(control, i, levels, NULL))
			return real_levels(p, levels);
		rules->choose(control, i, 0, &random_seed);
		return NOT_FORETOLD;
	}
	if (counter > p->counters || one_in(2)) {
		if (counter >= p->counters)
			random_fixed(p, control, i, imode);
		else
			random_selector(p, control, i, counter, imode);
		return NOT_FORETOLD;
	}
	control->evntsel[i] = selector_for(p, counter, EVENT_INSNS, levels) |
			      (imode ? interrupt_bit(p, counter) : 0);
	return counter < p->counters ? real_levels(p, levels) : levels;
}

static void good_control(const struct processor *p,
			 struct perfctr_cpu_control *control, u32 *levels)
{
	unsigned int order[PMU_MAX_COUNTERS], i, n = all_counters(p);

	memset(control, 0, sizeof(*control));
	shuffle(order, n);
	control->tsc_on = p->no_tsc ? 0 : below(2);
	n = below(n + 1);
	/* Nothing counts on such a processor without its first counter. */
	for (i = 0; p->shared_enable && n && i < all_counters(p); i++) {
		if (!order[i] && i >= n) {
			order[i] = order[n - 1];
			order[n - 1] = 0;
		}
	}
	control->nrictrs = has_interrupts(p) && one_in(2) ? below(n + 1) : 0;
	control->nractrs = n - control->nrictrs;
	for (i = 0; i < n; i++)
		levels[i] = random_element(p, control, i, order[i]);
}

static void spoil_number(const struct processor *p,
			 struct perfctr_cpu_control *control)
{
	switch (below(6)) {
	case 0:
		control->nractrs = below(20);
		break;
	case 1:
		control->nrictrs = below(20);
		break;
	case 2:
		control->nractrs = next_random(&random_seed);
		control->nrictrs = 0u - control->nractrs + below(4);
		break;
	case 3:
		control->tsc_on = next_random(&random_seed);
		break;
	case 4:
		(&control->_reserved1)[below(4)] = 1u << below(32);
		break;
	default:
		control->nractrs += control->nrictrs;
		control->nrictrs = all_counters(p) / 2;
		break;
	}
}

static void spoil_element(const struct processor *p,
			  struct perfctr_cpu_control *control, unsigned int i)
{
	switch (below(10)) {
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
		control->pmc_map[i] = control->pmc_map[below(ELEMENTS)];
		break;
	case 4:
		control->evntsel[i] = next_random(&random_seed);
		break;
	case 5:
		control->evntsel_high[i] ^= 1u << below(32);
		break;
	case 6:
		control->ireset[i] = (int)below(3) - 1;
		break;
	case 7:
		if (one_in(2) && all_counters(p))
			control->p4.escr[i] ^= 1u << below(32);
		else if (one_in(2))
			control->p4.pebs_enable ^= 1u << below(32);
		else
			control->p4.pebs_matrix_vert ^= 1u << below(3);
		break;
	default:
		control->evntsel[i] ^= 1u << below(32);
		break;
	}
}

void random_control(const struct processor *p,
		    struct perfctr_cpu_control *control, u32 *levels)
{
	unsigned int i, n;

	good_control(p, control, levels);
	if (!one_in(3))
		return;
	n = control->nractrs + control->nrictrs;
	if (!n || one_in(4))
		spoil_number(p, control);
	else
		spoil_element(p, control, below(n));
	for (i = 0; i < ELEMENTS; i++)
		levels[i] = NOT_FORETOLD;
}

static bool map_is_good(const struct processor *p,
			const struct perfctr_cpu_control *control,
			unsigned int n)
{
	const u32 flags = p->rules->map_flags;
	unsigned int i, j;

	for (i = 0; i < n; i++) {
		const u32 number = control->pmc_map[i] & ~flags;

		if (number < FIXED ?
			    number < p->first_counter ||
				    number - p->first_counter >= p->counters :
			    number - FIXED >= p->fixed)
			return false;
		for (j = 0; j < i; j++)
			if ((control->pmc_map[j] & ~flags) == number)
				return false;
	}
	return true;
}

static bool selector_is_good(const struct processor *p,
			     const struct perfctr_cpu_control *control,
			     unsigned int i)
{
	const struct design_rules *rules = p->rules;
	const u32 number = control->pmc_map[i] & ~rules->map_flags;
	const u32 selector = control->evntsel[i];
	const bool imode = i >= control->nractrs;

	if (number >= FIXED)
		return !control->evntsel_high[i] &&
		       !(selector & ~(fixed_bits(p) | FIXED_INT)) &&
		       !(selector & FIXED_INT) == !imode;
	if (control->evntsel_high[i] & ~p->high_bits)
		return false;
	if (rules->obeyed)
		return true;
	if ((selector & rules->reserved) ||
	    (rules->one_of && !(selector & rules->one_of)))
		return false;
	if (rules->interrupt && !(selector & rules->interrupt) == imode)
		return false;
	if (p->shared_enable && number)
		return !(selector & rules->enable);
	return (selector & rules->enable) == rules->enable;
}

static bool elements_are_good(const struct processor *p,
			      const struct perfctr_cpu_control *control,
			      unsigned int n)
{
	bool has_first = false;
	unsigned int i;

	for (i = 0; i < n; i++) {
		if (!selector_is_good(p, control, i))
			return false;
		if (i >= control->nractrs && control->ireset[i] >= 0)
			return false;
		has_first |= control->pmc_map[i] == 0;
	}
	return !p->shared_enable || !n || has_first;
}

static bool p4_is_zero(const struct perfctr_cpu_control *control)
{
	static const struct perfctr_cpu_control zero;

	return !memcmp(&control->p4, &zero.p4, sizeof(zero.p4));
}

bool control_is_good(const struct processor *p,
		     const struct perfctr_cpu_control *control, bool is_global)
{
	const u64 n = (u64)control->nractrs + control->nrictrs;

	if (n > ELEMENTS || (control->tsc_on && p->no_tsc) ||
	    control->_reserved1 || control->_reserved2 || control->_reserved3 ||
	    control->_reserved4)
		return false;
	if (!p->rules->has_p4_control && !p4_is_zero(control))
		return false;
	if (control->nrictrs && !has_interrupts(p))
		return false;
	return map_is_good(p, control, n) && elements_are_good(p, control, n) &&
	       (!p->rules->obeyed || p->rules->obeyed(control, is_global));
}

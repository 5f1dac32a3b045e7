// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random control data for the Pentium 4 and an opinion on what is good: the
 * choose() and obeyed() of its struct design_rules; and a look at where the
 * data must end up.
 */
#include "p4_harness.h"

#define CASCADES (EXTENDED | CASCADE)
#define CCCR_BITS 0x47ff7000u /* apart from bit 11 and the mode's */
#define ESCR_BITS 0x7ffffffcu /* apart from the other thread's levels */
#define UOP_TAG (1u << 24)
#define REPLAY_TAGS 0x607u

static unsigned int counter_of(const struct perfctr_cpu_control *control,
			       unsigned int i)
{
	return control->pmc_map[i] & ~FAST;
}

static u32 escr_of(const struct perfctr_cpu_control *control, unsigned int i)
{
	return p4_escr(machine.processor, counter_of(control, i),
		       control->evntsel[i] >> 13 & 7);
}

/* Does an element before this one want another value in its ESCR? */
static bool conflicts(const struct perfctr_cpu_control *control, unsigned int i)
{
	unsigned int j;

	for (j = 0; j < i; j++)
		if (escr_of(control, j) == escr_of(control, i) &&
		    control->p4.escr[j] != control->p4.escr[i])
			return true;
	return false;
}

static void share(struct perfctr_cpu_control *control, unsigned int i)
{
	unsigned int j;

	for (j = 0; j < i; j++)
		if (escr_of(control, j) == escr_of(control, i))
			control->p4.escr[i] = control->p4.escr[j];
}

static bool has_extended(unsigned int counter)
{
	return machine.processor->model >= 2 &&
	       (counter == 12 || (counter >= 15 && counter <= 17));
}

static void random_pebs(struct perfctr_cpu_control *control, u32 *seed)
{
	if (next_random(seed) % 8)
		return;
	control->p4.pebs_enable = UOP_TAG | 1 |
				  (next_random(seed) & REPLAY_TAGS);
	control->p4.pebs_matrix_vert = 1 + next_random(seed) % 3;
}

static void random_cccr(struct perfctr_cpu_control *control, unsigned int i,
			u32 *seed)
{
	const bool imode = i >= control->nractrs;
	u32 cccr;

	do {
		cccr = next_random(seed) & (CCCR_BITS | EXTENDED) & ~PMI_T0;
		/* A cascade alone counts too seldom to be all there is. */
		if (next_random(seed) % 4)
			cccr |= ENABLE;
		if (!has_extended(counter_of(control, i)))
			cccr &= ~EXTENDED;
		if (!machine.processor->threads)
			cccr |= THREADS;
		control->evntsel[i] = cccr | (imode ? PMI_T0 : 0);
	} while (!(cccr & (ENABLE | CASCADES)) || !escr_of(control, i));
	if (imode && (cccr & FORCE_OVF))
		control->ireset[i] = -1;
}

bool p4_choose(struct perfctr_cpu_control *control, unsigned int i, u32 levels,
	       u32 *seed)
{
	struct perfctr_cpu_state known = { 0 };

	if (seed) {
		control->pmc_map[i] |= next_random(seed) & FAST;
		random_cccr(control, i, seed);
		control->p4.escr[i] = next_random(seed) & ESCR_BITS;
		share(control, i);
		if (!i)
			random_pebs(control, seed);
		return false;
	}
	p4_add(&known, counter_of(control, i),
	       (levels & USR ? T0_USR : 0) | (levels & OS ? T0_OS : 0),
	       control->ireset[i]);
	control->evntsel[i] = known.control.evntsel[0];
	control->p4.escr[i] = known.control.p4.escr[0];
	return !conflicts(control, i);
}

static bool cccr_is_good(const struct perfctr_cpu_control *control,
			 unsigned int i)
{
	const u32 cccr = control->evntsel[i];
	const bool imode = i >= control->nractrs;

	if (cccr & machine.processor->rules->reserved & ~EXTENDED)
		return false;
	if ((cccr & EXTENDED) && !has_extended(counter_of(control, i)))
		return false;
	if (!machine.processor->threads && (cccr & THREADS) != THREADS)
		return false;
	if (!(cccr & (ENABLE | CASCADES)) || !(cccr & PMI_T0) == imode)
		return false;
	return !imode || !(cccr & FORCE_OVF) || control->ireset[i] == -1;
}

static bool pebs_is_good(const struct perfctr_cpu_control *control)
{
	const u32 enable = control->p4.pebs_enable;
	const u32 matrix = control->p4.pebs_matrix_vert;

	if (!enable)
		return !matrix;
	return !(enable & ~(UOP_TAG | REPLAY_TAGS)) && (enable & UOP_TAG) &&
	       (enable & REPLAY_TAGS) && matrix >= 1 && matrix <= 3;
}

bool p4_obeyed(const struct perfctr_cpu_control *control, bool is_global)
{
	const bool other_thread = machine.processor->threads && is_global;
	unsigned int i;

	for (i = 0; i < control->nractrs + control->nrictrs; i++) {
		const u32 escr = control->p4.escr[i];

		if (!cccr_is_good(control, i) || escr >> 31 ||
		    ((escr & T1_LEVELS) && !other_thread) ||
		    !escr_of(control, i) || conflicts(control, i))
			return false;
	}
	return pebs_is_good(control);
}

void p4_assert_programmed(const struct perfctr_cpu_control *control,
			  unsigned int n)
{
	unsigned int i;

	if (!n) /* nothing to program */
		return;
	for (i = 0; i < n; i++) {
		const u32 cccr = CCCR0 + counter_of(control, i);

		assert_int_equal(p4_register(cccr) & ~(u64)OVF,
				 control->evntsel[i]);
		assert_int_equal(p4_register(escr_of(control, i)),
				 control->p4.escr[i]);
	}
	assert_int_equal(p4_register(PEBS_ENABLE), control->p4.pebs_enable);
	assert_int_equal(p4_register(MATRIX_VERT),
			 control->p4.pebs_matrix_vert);
}

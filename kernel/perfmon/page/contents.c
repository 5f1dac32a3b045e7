// SPDX-License-Identifier: GPL-2.0-only
/*
 * The contents of a state page: the counts of the session as of its last change, and the
 * numbers of its counters while its thread runs.
 *
 * Called where the session changes, on the target (target.c), so there is one writer at a
 * time.  The thread itself never sees a half-written page, since it does not run
 * meanwhile; other readers see PFM_STATE_WRITING.
 */
#include <linux/compiler.h>
#include <linux/string.h>

#include <asm/barrier.h>

#include "../pmd.h"
#include "../session.h"
#include "../target.h"
#include "page.h"
#include "right.h"

#define SEQ_STEP 4

static_assert(PFM_STATE_COUNTERS >= PERFCTR_MAX_COUNTERS);
static_assert(sizeof(struct pfm_state) <= PAGE_SIZE);

/* Return: the argument for page_write_end(). */
static __always_inline u32 page_write_begin(struct pfm_state *state)
{
	u32 seq = (state->seq | (SEQ_STEP - 1)) + 1;

	WRITE_ONCE(state->seq, seq + PFM_STATE_WRITING);
	smp_wmb(); /* Pairs with pfm_state_read() of programs. */
	return seq;
}

static __always_inline void page_write_end(struct pfm_state *state, u32 seq,
					   u32 why)
{
	state->why = why;
	smp_wmb(); /* Pairs with pfm_state_read() of programs. */
	WRITE_ONCE(state->seq, why ? seq : seq + PFM_STATE_USABLE);
}

static unsigned int page_counters(const struct perfmon_set *set)
{
	return perfmon_arch_elements(&set->arch);
}

/* Show which element is which PMD of the set. */
static void page_show_layout(struct perfmon_page *page, struct perfmon_set *set)
{
	struct pfm_state *state = page->state;
	unsigned int i, pos, n = page_counters(set);
	unsigned long left = *set->used_pmds;

	/*
	 * page_show_switch() copies raw sums; PMDs without 64-bit emulation show other
	 * values.
	 */
	page->shown = set->some_no64 ? NULL : set;
	page->shown_builds = set->builds;
	memset(state->pmd, 0, sizeof(state->pmd));
	memset(state->counter, 0, sizeof(state->counter));
	state->active_set = set->id;
	state->nr_counters = n;
	state->tsc_pmd = PFM_STATE_NO_PMD;
	for (i = 0; i < n; i++) {
		state->counter[i].map = set->arch.state.pmc[i].map;
		state->pmd[i] = PFM_STATE_NO_PMD;
	}
	while (perfmon_next_pmd(&left, &pos)) {
		unsigned int element = set->arch.element[pos];

		if (element == PERFMON_TSC_ELEMENT)
			state->tsc_pmd = perfmon_pmu.pmds[pos].num;
		else if (element < n)
			state->pmd[element] = perfmon_pmu.pmds[pos].num;
	}
}

/* Show PMDs without 64-bit emulation: their values differ from the counters' sums. */
static void page_show_narrow(struct pfm_state *state, struct perfmon_set *set)
{
	unsigned long left = *set->used_pmds;
	unsigned int pos;
	u64 value;

	while (perfmon_next_pmd(&left, &pos)) {
		unsigned int element = set->arch.element[pos];

		if (element >= state->nr_counters)
			continue;
		value = perfmon_pmd_value(set, pos);
		state->counter[element].sum = perfmon_pmd_shown(set, pos, value);
	}
}

static void page_show_values(struct pfm_state *state, struct perfmon_set *set)
{
	unsigned int i, n = state->nr_counters;

	for (i = 0; i < n; i++) {
		state->counter[i].start = set->arch.state.pmc[i].start;
		state->counter[i].sum = set->arch.state.pmc[i].sum;
	}
	if (set->arch.also) {
		state->tsc_start = set->arch.tsc_start;
		state->tsc_sum = set->arch.tsc_sum;
	}
	if (unlikely(set->some_no64))
		page_show_narrow(state, set);
}

static noinline void page_show_all(struct perfmon_page *page,
				   struct perfmon_set *set, u32 why)
{
	u32 seq = page_write_begin(page->state);

	page_show_layout(page, set);
	page_show_values(page->state, set);
	page_write_end(page->state, seq, why);
}

static __always_inline bool page_shows(const struct perfmon_page *page,
				       const struct perfmon_set *set)
{
	return page->shown == set && page->shown_builds == set->builds;
}

/* The switch to the thread changes the starts only, the switch from it only the sums. */
static __always_inline void page_show_switch(struct perfmon_page *page,
					     struct perfmon_set *set, u32 why,
					     bool in)
{
	struct pfm_state *state = page->state;
	unsigned int i, n;
	u32 seq;

	if (unlikely(!page_shows(page, set))) {
		page_show_all(page, set, why);
		return;
	}
	seq = page_write_begin(state);
	n = state->nr_counters;
	for (i = 0; i < n; i++)
		if (in)
			state->counter[i].start = set->arch.state.pmc[i].start;
		else
			state->counter[i].sum = set->arch.state.pmc[i].sum;
	if (unlikely(set->arch.also)) {
		state->tsc_start = set->arch.tsc_start;
		state->tsc_sum = set->arch.tsc_sum;
	}
	page_write_end(state, seq, why);
}

/**
 * perfmon_page_start - put the counting set on the hardware and show it
 * @s: session with a page
 */
void perfmon_page_start(struct perfmon_session *s)
{
	struct perfmon_page *page = s->page;
	struct perfmon_set *set = s->counting;
	u32 why = perfmon_page_ask(s, page);

	if (why) {
		perfmon_host_refused_read(s);
		perfmon_arch_resume_unnoted(&set->arch);
	} else {
		perfmon_page_give(page, set);
	}
	page_show_switch(page, set, why, true);
}

/**
 * perfmon_page_stop - take the counting set off the hardware and show it
 * @s: session with a page
 */
void perfmon_page_stop(struct perfmon_session *s)
{
	struct perfmon_page *page = s->page;
	struct perfmon_set *set = s->counting;

	if (unlikely(!page->reads)) {
		perfmon_arch_suspend(&set->arch);
	} else {
		if (page->isolated)
			perfmon_arch_suspend_noting(&set->arch);
		else
			perfmon_arch_suspend(&set->arch);
		perfmon_page_take(page);
	}
	page_show_switch(page, set, PFM_STATE_WHY_STOPPED, false);
}

/* Give or take the right after a change, while the session stays on the hardware. */
static u32 page_settle_right(struct perfmon_session *s,
			     struct perfmon_page *page, bool live)
{
	u32 why = live ? perfmon_page_ask(s, page) : PFM_STATE_WHY_STOPPED;
	bool isolate = READ_ONCE(perfmon_rdpmc_mode) != PERFMON_RDPMC_FAST;

	if (why && page->reads) {
		/* Later reads of the thread must not return less than earlier ones. */
		if (live)
			perfmon_arch_sample(&s->counting->arch);
		perfmon_page_take(page);
	}
	if (why)
		return why;
	if (page->reads && page->isolated >= isolate)
		return 0;
	perfmon_arch_suspend(&s->counting->arch);
	perfmon_page_give(page, s->counting);
	return 0;
}

/**
 * __perfmon_page_update - show any other change of a session
 * @s: session with a page; see perfmon_page_update()
 */
void __perfmon_page_update(struct perfmon_session *s)
{
	struct perfmon_page *page = s->page;
	u32 why = page_settle_right(s, page, perfmon_session_live(s));

	/* A lasting reason is more useful to the program than "stopped". */
	if (why == PFM_STATE_WHY_STOPPED)
		why = perfmon_arch_may_let_read() ?: why;

	page_show_all(page, s->active, why);
}

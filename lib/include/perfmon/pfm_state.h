/* SPDX-License-Identifier: MIT */
/*
 * Counters without a system call: the state page of a session.
 *
 * A thread that a session monitors maps the page and reads its running counters
 * with a few instructions.  The inline functions below need no library; the others
 * are in libpfm.
 *
 *	const struct pfm_state *state = pfm_map_state(fd);
 *	int i = pfm_state_index(state, pmd, set);
 *	uint64_t before = pfm_state_read(state, i);
 *
 * The page has the active set only, and says itself whether it is usable: the
 * counters are those of the calling thread, on its CPU, and it may execute RDPMC.
 * Else the functions below yield what was counted up to the last context switch
 * or tick, and pfm_read_counter() makes a system call.  Elements keep their
 * numbers until a PMC is written, a PMD for the first time, or another set becomes
 * active.
 *
 * Only the monitored thread may call the functions while the page is usable.
 */
#ifndef PERFMON_PFM_STATE_H
#define PERFMON_PFM_STATE_H

#include "perfmon.h"

/* The time stamp counter as an element. */
#define PFM_STATE_TSC PFM_STATE_COUNTERS

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/*
 * Maps the state page of a session.  NULL with errno: EBADF (no descriptor),
 * ENODEV (one that cannot be mapped), EINVAL (no session, or a kernel without
 * state pages), ENOMEM, ENOSYS (a later version of the page).
 */
const struct pfm_state *pfm_map_state(int fd);

/* Unmaps it; -1 with errno EINVAL if it is no state page. */
int pfm_unmap_state(const struct pfm_state *state);

/*
 * The element that a PMD of a set is, or -1: the set is not active, or the PMD does
 * not count.  PFM_STATE_TSC for the time stamp counter.
 */
int pfm_state_index(const struct pfm_state *state, unsigned int pmd,
		    unsigned int set);

/*
 * Value of an element as of now, by the page if that is usable, else by
 * pfm_read_pmrs(), whose errno it sets.  UINT64_MAX if that fails, or with EINVAL
 * if there is no such element; errno tells this from a counter with that value.
 */
uint64_t pfm_read_counter(int fd, const struct pfm_state *state,
			  unsigned int index);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

/*
 * What is between two of these is done in this order.  The kernel changes the page
 * when the thread is interrupted only, so that the compiler is all that there is
 * to stop.
 */
#define PFM_STATE_BARRIER() __asm__ __volatile__("" : : : "memory")

static inline __attribute__((always_inline)) uint32_t
pfm_state_seq(const struct pfm_state *state)
{
	return *(const volatile uint32_t *)&state->seq;
}

/* Is the page usable now? */
static inline int pfm_state_usable(const struct pfm_state *state)
{
	return pfm_state_seq(state) & PFM_STATE_USABLE;
}

/* Value of an element as of the last switch or tick, for any reader. */
static inline uint64_t pfm_state_sum(const struct pfm_state *state,
				     unsigned int index)
{
	uint64_t value;
	uint32_t seq;

	do {
		seq = pfm_state_seq(state);
		PFM_STATE_BARRIER();
		value = index == PFM_STATE_TSC ? state->tsc_sum :
						 state->counter[index].sum;
		PFM_STATE_BARRIER();
	} while ((seq & PFM_STATE_WRITING) || seq != pfm_state_seq(state));
	return value;
}

/* What an element would be if the page is usable and does not change meanwhile. */
static inline __attribute__((always_inline)) uint64_t
pfm_state_peek(const struct pfm_state *state, unsigned int index)
{
	uint32_t low, high;

	if (index == PFM_STATE_TSC) {
		__asm__ __volatile__("rdtsc" : "=a"(low), "=d"(high));
		return state->tsc_sum +
		       (((uint64_t)high << 32 | low) - state->tsc_start);
	}
	__asm__ __volatile__("rdpmc"
			     : "=a"(low), "=d"(high)
			     : "c"(state->counter[index].map));
	return state->counter[index].sum +
	       (uint32_t)(low - state->counter[index].start);
}

/*
 * Value of an element: as of now if the page is usable, else as pfm_state_sum().
 * Cheapest with a constant index.
 */
static inline __attribute__((always_inline)) uint64_t
pfm_state_read(const struct pfm_state *state, unsigned int index)
{
	uint64_t value;
	uint32_t seq;

	do {
		seq = pfm_state_seq(state);
		PFM_STATE_BARRIER();
		if (__builtin_expect(!(seq & PFM_STATE_USABLE), 0))
			return pfm_state_sum(state, index);
		value = pfm_state_peek(state, index);
		PFM_STATE_BARRIER();
	} while (__builtin_expect(seq != pfm_state_seq(state), 0));
	return value;
}

/*
 * Values of the elements 0 to n-1, of one moment.  Cheapest with a constant n.
 */
static inline __attribute__((always_inline)) void
pfm_state_read_many(const struct pfm_state *state, unsigned int n,
		    uint64_t *values)
{
	unsigned int i;
	uint32_t seq;

	do {
		seq = pfm_state_seq(state);
		PFM_STATE_BARRIER();
		if (__builtin_expect(!(seq & PFM_STATE_USABLE), 0)) {
			for (i = 0; i < n; i++)
				values[i] = pfm_state_sum(state, i);
			return;
		}
#pragma GCC unroll 18
		for (i = 0; i < n; i++)
			values[i] = pfm_state_peek(state, i);
		PFM_STATE_BARRIER();
	} while (__builtin_expect(seq != pfm_state_seq(state), 0));
}

#endif /* PERFMON_PFM_STATE_H */

/* SPDX-License-Identifier: MIT */
/*
 * Reading counters without a system call: the state page of a session.
 *
 * A thread that a session monitors maps the page and reads its running counters
 * with a few instructions.  The inline functions below need no library; the others
 * are in libpfm.
 *
 *	const struct pfm_state *state = pfm_map_state(fd);
 *	int i = pfm_state_index(state, pmd, set);
 *	uint64_t before = pfm_state_read(state, i);
 *
 * The page has only the active set, and says whether it is usable: then the counters
 * belong to the calling thread, are on its CPU, and it may execute RDPMC.  Otherwise the
 * functions below return the counts up to the last context switch or tick, and
 * pfm_read_counter() makes a system call.  Elements keep their numbers until a PMC is
 * written, a PMD is first written, or another set becomes active.
 *
 * Only the monitored thread may call the functions while the page is usable.
 */
#ifndef PERFMON_PFM_STATE_H
#define PERFMON_PFM_STATE_H

#include "perfmon.h"

/* The element of the time stamp counter. */
#define PFM_STATE_TSC PFM_STATE_COUNTERS

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/*
 * Maps the state page of a session.  NULL with errno: EBADF (no descriptor), ENODEV (a
 * descriptor that cannot be mapped), EINVAL (no session, or a kernel without state
 * pages), ENOMEM, ENOSYS (a later version of the page).
 */
const struct pfm_state *pfm_map_state(int fd);

/* Unmaps it; -1 with errno EINVAL if it is not a state page. */
int pfm_unmap_state(const struct pfm_state *state);

/*
 * The element of a PMD of a set, or -1 if the set is not active or the PMD does not
 * count.  PFM_STATE_TSC for the time stamp counter.
 */
int pfm_state_index(const struct pfm_state *state, unsigned int pmd,
		    unsigned int set);

/*
 * Present value of an element, read by the page if it is usable, else by pfm_read_pmrs(),
 * which sets errno.  UINT64_MAX if that fails, or with EINVAL if there is no such
 * element; only errno distinguishes this from a counter with that value.
 */
uint64_t pfm_read_counter(int fd, const struct pfm_state *state,
			  unsigned int index);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

/*
 * Keeps memory accesses before and after it in order.  The kernel changes the page only
 * while the thread is interrupted, so only the compiler must be stopped.
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

/*
 * Present value of an element, valid only if the page is usable and does not change
 * meanwhile.
 */
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
 * Present value of an element if the page is usable, else as pfm_state_sum().  Cheapest
 * with a constant index.
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
 * Values of the elements 0 to n-1 at one moment.  Cheapest with a constant n.
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

// SPDX-License-Identifier: MIT
/*
 * State pages: mapping them, finding registers in them, and reading a counter
 * by the page or by a call.  This file has no state.
 */
#include <errno.h>
#include <perfmon/pfm_state.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

static size_t page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

const struct pfm_state *pfm_map_state(int fd)
{
	const struct pfm_state *state;
	void *page = mmap(NULL, page_size(), PROT_READ, MAP_SHARED, fd,
			  PFM_MMAP_STATE);

	if (page == MAP_FAILED)
		return NULL;
	state = (const struct pfm_state *)page;
	if (state->version == PFM_STATE_VERSION)
		return state;
	munmap(page, page_size());
	errno = ENOSYS;
	return NULL;
}

int pfm_unmap_state(const struct pfm_state *state)
{
	return munmap((void *)(uintptr_t)state, page_size());
}

static int find_element(const struct pfm_state *state, unsigned int pmd)
{
	unsigned int i;

	if (pmd == PFM_STATE_NO_PMD)
		return -1;
	if (state->tsc_pmd == pmd)
		return PFM_STATE_TSC;
	for (i = 0; i < state->nr_counters; i++)
		if (state->pmd[i] == pmd)
			return (int)i;
	return -1;
}

int pfm_state_index(const struct pfm_state *state, unsigned int pmd,
		    unsigned int set)
{
	uint32_t seq;
	int index;

	do {
		seq = pfm_state_seq(state);
		PFM_STATE_BARRIER();
		index = state->active_set == set ? find_element(state, pmd) :
						   -1;
		PFM_STATE_BARRIER();
	} while ((seq & PFM_STATE_WRITING) || seq != pfm_state_seq(state));
	return index;
}

/* Finds the register of an element; false if there is no such element. */
static int find_register(const struct pfm_state *state, unsigned int index,
			 pfarg_pmr_t *pmr)
{
	uint32_t seq;
	int found;

	do {
		seq = pfm_state_seq(state);
		PFM_STATE_BARRIER();
		pmr->reg_set = state->active_set;
		pmr->reg_num = index < state->nr_counters ? state->pmd[index] :
			       index == PFM_STATE_TSC	  ? state->tsc_pmd :
							    PFM_STATE_NO_PMD;
		found = pmr->reg_num != PFM_STATE_NO_PMD;
		PFM_STATE_BARRIER();
	} while ((seq & PFM_STATE_WRITING) || seq != pfm_state_seq(state));
	return found;
}

/* Reads by the page alone; false if the page is not usable. */
static int read_running(const struct pfm_state *state, unsigned int index,
			uint64_t *value)
{
	uint32_t seq;

	do {
		seq = pfm_state_seq(state);
		PFM_STATE_BARRIER();
		if (!(seq & PFM_STATE_USABLE))
			return 0;
		*value = pfm_state_peek(state, index);
		PFM_STATE_BARRIER();
	} while (seq != pfm_state_seq(state));
	return 1;
}

uint64_t pfm_read_counter(int fd, const struct pfm_state *state,
			  unsigned int index)
{
	pfarg_pmr_t pmr = { 0 };
	uint64_t value;

	if (!find_register(state, index, &pmr)) {
		errno = EINVAL;
		return UINT64_MAX;
	}
	if (!read_running(state, index, &value)) {
		if (pfm_read_pmrs(fd, PFM_RWFL_PMD, &pmr, 1))
			return UINT64_MAX;
		value = pmr.reg_value;
	}
	errno = 0;
	return value;
}

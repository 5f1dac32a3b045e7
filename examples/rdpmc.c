// SPDX-License-Identifier: MIT
/*
 * A thread counts pieces of itself without a system call.
 *
 *	cc -O2 -o rdpmc rdpmc.c $(pkg-config --cflags --libs libpfm)
 *	./rdpmc [PASSES]
 *
 * It counts its instructions all the time, and reads the counter before and after
 * a loop of PASSES passes (default 1000), five times. Each pass is two
 * instructions; the read itself takes the same number each time. If programs
 * cannot read the counter, it says why, and makes a system call.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <perfmon/pfm_state.h>
#include <perfmon/pfmlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RUNS 5

static const char *why_not(uint32_t why)
{
	switch (why) {
	case PFM_STATE_WHY_MODE:
		return "a file rdpmc of the administrator forbids it";
	case PFM_STATE_WHY_PROCESSOR:
		return "this processor cannot";
	case PFM_STATE_WHY_MODULE:
		return "the module does not let this process read";
	default:
		return "the session does not allow it";
	}
}

/* Lets the session count user instructions. Returns the register. */
static unsigned int count_instructions(int fd)
{
	static pfmlib_input_param_t in; /* too large for some stacks */
	static pfmlib_output_param_t out;
	pfarg_pmr_t pmcs[PFM_MAX_PMCS] = { 0 };
	pfarg_pmr_t pmd = { 0 };

	if (pfm_initialize() != PFMLIB_SUCCESS)
		errx(1, "libpfm has no events for this processor");
	memset(&in, 0, sizeof(in));
	if (pfm_get_inst_retired_event(&in.pfp_events[0]) != PFMLIB_SUCCESS)
		errx(1, "no event for instructions");
	in.pfp_event_count = 1;
	in.pfp_dfl_plm = PFM_PLM3;
	if (pfm_dispatch_events(&in, NULL, &out, NULL) != PFMLIB_SUCCESS)
		errx(1, "no counter for instructions");
	for (unsigned int i = 0; i < out.pfp_pmc_count; i++) {
		pmcs[i].reg_num = (uint16_t)out.pfp_pmcs[i].reg_num;
		pmcs[i].reg_value = out.pfp_pmcs[i].reg_value;
	}
	pmd.reg_num = (uint16_t)out.pfp_pmds[0].reg_num;
	if (pfm_write_pmrs(fd, PFM_RWFL_PMC, pmcs, (int)out.pfp_pmc_count) ||
	    pfm_write_pmrs(fd, PFM_RWFL_PMD, &pmd, 1))
		err(1, "cannot program the counter");
	return pmd.reg_num;
}

/* The code that is counted: a loop of two instructions. */
static __attribute__((noipa)) void work(unsigned long passes)
{
	__asm__ volatile("0:\n\t"
			 "dec %0\n\t"
			 "jnz 0b"
			 : "+r"(passes)
			 :
			 : "cc");
}

/* Instructions of a run, by the cheaper way if @usable. */
static uint64_t count_work(int fd, const struct pfm_state *state,
			   unsigned int i, unsigned long passes, int usable)
{
	uint64_t before;

	if (usable) {
		before = pfm_state_read(state, i);
		work(passes);
		return pfm_state_read(state, i) - before;
	}
	before = pfm_read_counter(fd, state, i);
	work(passes);
	return pfm_read_counter(fd, state, i) - before;
}

/* Ends with one line: what failed, why, and what helps. */
static _Noreturn void no_session(void)
{
	const char *advice =
		errno == ENOSYS ? "boot a kernel with perfmon" :
		errno == EBUSY	? "see /sys/kernel/perfmon/pmu_owner" :
		errno == ENOMEM ? "see ulimit -l" :
				  "see man pfm_create_session";

	if (errno == EPERM || errno == EACCES)
		advice = "see kernel.perf_event_paranoid, or become root";
	err(1, "cannot create a session (%s)", advice);
}

int main(int argc, char **argv)
{
	unsigned long passes = argc > 1 ? strtoul(argv[1], NULL, 0) : 1000;
	int fd = pfm_create_session(PFM_FL_CLOEXEC);
	const struct pfm_state *state;
	unsigned int pmd;
	int i, usable;

	if (!passes)
		errx(1, "usage: rdpmc [PASSES], at least 1 pass");
	if (fd < 0)
		no_session();
	pmd = count_instructions(fd);
	state = pfm_map_state(fd);
	if (!state)
		err(1, "cannot map the state page");
	if (pfm_attach_session(fd, 0, gettid()) || pfm_start_session(fd, 0))
		err(1, "cannot count this thread (has it a session?)");
	i = pfm_state_index(state, pmd, 0);
	if (i < 0)
		errx(1, "the page does not show the counter");

	usable = pfm_state_usable(state);
	if (!usable)
		printf("with system calls: %s\n", why_not(state->why));
	for (int run = 0; run < RUNS; run++) {
		uint64_t n =
			count_work(fd, state, (unsigned int)i, passes, usable);

		printf("%" PRIu64 " instructions, %lu of them in the loop\n", n,
		       2 * passes);
		if (n < 2 * passes)
			errx(1, "wrong count");
	}
	pfm_unmap_state(state);
	close(fd);
	return 0;
}

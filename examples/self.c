// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread counts its own instructions, at user level, with perfmon.
 *
 *	self [ITERATIONS [SELECTOR]]
 *
 * Counts a loop of ITERATIONS passes (default 1000000) twice. The difference
 * between the count and the instructions of the loop is what it takes to get
 * from the start to the loop and from the loop to the stop; it is small and
 * always the same.
 *
 * SELECTOR is the value of the event select register. The default, 0x5100c0, is
 * "instructions retired" on all processors of Intel since the Pentium Pro and
 * of AMD since the Athlon: event 0xc0, user level (bit 16), enabled (bit 22).
 */
#include <err.h>
#include <inttypes.h>
#include <perfmon/perfmon.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The loop to be counted: two instructions a pass. */
static void work(unsigned long iterations)
{
	__asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(iterations) : : "cc");
}

static uint64_t count_once(int fd, unsigned long iterations)
{
	struct pfarg_pmr pmd = { .reg_num = 0, .reg_value = 0 };

	if (pfm_write_pmrs(fd, PFM_RWFL_PMD, &pmd, 1))
		err(1, "cannot set pmd0");
	if (pfm_start_session(fd, 0))
		err(1, "cannot start");
	work(iterations);
	if (pfm_stop_session(fd, 0))
		err(1, "cannot stop");
	if (pfm_read_pmrs(fd, PFM_RWFL_PMD, &pmd, 1))
		err(1, "cannot read pmd0");
	return pmd.reg_value;
}

int main(int argc, char **argv)
{
	unsigned long iterations = argc > 1 ? strtoul(argv[1], NULL, 0) :
					      1000000;
	struct pfarg_pmr pmc = {
		.reg_num = 0,
		.reg_value = argc > 2 ? strtoull(argv[2], NULL, 0) : 0x5100c0,
	};
	int fd = pfm_create_session(0);

	if (fd < 0)
		err(1, "cannot create a session");
	if (!iterations)
		errx(1, "%s: give a number of iterations above 0", argv[1]);

	/* pmc0 chooses what pmd0 counts. */
	if (pfm_write_pmrs(fd, PFM_RWFL_PMC, &pmc, 1))
		err(1, "cannot set pmc0");
	if (pfm_attach_session(fd, 0, gettid()))
		err(1, "cannot attach to myself");

	printf("the loop has %lu instructions\n", 2 * iterations);
	for (int i = 0; i < 2; i++)
		printf("counted %" PRIu64 "\n", count_once(fd, iterations));

	close(fd);
	return 0;
}

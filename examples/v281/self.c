// SPDX-License-Identifier: MIT
/*
 * A thread counts what it does itself, with the v2.81 calls.
 *
 *	self [PASSES [EVENT...]]
 *
 * Counts a loop of PASSES passes (default 1000000), twice. The difference
 * between the count of instructions and those of the loop is what it takes to
 * get from the start to the loop and from the loop to the stop; it is small and
 * always the same.
 */
#include <err.h>
#include <inttypes.h>
#include <perfmon/perfmon.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../events.h"
#include "../work.h"

#define MAX_EVENTS 8

/* Between the calls and the loop. */
#define INSTRUCTIONS_AROUND 300

static const char *const default_events[] = { "instructions", "cycles" };

/* Returns the values of the control registers and which data registers to read. */
static int choose_registers(int fd, const char *const *events, int count,
			    pfarg_pmc_t *pmcs, pfarg_pmd_t *pmds)
{
	static pfmlib_output_param_t out;
	pfarg_setinfo_t info = { .set_id = 0 };

	/* Others may have some of the registers. */
	if (pfm_getinfo_evtsets(fd, &info, 1))
		err(1, "cannot ask for the registers");
	assign_events(events, (unsigned int)count, info.set_avail_pmcs, &out);

	for (unsigned int i = 0; i < out.pfp_pmc_count; i++) {
		pmcs[i].reg_num = out.pfp_pmcs[i].reg_num;
		pmcs[i].reg_value = out.pfp_pmcs[i].reg_value;
	}
	for (int i = 0; i < count; i++)
		pmds[i].reg_num = out.pfp_pmds[i].reg_num;
	return (int)out.pfp_pmc_count;
}

static void count_work(int fd, unsigned long passes, pfarg_pmd_t *pmds,
		       int count)
{
	for (int i = 0; i < count; i++)
		pmds[i].reg_value = 0;
	if (pfm_write_pmds(fd, pmds, count))
		err(1, "cannot clear the counters");

	if (pfm_start(fd, NULL))
		err(1, "cannot start");
	work(passes);
	if (pfm_stop(fd))
		err(1, "cannot stop");

	if (pfm_read_pmds(fd, pmds, count))
		err(1, "cannot read the counters");
}

int main(int argc, char **argv)
{
	unsigned long passes = argc > 1 ? strtoul(argv[1], NULL, 0) : 1000000;
	const char *const *events = argc > 2 ? (const char *const *)argv + 2 :
					       default_events;
	int count = argc > 2 ? argc - 2 : 2;
	uint64_t expected = passes * WORK_INSTRUCTIONS, first = 0;
	pfarg_pmc_t pmcs[PFM_MAX_PMCS] = { 0 };
	pfarg_pmd_t pmds[MAX_EVENTS] = { 0 };
	pfarg_ctx_t ctx = { 0 };
	pfarg_load_t load = { .load_pid = (uint32_t)gettid() };
	int fd, num_pmcs;

	if (!passes || count > MAX_EVENTS)
		errx(1, "usage: self [PASSES [EVENT...]], at least 1 pass");

	fd = pfm_create_context(&ctx, NULL, NULL, 0);
	if (fd < 0)
		err(1, "cannot create a context");
	num_pmcs = choose_registers(fd, events, count, pmcs, pmds);
	if (pfm_write_pmcs(fd, pmcs, num_pmcs))
		err(1, "cannot program the events");
	if (pfm_load_context(fd, &load))
		err(1, "cannot attach to myself");

	for (int run = 0; run < 2; run++) {
		count_work(fd, passes, pmds, count);
		for (int i = 0; i < count; i++)
			printf("%" PRIu64 " %s\n", pmds[i].reg_value,
			       events[i]);
		if (run == 0)
			first = pmds[0].reg_value;
	}
	close(fd);

	printf("the loop has %" PRIu64 " instructions\n", expected);
	if (argc <= 2 &&
	    (first != pmds[0].reg_value || first < expected ||
	     first > expected + INSTRUCTIONS_AROUND || pmds[1].reg_value == 0))
		errx(1, "that cannot be");
	return 0;
}

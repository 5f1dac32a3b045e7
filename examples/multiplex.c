// SPDX-License-Identifier: MIT
/*
 * Counts more events than there are counters: event sets take turns.
 *
 *	multiplex [EVENT...]
 *
 * Each event has a set of its own, and each set counts for a millisecond before
 * it is the next one's turn. What an event would have counted all the time is
 * estimated from how long its set has counted. Without an argument two sets count
 * the same event, so that together they must have missed nothing.
 */
#include <err.h>
#include <inttypes.h>
#include <perfmon/perfmon.h>
#include <stdio.h>
#include <unistd.h>

#include "program.h"
#include "work.h"

#define MAX_SETS 16
#define TURN 1000000 /* ns */
#define PASSES 100000000

/* Between the calls and the loop, and what interrupts may add. */
#define INSTRUCTIONS_AROUND 1000

static const char *const default_events[] = { "instructions", "instructions" };

static void make_sets(int fd, int count)
{
	pfarg_setdesc_t sets[MAX_SETS] = { 0 };

	/* Set 0 exists; this changes it. */
	for (int i = 0; i < count; i++) {
		sets[i].set_id = (uint16_t)i;
		sets[i].set_flags = PFM_SETFL_TIME_SWITCH;
		sets[i].set_timeout = TURN;
	}
	if (pfm_create_sets(fd, 0, sets, count))
		err(1, "cannot create the event sets");
}

static void count_work(int fd, pfarg_pmr_t *pmds, pfarg_setinfo_t *infos,
		       int count)
{
	if (pfm_write_pmrs(fd, PFM_RWFL_PMD, pmds, count))
		err(1, "cannot clear the counters");
	if (pfm_attach_session(fd, 0, gettid()))
		err(1, "cannot attach to myself");

	if (pfm_start_session(fd, 0))
		err(1, "cannot start");
	work(PASSES);
	if (pfm_stop_session(fd, 0))
		err(1, "cannot stop");

	for (int i = 0; i < count; i++)
		infos[i].set_id = (uint16_t)i;
	if (pfm_read_pmrs(fd, PFM_RWFL_PMD, pmds, count) ||
	    pfm_getinfo_sets(fd, 0, infos, count))
		err(1, "cannot read the counters");
}

static void show(const pfarg_pmr_t *pmds, const pfarg_setinfo_t *infos,
		 const char *const *events, int count)
{
	double all = 0;

	for (int i = 0; i < count; i++)
		all += (double)infos[i].set_act_duration;
	for (int i = 0; i < count; i++)
		printf("%12" PRIu64 " in %" PRIu64 " turns, about %.0f: %s\n",
		       pmds[i].reg_value, infos[i].set_runs,
		       (double)pmds[i].reg_value * all /
			       (double)infos[i].set_act_duration,
		       events[i]);
}

/* No set has been left out, and at each moment it was the turn of one. */
static void check(const pfarg_pmr_t *pmds, const pfarg_setinfo_t *infos)
{
	uint64_t expected = PASSES * WORK_INSTRUCTIONS;
	uint64_t sum = pmds[0].reg_value + pmds[1].reg_value;

	printf("%12" PRIu64 " in both\n", sum);
	if (infos[0].set_runs < 2 || infos[1].set_runs < 2)
		errx(1, "they have not taken turns");
	if (sum < expected || sum > expected + INSTRUCTIONS_AROUND)
		errx(1, "the loop has %" PRIu64, expected);
}

int main(int argc, char **argv)
{
	const char *const *events = argc > 1 ? (const char *const *)argv + 1 :
					       default_events;
	int count = argc > 1 ? argc - 1 : 2;
	pfarg_setinfo_t infos[MAX_SETS] = { 0 };
	pfarg_pmr_t pmds[MAX_SETS];
	int fd = pfm_create_session(PFM_FL_CLOEXEC);

	if (fd < 0)
		err(1, "cannot create a session");
	if (count > MAX_SETS)
		errx(1, "at most %d events", MAX_SETS);

	make_sets(fd, count);
	for (int i = 0; i < count; i++)
		program_events(fd, (unsigned int)i, &events[i], 1, &pmds[i]);
	count_work(fd, pmds, infos, count);
	close(fd);

	show(pmds, infos, events, count);
	if (argc <= 1)
		check(pmds, infos);
	return 0;
}

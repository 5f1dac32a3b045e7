// SPDX-License-Identifier: MIT
/*
 * Counts more events than there are counters: event sets take turns.
 *
 *	cc -o multiplex multiplex.c $(pkg-config --cflags --libs libpfm)
 *	./multiplex [EVENT...]
 *
 * Each event has a set of its own, and each set counts for a millisecond before
 * the next one does. The count over the whole time is estimated from how long
 * the set of the event has counted. Without an argument two sets count the same
 * event: together they must have missed nothing.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <perfmon/perfmon.h>
#include <perfmon/pfmlib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MAX_SETS 16
#define TURN 1000000 /* ns */
#define PASSES 100000000
#define LOOP_INSTRUCTIONS 2ULL

/* At most, outside the loop, in the dynamic linker and by interrupts. */
#define INSTRUCTIONS_AROUND 2000

static const char *const default_events[] = { "instructions", "instructions" };

/* Each processor has its own names for events; two are looked up by meaning. */
static int find_event(const char *name, pfmlib_event_t *event)
{
	if (!strcmp(name, "instructions"))
		return pfm_get_inst_retired_event(event);
	if (!strcmp(name, "cycles"))
		return pfm_get_cycle_event(event);
	return pfm_find_full_event(name, event);
}

/*
 * Asks libpfm for registers that count the named events at user level. It may
 * use the control registers of avail_pmcs; the session does not get the others.
 */
static void choose_registers(const char *const *names, unsigned int count,
			     const uint64_t *avail_pmcs,
			     pfmlib_output_param_t *out)
{
	static pfmlib_input_param_t in; /* too large for some stacks */
	int rc = pfm_initialize();

	if (rc != PFMLIB_SUCCESS)
		errx(1, "libpfm: %s; it has no events for this processor",
		     pfm_strerror(rc));

	memset(&in, 0, sizeof(in));
	for (unsigned int i = 0; i < count; i++) {
		rc = find_event(names[i], &in.pfp_events[i]);
		if (rc != PFMLIB_SUCCESS)
			errx(1, "event %s: %s; pfmon -l lists the events",
			     names[i], pfm_strerror(rc));
	}
	in.pfp_event_count = count;
	in.pfp_dfl_plm = PFM_PLM3;
	for (unsigned int pmc = 0; pmc < PFM_MAX_PMCS; pmc++)
		if (!(avail_pmcs[pmc / 64] >> pmc % 64 & 1))
			pfm_regmask_set(&in.pfp_unavail_pmcs, pmc);

	rc = pfm_dispatch_events(&in, NULL, out, NULL);
	if (rc != PFMLIB_SUCCESS)
		errx(1, "the events do not fit together: %s; count fewer",
		     pfm_strerror(rc));
}

/*
 * Programs the events into an event set of a session. The counter of names[i]
 * becomes pmds[i], with the value 0.
 */
static void program_events(int fd, uint16_t set, const char *const *names,
			   unsigned int count, pfarg_pmr_t *pmds)
{
	static pfmlib_output_param_t out;
	pfarg_setinfo_t info = { .set_id = set };
	pfarg_pmr_t pmcs[PFM_MAX_PMCS] = { 0 };

	if (pfm_getinfo_sets(fd, 0, &info, 1))
		err(1, "cannot list the registers of the session");
	choose_registers(names, count, info.set_avail_pmcs, &out);

	for (unsigned int i = 0; i < out.pfp_pmc_count; i++)
		pmcs[i] = (pfarg_pmr_t){
			.reg_num = (uint16_t)out.pfp_pmcs[i].reg_num,
			.reg_set = set,
			.reg_value = out.pfp_pmcs[i].reg_value,
		};
	if (pfm_write_pmrs(fd, PFM_RWFL_PMC, pmcs, (int)out.pfp_pmc_count))
		err(1, "cannot program the events");

	for (unsigned int i = 0; i < count; i++)
		pmds[i] = (pfarg_pmr_t){
			.reg_num = (uint16_t)out.pfp_pmds[i].reg_num,
			.reg_set = set,
		};
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

static void make_sets(int fd, int count)
{
	pfarg_setdesc_t sets[MAX_SETS] = { 0 };

	/* Each session has set 0: this call changes it and creates the others. */
	for (int i = 0; i < count; i++) {
		sets[i].set_id = (uint16_t)i;
		sets[i].set_flags = PFM_SETFL_TIME_SWITCH;
		sets[i].set_timeout = TURN;
	}
	if (pfm_create_sets(fd, 0, sets, count))
		err(1, "cannot create the event sets (see ulimit -l)");
}

static void count_work(int fd, pfarg_pmr_t *pmds, pfarg_setinfo_t *infos,
		       int count)
{
	if (pfm_write_pmrs(fd, PFM_RWFL_PMD, pmds, count))
		err(1, "cannot clear the counters");
	if (pfm_attach_session(fd, 0, gettid()))
		err(1, "cannot attach to this thread (has it a session?)");

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

/* Both sets had turns, and at each moment one of them counted. */
static void check(const pfarg_pmr_t *pmds, const pfarg_setinfo_t *infos)
{
	uint64_t expected = PASSES * LOOP_INSTRUCTIONS;
	uint64_t sum = pmds[0].reg_value + pmds[1].reg_value;

	printf("%12" PRIu64 " in both\n", sum);
	if (infos[0].set_runs < 2 || infos[1].set_runs < 2)
		errx(1, "the sets have not taken turns");
	if (sum < expected || sum > expected + INSTRUCTIONS_AROUND)
		errx(1, "the loop has %" PRIu64 " instructions", expected);
}

int main(int argc, char **argv)
{
	const char *const *events = argc > 1 ? (const char *const *)argv + 1 :
					       default_events;
	int count = argc > 1 ? argc - 1 : 2;
	pfarg_setinfo_t infos[MAX_SETS] = { 0 };
	pfarg_pmr_t pmds[MAX_SETS];
	int fd;

	if (count > MAX_SETS)
		errx(1, "at most %d events", MAX_SETS);
	fd = pfm_create_session(PFM_FL_CLOEXEC);
	if (fd < 0)
		no_session();

	make_sets(fd, count);
	for (int i = 0; i < count; i++)
		program_events(fd, (uint16_t)i, &events[i], 1, &pmds[i]);
	count_work(fd, pmds, infos, count);
	close(fd);

	show(pmds, infos, events, count);
	if (argc <= 1)
		check(pmds, infos);
	return 0;
}

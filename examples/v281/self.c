// SPDX-License-Identifier: MIT
/*
 * A thread counts its own code, with the v2.81 calls.
 *
 *	cc -o self self.c $(pkg-config --cflags --libs libpfm)
 *	./self [PASSES [EVENT...]]
 *
 * It counts a loop of PASSES passes (default 1000000), twice. It also counts the
 * instructions between the start call and the loop, and between the loop and the
 * stop call: few, and the same each time.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <perfmon/perfmon.h>
#include <perfmon/pfmlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_EVENTS 8
#define LOOP_INSTRUCTIONS 2ULL

/* At most, outside the loop. */
#define INSTRUCTIONS_AROUND 300

static const char *const default_events[] = { "instructions", "cycles" };

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
 * Programs the events into an event set of a context. The counter of names[i]
 * becomes pmds[i], with the value 0.
 */
static void program_events(int fd, uint16_t set, const char *const *names,
			   unsigned int count, pfarg_pmd_t *pmds)
{
	static pfmlib_output_param_t out;
	pfarg_setinfo_t info = { .set_id = set };
	pfarg_pmc_t pmcs[PFM_MAX_PMCS] = { 0 };

	if (pfm_getinfo_evtsets(fd, &info, 1))
		err(1, "cannot list the registers of the context");
	choose_registers(names, count, info.set_avail_pmcs, &out);

	for (unsigned int i = 0; i < out.pfp_pmc_count; i++) {
		pmcs[i].reg_num = (uint16_t)out.pfp_pmcs[i].reg_num;
		pmcs[i].reg_set = set;
		pmcs[i].reg_value = out.pfp_pmcs[i].reg_value;
	}
	if (pfm_write_pmcs(fd, pmcs, (int)out.pfp_pmc_count))
		err(1, "cannot program the events");

	for (unsigned int i = 0; i < count; i++)
		pmds[i] = (pfarg_pmd_t){
			.reg_num = (uint16_t)out.pfp_pmds[i].reg_num,
			.reg_set = set,
		};
}

/* Ends with one line: what failed, why, and what helps. */
static _Noreturn void no_context(void)
{
	const char *advice =
		errno == ENOSYS ? "boot a kernel with perfmon" :
		errno == EBUSY	? "see /sys/kernel/perfmon/pmu_owner" :
		errno == ENOMEM ? "see ulimit -l" :
				  "see man pfm_create_context";

	if (errno == EPERM || errno == EACCES)
		advice = "see kernel.perf_event_paranoid, or become root";
	err(1, "cannot create a context (%s)", advice);
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
	uint64_t expected = passes * LOOP_INSTRUCTIONS, first = 0;
	pfarg_pmd_t pmds[MAX_EVENTS];
	pfarg_ctx_t ctx = { 0 };
	pfarg_load_t load = { .load_pid = (uint32_t)gettid() };
	int fd;

	if (!passes || count > MAX_EVENTS)
		errx(1, "usage: self [PASSES [EVENT...]], at least 1 pass");

	fd = pfm_create_context(&ctx, NULL, NULL, 0);
	if (fd < 0)
		no_context();
	program_events(fd, 0, events, (unsigned int)count, pmds);
	if (pfm_load_context(fd, &load))
		err(1, "cannot attach to this thread (has it a context?)");

	/*
	 * The dynamic linker finds a function at its first call. Stopping a
	 * context that is not started has no other effect.
	 */
	pfm_stop(fd);
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
		errx(1, "wrong counts; does anybody else write the counters?");
	return 0;
}

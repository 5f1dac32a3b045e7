// SPDX-License-Identifier: MIT
/*
 * Counts everything that each CPU executes at user level, in any thread.
 *
 *	cc -o system-wide system-wide.c $(pkg-config --cflags --libs libpfm)
 *	./system-wide [MILLISECONDS]
 *
 * A system-wide session belongs to one CPU, so there is one for each. That needs
 * CAP_PERFMON or the group of /sys/kernel/perfmon/sys_group, and no session may
 * be attached to a thread. Without an argument the program works on the last CPU
 * and checks that this CPU counted the work.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <perfmon/perfmon.h>
#include <perfmon/pfmlib.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PASSES 20000000
#define LOOP_INSTRUCTIONS 2ULL

static const char *const events[] = { "instructions" };

struct cpu_session {
	int cpu;
	int fd;
	pfarg_pmr_t pmd;
};

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

static void open_session(struct cpu_session *session, int cpu)
{
	session->cpu = cpu;
	session->fd = pfm_create_session(PFM_FL_SYSTEM_WIDE | PFM_FL_CLOEXEC);
	if (session->fd < 0)
		no_session();
	program_events(session->fd, 0, events, 1, &session->pmd);
	if (pfm_write_pmrs(session->fd, PFM_RWFL_PMD, &session->pmd, 1))
		err(1, "cannot clear the counter");
	/* The target is a CPU number; the caller may run on another CPU. */
	if (pfm_attach_session(session->fd, 0, cpu))
		err(1, "cannot attach to CPU %d (has a thread a session?)",
		    cpu);
}

/* Opens a session for each CPU that this program may use; returns their number. */
static int open_sessions(struct cpu_session *sessions)
{
	cpu_set_t cpus;
	int n = 0;

	if (sched_getaffinity(0, sizeof(cpus), &cpus))
		err(1, "cannot list the CPUs");
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &cpus))
			open_session(&sessions[n++], cpu);
	return n;
}

static void work_on(int cpu)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		err(1, "cannot go to CPU %d", cpu);
	work(PASSES);
}

int main(int argc, char **argv)
{
	static struct cpu_session sessions[CPU_SETSIZE];
	int n = open_sessions(sessions);
	struct cpu_session *last = &sessions[n - 1];

	for (int i = 0; i < n; i++)
		if (pfm_start_session(sessions[i].fd, 0))
			err(1, "cannot start on CPU %d", sessions[i].cpu);

	if (argc > 1)
		poll(NULL, 0, atoi(argv[1]));
	else
		work_on(last->cpu);

	for (int i = 0; i < n; i++) {
		struct cpu_session *session = &sessions[i];

		if (pfm_stop_session(session->fd, 0))
			err(1, "cannot stop on CPU %d", session->cpu);
		if (pfm_read_pmrs(session->fd, PFM_RWFL_PMD, &session->pmd, 1))
			err(1, "cannot read the counter");
		close(session->fd);
		printf("CPU %d: %" PRIu64 " instructions\n", session->cpu,
		       session->pmd.reg_value);
	}

	if (argc <= 1 && last->pmd.reg_value < PASSES * LOOP_INSTRUCTIONS)
		errx(1, "CPU %d counted less than the loop's %llu", last->cpu,
		     PASSES * LOOP_INSTRUCTIONS);
	return 0;
}

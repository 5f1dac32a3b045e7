// SPDX-License-Identifier: MIT
/*
 * Counts a thread that is running already, for a while.
 *
 *	cc -o attach attach.c $(pkg-config --cflags --libs libpfm)
 *	./attach [TID [MILLISECONDS]]
 *
 * ptrace() stops the thread twice: while the session is attached and
 * while it is detached. In between the thread runs as usual. Without TID the
 * program counts a child that counts the passes of its own loop.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <perfmon/perfmon.h>
#include <perfmon/pfmlib.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOOP_INSTRUCTIONS 2ULL

/* Instructions that interrupts may add on real processors. */
#define TOLERANCE 100

static const char *const events[] = { "instructions" };

/* Shared with the child. */
static unsigned long *passes;

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

/*
 * Stops a running thread. Returns false if it has ended; a caller who may not
 * trace it cannot count it either.
 */
static bool stop_thread(pid_t thread)
{
	int status;

	if (ptrace(PTRACE_SEIZE, thread, NULL, NULL) ||
	    ptrace(PTRACE_INTERRUPT, thread, NULL, NULL))
		return false;
	/* Signals that arrive first are delivered. */
	for (;;) {
		if (waitpid(thread, &status, __WALL) < 0)
			err(1, "cannot wait for thread %d", thread);
		if (!WIFSTOPPED(status))
			return false;
		if (status >> 16 == PTRACE_EVENT_STOP)
			return true;
		ptrace(PTRACE_CONT, thread, NULL, (long)WSTOPSIG(status));
	}
}

/* Lets the thread run again, untraced. */
static void release_thread(pid_t thread)
{
	ptrace(PTRACE_DETACH, thread, NULL, NULL);
}

/* The number of passes of the child, which is stopped; 0 without a child. */
static uint64_t passes_so_far(void)
{
	return passes ? *(volatile unsigned long *)passes : 0;
}

/* Runs for ever: a loop of two instructions that counts its passes. */
static _Noreturn void work_forever(void)
{
	for (;;)
		__asm__ volatile("0:\n\t"
				 "incl %0\n\t"
				 "jmp 0b"
				 : "+m"(*passes)
				 :
				 : "cc");
}

static pid_t start_child(void)
{
	pid_t child;

	passes = mmap(NULL, sizeof(*passes), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (passes == MAP_FAILED)
		err(1, "no memory for the child");
	child = fork();
	if (child < 0)
		err(1, "cannot make a child (see ulimit -u)");
	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		work_forever();
	}
	/* The count is compared once the child is in its loop. */
	while (!passes_so_far())
		sched_yield();
	return child;
}

int main(int argc, char **argv)
{
	pid_t thread = argc > 1 ? atoi(argv[1]) : start_child();
	int milliseconds = argc > 2 ? atoi(argv[2]) : 100;
	uint64_t begin, end = 0, expected;
	pfarg_pmr_t pmd;
	int fd = pfm_create_session(PFM_FL_CLOEXEC);

	if (fd < 0)
		no_session();
	program_events(fd, 0, events, 1, &pmd);
	if (pfm_write_pmrs(fd, PFM_RWFL_PMD, &pmd, 1))
		err(1, "cannot clear the counter");

	if (!stop_thread(thread))
		err(1, "cannot trace thread %d (is it yours?)", thread);
	begin = passes_so_far();
	if (pfm_attach_session(fd, 0, thread) || pfm_start_session(fd, 0))
		err(1, "cannot count thread %d (has it a session?)", thread);
	release_thread(thread);

	poll(NULL, 0, milliseconds);

	/* The counts of a thread that has ended can be read all the same. */
	if (stop_thread(thread)) {
		end = passes_so_far();
		if (pfm_detach_session(fd, 0))
			err(1, "cannot detach from thread %d", thread);
		release_thread(thread);
	}
	if (pfm_read_pmrs(fd, PFM_RWFL_PMD, &pmd, 1))
		err(1, "cannot read the counter");
	close(fd);
	printf("thread %d: %" PRIu64 " instructions\n", thread, pmd.reg_value);
	if (argc > 1)
		return 0;

	kill(thread, SIGKILL);
	expected = (end - begin) * LOOP_INSTRUCTIONS;
	printf("its loop has gone through %" PRIu64 "\n", expected);
	if (!expected || llabs((int64_t)(pmd.reg_value - expected)) > TOLERANCE)
		errx(1, "wrong count; does anybody else write the counters?");
	return 0;
}

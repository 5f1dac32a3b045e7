// SPDX-License-Identifier: MIT
/*
 * Counts a command from its first instruction to its last, as pfmon does.
 *
 *	cc -o task task.c $(pkg-config --cflags --libs libpfm)
 *	./task [COMMAND [ARGUMENT...]]
 *
 * Without a command it counts itself with two loops; the second is longer by a
 * known number of instructions.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <perfmon/perfmon.h>
#include <perfmon/pfmlib.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOOP_INSTRUCTIONS 2ULL

/* How much two starts of one program may differ, because of addresses. */
#define START_DIFFERS 10000

static const char *const events[] = { "instructions", "cycles" };

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

/* Makes a child that is stopped before the first instruction of the command. */
static pid_t start_command(char **argv)
{
	pid_t child = fork();
	int status;

	if (child < 0)
		err(1, "cannot make a child (see ulimit -u)");
	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		/* The kernel stops a traced child in front of the new program. */
		execvp(argv[0], argv);
		err(127, "%s", argv[0]);
	}
	if (waitpid(child, &status, 0) < 0 || !WIFSTOPPED(status))
		errx(1, "%s was not executed; check its name", argv[0]);
	return child;
}

static bool wait_for_child(pid_t child)
{
	int status;

	return waitpid(child, &status, 0) == child && WIFEXITED(status) &&
	       WEXITSTATUS(status) == 0;
}

/* Counts the command; returns its instructions. */
static uint64_t count_command(char **argv)
{
	pfarg_pmr_t pmds[2];
	union pfarg_msg msg;
	pid_t child;
	int fd = pfm_create_session(PFM_FL_CLOEXEC);

	if (fd < 0)
		no_session();
	program_events(fd, 0, events, 2, pmds);
	if (pfm_write_pmrs(fd, PFM_RWFL_PMD, pmds, 2))
		err(1, "cannot clear the counters");

	child = start_command(argv);
	if (pfm_attach_session(fd, 0, child) || pfm_start_session(fd, 0))
		err(1, "cannot count %s", argv[0]);
	ptrace(PTRACE_DETACH, child, NULL, NULL);

	/* The session outlives the thread, and a message announces its end. */
	if (read(fd, &msg, sizeof(msg)) != sizeof(msg) ||
	    msg.type != PFM_MSG_END)
		errx(1, "a message that is not the end of %s", argv[0]);
	if (pfm_read_pmrs(fd, PFM_RWFL_PMD, pmds, 2))
		err(1, "cannot read the counters");
	if (!wait_for_child(child))
		warnx("%s has failed", argv[0]);
	close(fd);

	printf("%" PRIu64 " instructions, %" PRIu64 " cycles: %s\n",
	       pmds[0].reg_value, pmds[1].reg_value, argv[0]);
	return pmds[0].reg_value;
}

static uint64_t count_loop(const char *passes)
{
	char *argv[] = { "/proc/self/exe", "--loop", strdup(passes), NULL };

	return count_command(argv);
}

int main(int argc, char **argv)
{
	int64_t difference;

	if (argc == 3 && !strcmp(argv[1], "--loop")) {
		work(strtoul(argv[2], NULL, 0));
		return 0;
	}
	if (argc > 1) {
		count_command(argv + 1);
		return 0;
	}

	difference = (int64_t)(count_loop("3000000") - count_loop("1000000"));
	printf("%" PRId64 " instructions more\n", difference);
	difference -= (int64_t)(2000000 * LOOP_INSTRUCTIONS);
	if (llabs(difference) > START_DIFFERS)
		errx(1, "%llu expected; does anybody else write the counters?",
		     2000000 * LOOP_INSTRUCTIONS);
	return 0;
}

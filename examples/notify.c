// SPDX-License-Identifier: MIT
/*
 * A signal after every million instructions.
 *
 *	cc -o notify notify.c $(pkg-config --cflags --libs libpfm)
 *	./notify
 *
 * A counter that starts at -PERIOD overflows after PERIOD events. The overflow
 * masks the session (nothing counts), queues a message and sends SIGIO to the
 * thread. The handler reads the message and restarts the session.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <perfmon/perfmon.h>
#include <perfmon/pfmlib.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PERIOD 1000000
#define NOTIFICATIONS 20
#define LOOP_INSTRUCTIONS 2ULL

/* Ends halfway between two overflows: handling one takes instructions, too. */
#define PASSES (PERIOD / LOOP_INSTRUCTIONS * NOTIFICATIONS + PERIOD / 4)

static const char *const events[] = { "instructions" };

static int session;
static unsigned int pmd;
static volatile sig_atomic_t notifications;
static volatile sig_atomic_t wrong;

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

/* The code that is counted: a loop of two instructions, at a known place. */
static __attribute__((noipa)) void work(unsigned long passes)
{
	__asm__ volatile(".globl work_begin, work_end\n"
			 "work_begin:\n\t"
			 "dec %0\n\t"
			 "jnz work_begin\n"
			 "work_end:"
			 : "+r"(passes)
			 :
			 : "cc");
}

extern const char work_begin[], work_end[];

/* A sample has the address of the instruction that comes next. */
static bool is_in_work(uint64_t address)
{
	return address >= (uintptr_t)work_begin &&
	       address <= (uintptr_t)work_end;
}

/* Calls async-signal-safe functions only; perfmon's functions are safe. */
static void on_overflow(int sig)
{
	union pfarg_msg msg;
	const struct pfarg_ovfl_msg *ovfl = &msg.pfm_ovfl_msg;

	(void)sig;
	if (read(session, &msg, sizeof(msg)) != sizeof(msg) ||
	    msg.type != PFM_MSG_OVFL ||
	    ovfl->msg_ovfl_tid != (uint32_t)gettid() ||
	    ovfl->msg_ovfl_pmds[pmd / 64] != 1ULL << pmd % 64 ||
	    !is_in_work(ovfl->msg_ovfl_ip))
		wrong = 1;
	notifications = notifications + 1;
	if (pfm_start_session(session, PFM_STFL_RESTART))
		wrong = 1;
}

/* Directs the signal of the session's descriptor to this thread. */
static void ask_for_signal(void)
{
	struct sigaction action = { .sa_handler = on_overflow };
	struct f_owner_ex owner = { .type = F_OWNER_TID, .pid = gettid() };

	if (sigaction(SIGIO, &action, NULL) ||
	    fcntl(session, F_SETOWN_EX, &owner) ||
	    fcntl(session, F_SETFL, O_ASYNC))
		err(1, "cannot ask for a signal");
}

int main(void)
{
	pfarg_pmd_attr_t attr = { .reg_long_reset = -(uint64_t)PERIOD,
				  .reg_short_reset = -(uint64_t)PERIOD };
	pfarg_pmr_t counter;

	session = pfm_create_session(PFM_FL_CLOEXEC);
	if (session < 0)
		no_session();
	program_events(session, 0, events, 1, &counter);
	pmd = counter.reg_num;
	counter.reg_value = -(uint64_t)PERIOD;
	counter.reg_flags = PFM_REGFL_OVFL_NOTIFY;
	if (pfm_write_pmrs(session, PFM_RWFL_PMD | PFM_RWFL_PMD_ATTR, &counter,
			   1, &attr))
		err(1, "cannot set the period (can this processor interrupt?)");
	ask_for_signal();

	if (pfm_attach_session(session, 0, gettid()))
		err(1, "cannot attach to this thread (has it a session?)");
	if (pfm_start_session(session, 0))
		err(1, "cannot start");
	work(PASSES);
	if (pfm_stop_session(session, 0))
		err(1, "cannot stop");
	close(session);

	printf("%d notifications in %llu instructions\n", (int)notifications,
	       PASSES * LOOP_INSTRUCTIONS);
	if (wrong)
		errx(1, "a message was wrong");
	if (notifications != NOTIFICATIONS)
		errx(1, "%d notifications were expected", NOTIFICATIONS);
	return 0;
}

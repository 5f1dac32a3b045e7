// SPDX-License-Identifier: MIT
/*
 * A signal after every so many instructions.
 *
 *	notify
 *
 * A counter that overflows stops the session, queues a message and sends SIGIO
 * to the thread, which reads the message and lets the session go on. As the
 * counter begins at -PERIOD, an overflow means that PERIOD events have happened.
 */
#include <err.h>
#include <fcntl.h>
#include <inttypes.h>
#include <perfmon/perfmon.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "program.h"
#include "work.h"

#define PERIOD 1000000
#define NOTIFICATIONS 20

/* In the middle between two of them: it takes instructions to handle one. */
#define PASSES (PERIOD / WORK_INSTRUCTIONS * NOTIFICATIONS + PERIOD / 4)

static const char *const events[] = { "instructions" };

static int session;
static unsigned int pmd;
static volatile sig_atomic_t notifications;
static volatile sig_atomic_t wrong;

/* Only async-signal-safe functions; those of perfmon are. */
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

/* Where the signal goes, and that there is one. */
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
		err(1, "cannot create a session");
	program_events(session, 0, events, 1, &counter);
	pmd = counter.reg_num;
	counter.reg_value = -(uint64_t)PERIOD;
	counter.reg_flags = PFM_REGFL_OVFL_NOTIFY;
	if (pfm_write_pmrs(session, PFM_RWFL_PMD | PFM_RWFL_PMD_ATTR, &counter,
			   1, &attr))
		err(1, "cannot set the period");
	ask_for_signal();

	if (pfm_attach_session(session, 0, gettid()))
		err(1, "cannot attach to myself");
	if (pfm_start_session(session, 0))
		err(1, "cannot start");
	work(PASSES);
	if (pfm_stop_session(session, 0))
		err(1, "cannot stop");
	close(session);

	printf("%d notifications in %llu instructions\n", (int)notifications,
	       PASSES * WORK_INSTRUCTIONS);
	if (wrong)
		errx(1, "a message was wrong");
	if (notifications != NOTIFICATIONS)
		errx(1, "there should have been %d", NOTIFICATIONS);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * A signal after every so many instructions, with the v2.81 calls.
 *
 *	notify
 *
 * A counter that overflows stops the context, queues a message and sends SIGIO
 * to the thread, which reads the message and lets the context go on. As the
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

static int context;
static unsigned int pmd;
static volatile sig_atomic_t notifications;
static volatile sig_atomic_t wrong;

/* Only async-signal-safe functions; those of perfmon are. */
static void on_overflow(int sig)
{
	pfarg_msg_t msg;
	const pfarg_ovfl_msg_t *ovfl = &msg.pfm_ovfl_msg;

	(void)sig;
	if (read(context, &msg, sizeof(msg)) != sizeof(msg) ||
	    msg.type != PFM_MSG_OVFL ||
	    ovfl->msg_ovfl_tid != (uint32_t)gettid() ||
	    ovfl->msg_ovfl_pmds[pmd / 64] != 1ULL << pmd % 64 ||
	    !is_in_work(ovfl->msg_ovfl_ip))
		wrong = 1;
	notifications = notifications + 1;
	if (pfm_restart(context))
		wrong = 1;
}

/* Where the signal goes, and that there is one. */
static void ask_for_signal(void)
{
	struct sigaction action = { .sa_handler = on_overflow };
	struct f_owner_ex owner = { .type = F_OWNER_TID, .pid = gettid() };

	if (sigaction(SIGIO, &action, NULL) ||
	    fcntl(context, F_SETOWN_EX, &owner) ||
	    fcntl(context, F_SETFL, O_ASYNC))
		err(1, "cannot ask for a signal");
}

int main(void)
{
	pfarg_ctx_t ctx = { 0 };
	pfarg_load_t load = { .load_pid = (uint32_t)gettid() };
	pfarg_pmd_t counter;

	context = pfm_create_context(&ctx, NULL, NULL, 0);
	if (context < 0)
		err(1, "cannot create a context");
	program_events(context, 0, events, 1, &counter);
	pmd = counter.reg_num;
	counter.reg_value = -(uint64_t)PERIOD;
	counter.reg_long_reset = -(uint64_t)PERIOD;
	counter.reg_short_reset = -(uint64_t)PERIOD;
	counter.reg_flags = PFM_REGFL_OVFL_NOTIFY;
	if (pfm_write_pmds(context, &counter, 1))
		err(1, "cannot set the period");
	ask_for_signal();

	if (pfm_load_context(context, &load))
		err(1, "cannot attach to myself");
	if (pfm_start(context, NULL))
		err(1, "cannot start");
	work(PASSES);
	if (pfm_stop(context))
		err(1, "cannot stop");
	close(context);

	printf("%d notifications in %llu instructions\n", (int)notifications,
	       PASSES * WORK_INSTRUCTIONS);
	if (wrong)
		errx(1, "a message was wrong");
	if (notifications != NOTIFICATIONS)
		errx(1, "there should have been %d", NOTIFICATIONS);
	return 0;
}

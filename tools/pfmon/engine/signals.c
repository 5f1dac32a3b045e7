// SPDX-License-Identifier: GPL-2.0-only
/* The signals of pfmon, see signals.h. */
#include "engine/signals.h"

#include <errno.h>
#include <time.h>

#include "engine/clocks.h"

static const int passed[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP };

void signals_take(struct signals *signals)
{
	struct sigaction action = { .sa_handler = SIG_DFL }, before;

	sigemptyset(&signals->taken);
	sigaddset(&signals->taken, SIGCHLD);
	for (unsigned int i = 0; i < sizeof(passed) / sizeof(int); i++) {
		/* Blocked, an ignored signal would be kept. */
		sigaction(passed[i], NULL, &before);
		if (before.sa_handler != SIG_IGN)
			sigaddset(&signals->taken, passed[i]);
	}
	sigprocmask(SIG_BLOCK, &signals->taken, &signals->mask);
	/* If SIGCHLD is ignored the command's status is lost. */
	sigaction(SIGCHLD, &action, &signals->child);
	/* A reader that has gone is an error of writing like any other. */
	action.sa_handler = SIG_IGN;
	sigaction(SIGPIPE, &action, &signals->pipe);
}

/* Those that nobody took do not come back when they are unblocked. */
static void drop_pending(const struct signals *signals)
{
	static const struct timespec now = { 0, 0 };

	while (sigtimedwait(&signals->taken, NULL, &now) > 0)
		;
}

void signals_restore_child(const struct signals *signals)
{
	sigaction(SIGCHLD, &signals->child, NULL);
	sigaction(SIGPIPE, &signals->pipe, NULL);
	sigprocmask(SIG_SETMASK, &signals->mask, NULL);
}

void signals_restore(const struct signals *signals)
{
	drop_pending(signals);
	signals_restore_child(signals);
}

int signals_wait(const struct signals *signals, uint64_t deadline,
		 siginfo_t *info)
{
	for (;;) {
		uint64_t now = clocks_now(), left;
		struct timespec time;
		int sig;

		left = deadline > now ? deadline - now : 0;
		time.tv_sec = (time_t)(left / NS_PER_S);
		time.tv_nsec = (long)(left % NS_PER_S);
		sig = sigtimedwait(&signals->taken, info,
				   deadline ? &time : NULL);
		if (sig > 0)
			return sig;
		if (errno != EINTR)
			return 0;
	}
}

// SPDX-License-Identifier: GPL-2.0-only
/* Signals that end the self-test, see stop.h. */
#include "stop.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t seen;

static void note_signal(int sig)
{
	seen = sig;
}

int stop_signal(void)
{
	return seen;
}

bool selftest_stopped(void)
{
	return seen;
}

void stop_catch(void)
{
	static const int signals[] = { SIGHUP, SIGINT, SIGTERM };
	/* A second signal ends pfmon at once, in the middle of a long loop. */
	struct sigaction action = { .sa_handler = note_signal,
				    .sa_flags = SA_RESTART | SA_RESETHAND };
	struct sigaction old;

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		sigaction(signals[i], NULL, &old);
		/* Signals that nohup(1) ignores stay ignored. */
		if (old.sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
	}
}

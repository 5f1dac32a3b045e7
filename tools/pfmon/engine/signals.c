// SPDX-License-Identifier: GPL-2.0-only
/* The signals of pfmon, see signals.h. */
#include "engine/signals.h"

#include <errno.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "engine/clocks.h"

#define LOOK_AGAIN_NS (100 * NS_PER_MS)

static const int wanted[] = {
	SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGUSR1
};

void signals_take(struct signals *signals)
{
	struct sigaction action = { .sa_handler = SIG_DFL }, before;

	sigemptyset(&signals->taken);
	sigaddset(&signals->taken, SIGCHLD);
	for (unsigned int i = 0; i < sizeof(wanted) / sizeof(int); i++) {
		/* Blocked, an ignored signal would be kept. */
		sigaction(wanted[i], NULL, &before);
		if (before.sa_handler != SIG_IGN)
			sigaddset(&signals->taken, wanted[i]);
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

static struct timespec time_to(uint64_t deadline)
{
	uint64_t now = clocks_now();
	uint64_t left = deadline > now ? deadline - now : 0;

	return (struct timespec){ .tv_sec = (time_t)(left / NS_PER_S),
				  .tv_nsec = (long)(left % NS_PER_S) };
}

int signals_wait(const struct signals *signals, uint64_t deadline,
		 siginfo_t *info)
{
	for (;;) {
		struct timespec time = time_to(deadline);
		int sig = sigtimedwait(&signals->taken, info,
				       deadline ? &time : NULL);

		if (sig > 0)
			return sig;
		if (errno != EINTR)
			return 0;
	}
}

int signals_poll(const struct signals *signals, uint64_t deadline,
		 struct pollfd *files, unsigned int count, siginfo_t *info)
{
	static const struct timespec now = { 0, 0 };
	int fd = signalfd(-1, &signals->taken, SFD_CLOEXEC), sig;
	struct timespec time;

	/* Without it nothing tells of them. */
	if (fd < 0 && !deadline)
		deadline = clocks_now() + LOOK_AGAIN_NS;
	time = time_to(deadline);
	files[count] = (struct pollfd){ .fd = fd, .events = POLLIN };
	ppoll(files, count + 1, deadline ? &time : NULL, NULL);
	if (fd >= 0)
		close(fd);
	sig = sigtimedwait(&signals->taken, info, &now);
	return sig > 0 ? sig : 0;
}

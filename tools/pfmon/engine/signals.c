// SPDX-License-Identifier: GPL-2.0-only
/* The signals of pfmon, see signals.h. */
#include "engine/signals.h"

#include <errno.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "engine/clocks.h"

#define LOOK_AGAIN_NS (100 * NS_PER_MS)

/* How long a signal that comes just before wait4() may go unseen. */
#define REPEAT_NS NS_PER_MS

#define SIG_DEADLINE SIGRTMIN

static const int wanted[] = {
	SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGUSR1
};

/* By the handler; several of one kind are one, as those that are blocked are. */
static struct {
	volatile sig_atomic_t came;
	siginfo_t info;
} caught[sizeof(wanted) / sizeof(int)];

/*
 * For wait4() in progress, whose signals are not blocked. The timer sends signals till
 * it is set anew: one of them ends the wait4(), even if its reason came before that.
 */
static struct {
	bool on;
	struct sigaction before[sizeof(wanted) / sizeof(int)];
	timer_t timer; /* a child has none of its parent's */
	bool set; /* to the deadline */
	volatile sig_atomic_t came; /* since they were looked for */
	uint64_t deadline;
	volatile sig_atomic_t due;
} catching;

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

/* Its number, if one has come; else 0. */
static int take_caught(siginfo_t *info)
{
	if (!catching.came)
		return 0;
	/* Before looking: what comes meanwhile is for the next time. */
	catching.came = 0;
	for (unsigned int i = 0; i < sizeof(wanted) / sizeof(int); i++) {
		if (!caught[i].came)
			continue;
		*info = caught[i].info;
		caught[i].came = 0;
		/* There may be others. */
		catching.came = 1;
		catching.set = false;
		return wanted[i];
	}
	return 0;
}

/* at: of clocks_now(), 0: never. */
static void set_timer(uint64_t at)
{
	struct itimerspec when = {
		.it_value = { .tv_sec = (time_t)(at / NS_PER_S),
			      .tv_nsec = (long)(at % NS_PER_S) },
		.it_interval = { .tv_nsec = at ? REPEAT_NS : 0 },
	};

	timer_settime(catching.timer, TIMER_ABSTIME, &when, NULL);
}

static void note_signal(int sig, siginfo_t *info, void *context)
{
	int error = errno;

	(void)context;
	for (unsigned int i = 0; i < sizeof(wanted) / sizeof(int); i++) {
		if (wanted[i] != sig || caught[i].came)
			continue;
		memcpy(&caught[i].info, info, sizeof(*info));
		caught[i].came = 1;
		catching.came = 1;
		set_timer(1);
	}
	errno = error;
}

static void note_deadline(int sig)
{
	(void)sig;
	catching.due = 1;
}

/* -1: there is no timer to be had. */
static int catch_signals(const struct signals *signals)
{
	struct sigaction action = { .sa_sigaction = note_signal,
				    .sa_flags = SA_SIGINFO,
				    .sa_mask = signals->taken };
	const struct sigaction deadline = { .sa_handler = note_deadline };
	/* Nobody is told of stops by signals. */
	const struct sigaction child = { .sa_handler = SIG_DFL,
					 .sa_flags = SA_NOCLDSTOP };
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL,
				  .sigev_signo = SIG_DEADLINE };
	sigset_t open = signals->taken;

	if (timer_create(CLOCK_MONOTONIC, &event, &catching.timer))
		return -1;
	for (unsigned int i = 0; i < sizeof(wanted) / sizeof(int); i++)
		if (sigismember(&signals->taken, wanted[i]))
			sigaction(wanted[i], &action, &catching.before[i]);
	sigaction(SIGCHLD, &child, NULL);
	sigaction(SIG_DEADLINE, &deadline, NULL);
	sigaddset(&open, SIG_DEADLINE);
	catching.on = true;
	catching.set = false;
	sigprocmask(SIG_UNBLOCK, &open, NULL);
	return 0;
}

void signals_wait_stopped(const struct signals *signals)
{
	const struct sigaction child = { .sa_handler = SIG_DFL };

	if (!catching.on)
		return;
	sigprocmask(SIG_BLOCK, &signals->taken, NULL);
	timer_delete(catching.timer);
	catching.on = false;
	for (unsigned int i = 0; i < sizeof(wanted) / sizeof(int); i++)
		if (sigismember(&signals->taken, wanted[i]))
			sigaction(wanted[i], &catching.before[i], NULL);
	sigaction(SIGCHLD, &child, NULL);
}

pid_t signals_wait4(const struct signals *signals, uint64_t deadline,
		    int *status, int *sig, siginfo_t *info)
{
	*sig = 0;
	if (!catching.on && catch_signals(signals))
		return -1;
	for (;;) {
		pid_t tid;

		/* From here on a signal sets it, and is not overruled. */
		if (!catching.set || catching.deadline != deadline) {
			catching.deadline = deadline;
			catching.set = true;
			set_timer(deadline);
			/* What the timer was set to before; it comes again. */
			catching.due = 0;
		}
		*sig = take_caught(info);
		if (*sig)
			return 0;
		/* One that came since then has set the timer: it is taken. */
		if (catching.due && !catching.came)
			return 0;
		if (catching.due)
			continue;
		tid = wait4(-1, status, __WALL, NULL);
		if (tid >= 0 || errno != EINTR)
			return tid;
	}
}

int signals_wait(const struct signals *signals, uint64_t deadline,
		 siginfo_t *info)
{
	int caught_before = take_caught(info);

	if (caught_before)
		return caught_before;
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

	sig = take_caught(info);
	if (sig) {
		if (fd >= 0)
			close(fd);
		return sig;
	}
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

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The signals of pfmon while it measures: they are blocked, and taken one by
 * one where pfmon waits, so that none is lost. Only where it waits for stops of
 * thousands of threads a handler notes them, because wait4(2) cannot wait for both.
 */
#ifndef PFMON_SIGNALS_H
#define PFMON_SIGNALS_H

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define SIGNALS_MAX 8

struct signals {
	struct sigaction child; /* dispositions as they were */
	struct sigaction pipe;
	sigset_t mask;
	sigset_t taken;
};

/*
 * Begins. Signals that are ignored stay so, for the command as well: it may
 * have been started in the background or by nohup(1).
 */
void signals_take(struct signals *signals);
/* Ends. What came for pfmon and was not taken is forgotten. */
void signals_restore(const struct signals *signals);
/* The same in the child, for the command: nothing is forgotten. */
void signals_restore_child(const struct signals *signals);

/*
 * Waits until one of them comes, at most to the deadline (of clocks_now(), 0:
 * for ever). Returns its number, 0 at the deadline. SIGCHLD is one of them.
 */
int signals_wait(const struct signals *signals, uint64_t deadline,
		 siginfo_t *info);

/*
 * The same, or until one of the files is ready, which are so many and have room
 * for one more.
 */
int signals_poll(const struct signals *signals, uint64_t deadline,
		 struct pollfd *files, unsigned int count, siginfo_t *info);

/*
 * Waits for a report of any child or thread that is traced, as wait4(2) does, until
 * the deadline or one of the signals. Returns the thread; 0: none, and *sig is the
 * signal, or 0 at the deadline; -1: there is nobody. No SIGCHLD is sent for a stop
 * meanwhile, nor taken. signals_wait_stopped() must follow before anything else
 * waits.
 */
pid_t signals_wait4(const struct signals *signals, uint64_t deadline,
		    int *status, int *sig, siginfo_t *info);

/* What has come since is taken by whoever waits next. */
void signals_wait_stopped(const struct signals *signals);

/*
 * The command is to have it. Not what the terminal or the kernel has sent, which
 * the command has already; SIGUSR1 is for pfmon, which makes a snapshot.
 */
static inline bool signals_are_passed(int sig, const siginfo_t *info)
{
	return sig != SIGCHLD && sig != SIGUSR1 && info->si_code <= 0;
}

#endif /* PFMON_SIGNALS_H */

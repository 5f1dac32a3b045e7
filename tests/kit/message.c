// SPDX-License-Identifier: GPL-2.0-only
/* Reading messages, and counting the signals that announce them. */
#include "message.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/utsname.h>
#include <ucontext.h>
#include <unistd.h>

#define PATIENCE_MS 10000

volatile int message_signals;
volatile uint64_t message_signal_ip;

static int take(int fd, union pfarg_msg *msg, int timeout)
{
	struct pollfd ready = { .fd = fd, .events = POLLIN };
	ssize_t n;
	int rc;

	memset(msg, 0xa5, sizeof(*msg));
	do {
		rc = poll(&ready, 1, timeout);
	} while (rc < 0 && errno == EINTR);
	if (rc <= 0)
		return rc ? errno : EAGAIN;
	n = read(fd, msg, sizeof(*msg));
	if (n < 0)
		return errno;
	return n == sizeof(*msg) ? 0 : EIO;
}

int message_take(int fd, union pfarg_msg *msg)
{
	return take(fd, msg, 0);
}

int message_take_end(int fd)
{
	union pfarg_msg msg;
	int err = message_take(fd, &msg);

	return !err && msg.type != PFM_MSG_END ? EPROTO : err;
}

int message_wait(int fd, union pfarg_msg *msg)
{
	return take(fd, msg, PATIENCE_MS);
}

bool message_names(const union pfarg_msg *msg, uint64_t pmds)
{
	const uint64_t expected[PFM_PMD_BV] = { pmds };

	return !memcmp(msg->pfm_ovfl_msg.msg_ovfl_pmds, expected,
		       sizeof(expected));
}

static void on_signal(int sig, siginfo_t *info, void *context)
{
	const ucontext_t *interrupted = context;

	(void)sig;
	(void)info;
	message_signals++;
#ifdef __x86_64__
	message_signal_ip = interrupted->uc_mcontext.gregs[REG_RIP];
#else
	message_signal_ip = (uint32_t)interrupted->uc_mcontext.gregs[REG_EIP];
#endif
}

bool message_signals_are_late(void)
{
	struct utsname kernel;

	return !uname(&kernel) && strstr(kernel.version, "PREEMPT_RT");
}

int message_signals_told(int least)
{
	int ms;

	for (ms = 0; message_signals_are_late() && message_signals < least &&
		     ms < PATIENCE_MS;
	     ms++)
		usleep(1000);
	return message_signals;
}

int message_signal(int fd, int sig)
{
	struct sigaction action = { .sa_sigaction = on_signal,
				    .sa_flags = SA_SIGINFO };
	struct f_owner_ex me = { .type = F_OWNER_TID, .pid = gettid() };

	message_signals = 0;
	if (sigaction(sig, &action, NULL) || fcntl(fd, F_SETOWN_EX, &me) ||
	    fcntl(fd, F_SETSIG, sig))
		return -1;
	return fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_ASYNC);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random use of sessions. Nothing here waits for anything for long, except a
 * thread that an overflow has blocked.
 */
#include "churn.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <perfmon/perfmon.h>
#include <perfmon/perfmon_dfl_smpl.h>

#include "array_size.h"
#include "child.h"
#include "event_set.h"
#include "loop.h"
#include "machine.h"
#include "pmrs.h"
#include "pmu.h"
#include "prng.h"

#define BUFFER_SIZE 8192
#define MAX_SET 4

/* One thread. */
struct churner {
	pthread_t thread;
	struct churn *churn;
	struct prng prng;
};

/* What others may be the reason of, and no other error. */
static void check(const char *what, int rc)
{
	static const int expected[] = { EINVAL, ESRCH, EBUSY, EEXIST,
					EPERM,	EBADF, EAGAIN };
	unsigned int i;

	if (rc >= 0)
		return;
	for (i = 0; i < ARRAY_SIZE(expected); i++)
		if (errno == expected[i])
			return;
	printf("# %s: %s\n", what, strerror(errno));
	fflush(stdout);
	_exit(1);
}

static int *random_slot(struct churner *c)
{
	return &c->churn->slots[prng_below(&c->prng, CHURN_SLOTS)];
}

static int random_fd(struct churner *c)
{
	return __atomic_load_n(random_slot(c), __ATOMIC_RELAXED);
}

static void put_fd(struct churner *c, int fd)
{
	int old = __atomic_exchange_n(random_slot(c), fd, __ATOMIC_RELAXED);

	if (old >= 0)
		close(old);
}

static void run(struct churner *c)
{
	counted_loop(2 + 2 * prng_below(&c->prng, 50000));
}

static void create(struct churner *c)
{
	static const int kinds[] = { 0,
				     0,
				     PFM_FL_SYSTEM_WIDE,
				     PFM_FL_OVFL_NO_MSG,
				     PFM_FL_OVFL_SIGINFO,
				     PFM_FL_NOTIFY_BLOCK,
				     PFM_FL_SMPL_FMT,
				     PFM_FL_SMPL_FMT | PFM_FL_SYSTEM_WIDE };
	struct pfm_dfl_smpl_arg arg = { .buf_size = BUFFER_SIZE };
	int flags = kinds[prng_below(&c->prng, 8)];
	int fd = pfm_create_session(flags, "default", &arg, sizeof(arg));

	check("create", fd);
	if (fd < 0)
		return;
	fcntl(fd, F_SETFL, O_NONBLOCK);
	if (prng_one_in(&c->prng, 3)) {
		fcntl(fd, F_SETSIG, SIGRTMIN);
		fcntl(fd, F_SETOWN, gettid());
		fcntl(fd, F_SETFL, O_NONBLOCK | O_ASYNC);
	}
	pmu_count_user(fd, pmu_first(), -20000);
	put_fd(c, fd);
}

/* A negative value: sometimes so near to its end that it storms. */
static uint64_t random_period(struct churner *c)
{
	return -(1ULL
		 << (prng_one_in(&c->prng, 20) ? 0 :
						 8 + prng_below(&c->prng, 24)));
}

static void program(struct churner *c)
{
	const struct pmu *pmu = pmu_get();
	const struct pmu_counter *counter =
		&pmu->counter[prng_below(&c->prng, pmu->counters)];
	struct pfarg_pmd_attr attr = {
		.reg_long_reset = random_period(c),
		.reg_short_reset = random_period(c),
		.reg_random_mask = prng_below(&c->prng, 256),
		.reg_ovfl_swcnt = prng_below(&c->prng, 4),
		.reg_smpl_pmds = { 1ULL << counter->pmd },
	};
	uint16_t set = prng_below(&c->prng, MAX_SET);
	uint32_t flags = prng_below(&c->prng, 4);
	struct pfarg_pmr pmr = { .reg_num = counter->pmd,
				 .reg_set = set,
				 .reg_flags = flags,
				 .reg_value = random_period(c) };
	int fd = random_fd(c);

	check("write PMC",
	      pmu_program_set(fd, set, counter,
			      prng_one_in(&c->prng, 2) ? counter->user :
							 counter->kernel,
			      0));
	check("write PMD", pfm_write_pmrs(fd, PFM_RWFL_PMD | PFM_RWFL_PMD_ATTR,
					  &pmr, 1, &attr));
}

static void make_set(struct churner *c)
{
	uint64_t timeout = timer_round(10000ULL << prng_below(&c->prng, 10));
	uint16_t id = prng_below(&c->prng, MAX_SET);
	int fd = random_fd(c);

	if (prng_one_in(&c->prng, 5))
		check("delete set", set_delete(fd, id));
	else
		check("make set",
		      set_make(fd, id, prng_below(&c->prng, 3), timeout));
}

static void attach(struct churner *c)
{
	int fd = random_fd(c);

	/* The thread's own number is no CPU's. */
	check("attach to self", attach_self(fd));
	check("attach to CPU",
	      pfm_attach_session(fd, 0, prng_below(&c->prng, 4)));
	check("start", pfm_start_session(fd, 0));
	run(c);
}

static void detach(struct churner *c)
{
	check("detach", pfm_detach_session(random_fd(c), 0));
}

static void start_stop_restart(struct churner *c)
{
	int fd = random_fd(c);

	if (prng_one_in(&c->prng, 2))
		check("restart", pfm_start_session(fd, PFM_STFL_RESTART));
	if (prng_one_in(&c->prng, 3))
		check("stop", pfm_stop_session(fd, 0));
	else
		check("start", pfm_start_session(fd, 0));
	run(c);
}

static void look(struct churner *c)
{
	uint16_t set = prng_below(&c->prng, MAX_SET);
	struct pfarg_setinfo info;
	struct pollfd poller = { .fd = random_fd(c), .events = POLLIN };
	uint64_t value;
	char msg[64];

	check("read PMD",
	      set_read_pmd(poller.fd, set, pmu_first()->pmd, &value));
	check("getinfo", set_info(poller.fd, set, &info));
	if (poll(&poller, 1, 0) == 1)
		check("read", read(poller.fd, msg, sizeof(msg)));
}

static void map(struct churner *c)
{
	const struct pfm_dfl_smpl_hdr *hdr;
	int fd = random_fd(c);
	void *buf = mmap(NULL, BUFFER_SIZE, PROT_READ, MAP_SHARED, fd, 0);

	if (buf == MAP_FAILED)
		return;
	hdr = buf;
	if (hdr->hdr_cur_offs > BUFFER_SIZE) {
		printf("# buffer overrun\n");
		_exit(1);
	}
	if (prng_one_in(&c->prng, 4))
		detach(c);
	munmap(buf, BUFFER_SIZE);
}

static void pause_briefly(struct churner *c)
{
	struct timespec time = { .tv_nsec = prng_below(&c->prng, 2000000) };

	nanosleep(&time, NULL);
}

static void duplicate(struct churner *c)
{
	int fd = dup(random_fd(c));

	check("dup", fd);
	if (fd >= 0)
		put_fd(c, fd);
}

static void close_one(struct churner *c)
{
	put_fd(c, -1);
}

static bool is_session(int fd)
{
	char path[32], link[64] = "";

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return readlink(path, link, sizeof(link) - 1) > 0 &&
	       !strcmp(link, "anon_inode:[pfmfd]");
}

/* From another process, which may have died. */
static void take_fd(struct churner *c)
{
	const volatile pid_t *peers = c->churn->peers;
	int pidfd = (int)syscall(SYS_pidfd_open,
				 peers[prng_below(&c->prng, CHURN_PEERS)], 0);
	int fd;

	if (pidfd < 0)
		return;
	fd = (int)syscall(SYS_pidfd_getfd, pidfd, 3 + prng_below(&c->prng, 10),
			  0);
	close(pidfd);
	if (fd >= 0 && is_session(fd))
		put_fd(c, fd);
	else if (fd >= 0)
		close(fd);
}

int churn_exec(void)
{
	counted_loop(100000);
	return 0;
}

/* A child that is monitored by itself or by us; @arg is a descriptor. */
static int monitored_child(void *arg)
{
	int fd = *(int *)arg;

	if (!attach_self(fd))
		pfm_start_session(fd, 0);
	counted_loop(50000);
	if (fd % 2)
		execl("/proc/self/exe", CHURN_EXEC, CHURN_EXEC, NULL);
	return 0;
}

static void fork_child(struct churner *c)
{
	int fd = random_fd(c);
	pid_t pid;

	if (prng_one_in(&c->prng, 2)) {
		pid = child_start(monitored_child, &fd);
	} else {
		pid = child_start_stopped(monitored_child, &fd);
		if (pid < 0)
			return;
		check("attach to child", pfm_attach_session(fd, 0, pid));
		check("start", pfm_start_session(fd, 0));
		child_continue(pid);
	}
	if (pid < 0)
		return;
	run(c);
	look(c);
	child_kill(pid);
}

static void (*const actions[])(struct churner *c) = {
	run,	  create,     create,	     program,	program,
	make_set, attach,     attach,	     detach,	start_stop_restart,
	look,	  map,	      pause_briefly, duplicate, close_one,
	take_fd,  fork_child,
};

/* An overflow of a session with F_SETSIG; it may be gone by now. */
static void restart(int sig, siginfo_t *info, void *context)
{
	int saved = errno;
	char msg[64];

	(void)sig;
	(void)context;
	if (info->si_code == POLL_IN) {
		if (read(info->si_fd, msg, sizeof(msg)) < 0)
			errno = 0;
		pfm_start_session(info->si_fd, PFM_STFL_RESTART);
	}
	errno = saved;
}

static void *act(void *arg)
{
	struct churner *c = arg;

	for (;;)
		actions[prng_below(&c->prng, ARRAY_SIZE(actions))](c);
	return NULL;
}

void churn_forever(struct churn *churn, unsigned int threads)
{
	struct sigaction action = { .sa_sigaction = restart,
				    .sa_flags = SA_SIGINFO | SA_RESTART };
	struct churner *churners = calloc(threads, sizeof(*churners));
	unsigned int i;

	sigaction(SIGRTMIN, &action, NULL);
	/* What the former becomes when too many wait; and SIGINFO's default. */
	signal(SIGIO, SIG_IGN);
	for (i = 0; i < CHURN_SLOTS; i++)
		churn->slots[i] = -1;
	pmu_get();
	for (i = 0; i < threads; i++) {
		churners[i].churn = churn;
		prng_seed(&churners[i].prng, churn->seed, i);
		if (pthread_create(&churners[i].thread, NULL, act,
				   &churners[i]))
			_exit(1);
	}
	for (;;)
		pause();
}

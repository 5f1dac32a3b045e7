// SPDX-License-Identifier: GPL-2.0-only
/*
 * Short lives. Errors are others' doing (the PMU is perf's just now, the CPU is
 * off line), so none is looked at: what matters is what the kernel says.
 */
#include "fleeting.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

#include <perfmon/perfmon.h>

#include "array_size.h"
#include "child.h"
#include "churn.h"
#include "loop.h"
#include "machine.h"
#include "perf.h"
#include "pmrs.h"
#include "pmu.h"
#include "prng.h"

/* Between two lives, so that often nobody lives; they last longer if it is slow. */
#define PAUSE_NS 4000000
#define SLOW_PAUSE_NS 200000000

struct fleeting {
	struct prng prng;
	int fd; /* that the other thread closes ... */
	sem_t wanted; /* ... when it is told */
	sem_t done;
};

static void *close_when_told(void *arg)
{
	struct fleeting *f = arg;

	for (;;) {
		sem_wait(&f->wanted);
		close(f->fd);
		sem_post(&f->done);
	}
	return NULL;
}

/* A session that counts, if it can. */
static int live(int flags, int target)
{
	int fd = pmu_session(flags);

	if (fd < 0)
		return fd;
	if (!pfm_attach_session(fd, 0, target))
		pfm_start_session(fd, 0);
	return fd;
}

static int run_and_exit(void *arg)
{
	(void)arg;
	counted_loop(2000);
	return 0;
}

static int run_and_exec(void *arg)
{
	(void)arg;
	execl("/proc/self/exe", CHURN_EXEC, CHURN_EXEC, NULL);
	return 1;
}

static child_fn random_child(struct fleeting *f)
{
	return prng_one_in(&f->prng, 3) ? run_and_exec : run_and_exit;
}

/* The session goes while its target is copied. */
static void fork_meets_close(struct fleeting *f)
{
	pid_t pid;

	f->fd = live(0, gettid());
	if (f->fd < 0)
		return;
	sem_post(&f->wanted);
	pid = child_start(random_child(f), NULL);
	sem_wait(&f->done);
	if (pid > 0)
		child_wait(pid);
}

/* Nobody else has the descriptor when the target ends or executes a program. */
static int take_it_along(void *arg)
{
	struct fleeting *f = arg;

	live(0, gettid());
	return random_child(f)(NULL);
}

static void exit_closes(struct fleeting *f)
{
	pid_t pid = child_start(take_it_along, f);

	if (pid > 0)
		child_wait(pid);
}

static void cpu_session(struct fleeting *f)
{
	int fd = live(PFM_FL_SYSTEM_WIDE, prng_below(&f->prng, 4));

	counted_loop(2000);
	close(fd);
}

static void attach_meets_close(struct fleeting *f)
{
	f->fd = pmu_session(0);
	if (f->fd < 0)
		return;
	sem_post(&f->wanted);
	pfm_attach_session(f->fd, 0, gettid());
	sem_wait(&f->done);
}

static void perf_wants_it(struct fleeting *f)
{
	(void)f;
	close(perf_open_instructions());
}

static void count_and_close(struct fleeting *f)
{
	(void)f;
	close(live(0, gettid()));
}

/* Those that fork take long. */
static void (*const lives[])(struct fleeting *f) = {
	fork_meets_close,   exit_closes,	cpu_session,
	cpu_session,	    attach_meets_close, attach_meets_close,
	attach_meets_close, count_and_close,	count_and_close,
	count_and_close,    perf_wants_it,
};

void fleeting_forever(uint64_t seed)
{
	struct fleeting f = { .fd = -1 };
	struct timespec pause = { 0 };
	uint32_t longest = kernel_is_slow() ? SLOW_PAUSE_NS : PAUSE_NS;
	pthread_t closer;

	prng_seed(&f.prng, seed, 0);
	sem_init(&f.wanted, 0, 0);
	sem_init(&f.done, 0, 0);
	pmu_get();
	if (pthread_create(&closer, NULL, close_when_told, &f))
		_exit(1);
	for (;;) {
		lives[prng_below(&f.prng, ARRAY_SIZE(lives))](&f);
		pause.tv_nsec = prng_below(&f.prng, longest);
		nanosleep(&pause, NULL);
	}
}

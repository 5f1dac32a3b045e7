// SPDX-License-Identifier: GPL-2.0-only
/*
 * Processes that are monitored: one that each thread traces, and others that
 * live for a moment and monitor themselves.
 */
#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

#include <perfmon/pfm_state.h>

#include "calls.h"
#include "child.h"
#include "loop.h"

#define CHILD_LOOP 20000

/* A process costs as much as a hundred calls: they are few. */
#define CHILD_LOOPS 200
#define CHILD_FORKS 80

/* The threads that make calls need most of the processors' time. */
#define CHILD_PAUSE_US 500

int fuzz_exec(void)
{
	counted_loop(CHILD_LOOP);
	return 0;
}

/* Becomes the program that ends after a loop. */
static int become_another(void)
{
	execl("/proc/self/exe", FUZZ_EXEC, FUZZ_EXEC, NULL);
	return 1;
}

/* Forks from time to time, then goes on as another program or ends. */
static int traced_child(void *arg)
{
	uint32_t kind = (uint32_t)(uintptr_t)arg;
	int i;

	/* It is to be monitored, not to keep sessions that are closed. */
	close_range(3, ~0U, 0);
	for (i = 1; kind % 4 == 0 || i < CHILD_LOOPS; i++) {
		counted_loop(CHILD_LOOP);
		usleep(CHILD_PAUSE_US);
		if (kind % 4 == 1 && i % CHILD_FORKS == 0 && !fork())
			_exit(0);
	}
	while (wait(NULL) > 0)
		;
	return kind % 4 == 2 ? become_another() : 0;
}

const char *fuzz_child_start(struct fuzzer *f)
{
	uintptr_t kind = prng_below(&f->prng, 4);

	f->child_runs = false;
	f->child = child_start_stopped(traced_child, (void *)kind);
	f->fuzz->children[f->number] = f->child;
	return f->child < 0 ? "no child" : NULL;
}

void fuzz_child_end(struct fuzzer *f)
{
	child_kill(f->child);
}

/*
 * Lets the child run on or stops it, or has another one. One that has come to
 * its end, or has been stopped by its exec(), is no failure.
 */
const char *fuzz_trace(struct fuzzer *f)
{
	if (prng_one_in(&f->prng, 16)) {
		TELL(f, "the end of the child");
		fuzz_child_end(f);
		return fuzz_child_start(f);
	}
	TELL(f, "%s of the child", f->child_runs ? "stop" : "continuation");
	if (f->child_runs ? child_stop(f->child) : child_continue(f->child)) {
		fuzz_child_end(f);
		return fuzz_child_start(f);
	}
	f->child_runs = !f->child_runs;
	return NULL;
}

/* How a short life is spent. */
struct life {
	int fd;
	uint32_t kind;
	bool maps; /* the page of the session, till its end */
};

/* Usable for this process, which alone has it mapped then, or not at all. */
static void read_page(int fd)
{
	const struct pfm_state *state = pfm_map_state(fd);

	if (state && state->nr_counters)
		pfm_state_read(state, 0);
}

static int short_life(void *arg)
{
	const struct life *life = arg;

	if (!pfm_attach_session(life->fd, 0, getpid()))
		pfm_start_session(life->fd, 0);
	if (life->maps)
		read_page(life->fd);
	counted_loop(CHILD_LOOP);
	switch (life->kind) {
	case 0:
		return become_another();
	case 1:
		return fork() ? 0 : become_another();
	case 2:
		return close(life->fd) && errno != EBADF;
	default:
		return 0;
	}
}

const char *fuzz_fork(struct fuzzer *f)
{
	struct life life = { .fd = fuzz_fd(f),
			     .kind = prng_below(&f->prng, 4),
			     .maps = prng_one_in(&f->prng, 2) };
	pid_t pid;

	TELL(f, "fork, kind %u, session %d%s", life.kind, life.fd,
	     life.maps ? ", its page" : "");
	pid = child_start(short_life, &life);
	if (pid < 0)
		return "fork failed";
	return child_wait(pid) ? "the child has failed" : NULL;
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The state of the fuzzer, and what its parts offer each other.
 *
 * What a call is given is mostly valid, so that it gets somewhere, and wrong in
 * one place now and then. What it may answer is known from the description of
 * the interface.
 */
#ifndef PFM_FUZZ_H
#define PFM_FUZZ_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "arena.h"
#include "pmu.h"
#include "prng.h"

#define FUZZ_THREADS 3

/* Descriptors that all threads share; each prefers some of them. */
#define FUZZ_OWN_FDS 3
#define FUZZ_FDS (FUZZ_THREADS * FUZZ_OWN_FDS)

/*
 * Sessions have descriptors from FIRST on. The files that a thread opens for itself
 * get lower ones, or another thread would take one of them for a session that has
 * been closed. The process never has MAX.
 */
#define FUZZ_FIRST_FD 128
#define FUZZ_MAX_FD 256

/* Sets of a new session. */
#define FUZZ_SETS 3

/* Kinds of calls. */
#define FUZZ_CALLS 19

/* All errno of the interface are below; another counts as the last of them. */
#define FUZZ_ERRNOS 64

#define FUZZ_TEXT 160

/* Bytes of a sampling buffer, most of the time. */
#define FUZZ_BUFFER 8192

/* What the threads share. */
struct fuzz {
	int fds[FUZZ_FDS]; /* -1: none */
	int flags[FUZZ_MAX_FD]; /* a guess: those of the session */
	int cpus; /* of the machine */
	bool slow; /* the kernel checks itself, and executes much more */
	uint32_t longest_period; /* in events, of most counters that overflow */
	uint32_t shortest_timeout; /* in ns, of most sets that have one */
	int other_fd; /* open, and no session */
	volatile bool stop; /* somebody has found something */
	/*
	 * Held while a new session does not have O_NONBLOCK yet, and to read:
	 * a descriptor may become another session at any moment.
	 */
	pthread_mutex_t blocking;
	volatile pid_t children[FUZZ_THREADS];
};

struct pfm_state;

/* One thread. */
struct fuzzer {
	struct fuzz *fuzz;
	int number;
	struct prng prng;
	struct arena arena;
	pid_t child; /* traced by this thread */
	bool child_runs;
	const struct pfm_state *page; /* mapped, or NULL */
	char text[FUZZ_TEXT]; /* the call that is being made */
	int err; /* of that call, 0 if it succeeded */
	long results[FUZZ_CALLS][FUZZ_ERRNOS]; /* how often, by errno */
};

/*
 * Makes one call. Returns NULL, or what is wrong with its result; @text tells
 * which call it was.
 */
const char *fuzz_call(struct fuzzer *f);

const char *fuzz_call_name(unsigned int call);

/*
 * children.c: the child that this thread traces. Returns NULL or what is wrong.
 * The thread itself must call them.
 */
const char *fuzz_child_start(struct fuzzer *f);
void fuzz_child_end(struct fuzzer *f);

/* pages.c: before the threads start, and what a thread has mapped. */
void fuzz_pages_start(void);
void fuzz_page_end(struct fuzzer *f);

/* What a program does that is called like this. */
#define FUZZ_EXEC "fuzz-exec"
int fuzz_exec(void);

/* values.c */
bool fuzz_rarely(struct fuzzer *f);
uint64_t fuzz_value(struct fuzzer *f);
int fuzz_fd(struct fuzzer *f);
void fuzz_put_fd(struct fuzzer *f, int fd);
int fuzz_flags(struct fuzzer *f, const int *valid, unsigned int nr);
int fuzz_count(struct fuzzer *f, unsigned int most);
uint16_t fuzz_set(struct fuzzer *f);
const struct pmu_counter *fuzz_counter(struct fuzzer *f);
uint16_t fuzz_register(struct fuzzer *f, uint16_t num);
void *fuzz_pointer(struct fuzzer *f, void *valid);
int fuzz_target(struct fuzzer *f, int fd);

/* setup.c: registers and sets of a new session. */
void fuzz_setup(struct fuzzer *f, int fd);

#endif

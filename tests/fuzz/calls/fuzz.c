// SPDX-License-Identifier: GPL-2.0-only
/*
 * The fuzzer: threads that make calls whose arguments are mostly valid, and
 * look at the answers. The same seed makes the same calls, on the test machine
 * at the same moments.
 *
 *	fuzz [CALLS [SEED]]	50000 and 1 unless given
 *
 * On a failure, also of the kernel, it prints the seed and what each thread was
 * at. In the end it prints how often each call was made and succeeded, which
 * must be often enough for the calls to get anywhere.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "attr.h"
#include "fuzz.h"
#include "kmsg.h"
#include "machine.h"
#include "pfm_test.h"
#include "pmu.h"
#include "sessions.h"

#define MAX_SECONDS 86400

/* Many calls, some overflows and set switches; in a slow kernel fewer. */
#define PERIOD 100000
#define SLOW_PERIOD 1000000
#define TIMEOUT_NS 10000
#define SLOW_TIMEOUT_NS 1000000

/* Of guest time, in which no thread has made a call: they all hang. */
#define STALL_SECONDS 120

/* How often the main thread looks, and says how far the calls are. */
#define INTERVAL_MS 10
#define REPORTS 20

static long calls = 50000;
static uint64_t seed = 1;

struct fuzz_thread {
	pthread_t thread;
	struct fuzzer fuzzer;
	volatile long call;
	volatile bool done;
	const char *wrong;
};

/* ptrace wants the thread itself to be the parent. */
static const char *prepare(struct fuzzer *f)
{
	if (arena_init(&f->arena))
		return "no memory";
	return fuzz_child_start(f);
}

static void *fuzz_thread(void *arg)
{
	struct fuzz_thread *t = arg;
	struct fuzzer *f = &t->fuzzer;

	t->wrong = prepare(f);
	while (!t->wrong && !f->fuzz->stop && t->call * FUZZ_THREADS < calls) {
		t->wrong = fuzz_call(f);
		t->call++;
	}
	if (t->wrong)
		f->fuzz->stop = true;
	if (f->child > 0)
		fuzz_child_end(f);
	fuzz_page_end(f);
	t->done = true;
	return NULL;
}

static bool all_done(const struct fuzz_thread *threads)
{
	int i;

	for (i = 0; i < FUZZ_THREADS && threads[i].done; i++)
		;
	return i == FUZZ_THREADS;
}

FIXTURE(fuzzers)
{
	struct fuzz fuzz;
	struct fuzz_thread threads[FUZZ_THREADS];
	int kmsg;
};

FIXTURE_SETUP(fuzzers)
{
	int i;

	/* For all that a session may send, children included. */
	signal(SIGIO, SIG_IGN);
	signal(SIGRTMIN, SIG_IGN);
	fuzz_pages_start();
	ASSERT_NE(NULL, pmu_get());
	ASSERT_EQ(0, pthread_mutex_init(&self->fuzz.blocking, NULL));
	self->kmsg = kmsg_open();
	ASSERT_LE(0, self->kmsg);
	self->fuzz.other_fd = open("/dev/null", O_RDWR);
	ASSERT_LE(0, self->fuzz.other_fd);
	self->fuzz.cpus = cpus_online();
	self->fuzz.slow = kernel_is_slow();
	self->fuzz.longest_period = self->fuzz.slow ? SLOW_PERIOD : PERIOD;
	self->fuzz.shortest_timeout = self->fuzz.slow ? SLOW_TIMEOUT_NS :
							TIMEOUT_NS;
	for (i = 0; i < FUZZ_FDS; i++)
		self->fuzz.fds[i] = -1;
	for (i = 0; i < FUZZ_THREADS; i++) {
		self->threads[i].fuzzer.fuzz = &self->fuzz;
		self->threads[i].fuzzer.number = i;
		prng_seed(&self->threads[i].fuzzer.prng, seed, i);
	}
	TH_LOG("%ld calls with seed %llu", calls, (unsigned long long)seed);
}

FIXTURE_TEARDOWN(fuzzers)
{
	attr_write("rdpmc", "1");
	close(self->kmsg);
}

static long calls_made(const struct fuzz_thread *threads)
{
	long sum = 0;
	int i;

	for (i = 0; i < FUZZ_THREADS; i++)
		sum += threads[i].call;
	return sum;
}

static void show_threads(struct __test_metadata *_metadata,
			 const struct fuzz_thread *threads)
{
	int i;

	for (i = 0; i < FUZZ_THREADS; i++)
		TH_LOG("seed %llu, thread %d, call %ld: %s: %s",
		       (unsigned long long)seed, i, threads[i].call,
		       threads[i].fuzzer.text,
		       threads[i].wrong ? threads[i].wrong : "fine");
}

/*
 * Waits until all threads are done, one has found something, or the kernel has:
 * then the calls that are under way may be to blame.
 */
static void watch(struct __test_metadata *_metadata,
		  const struct fuzz_thread *threads, struct fuzz *fuzz,
		  int kmsg)
{
	const struct timespec interval = { .tv_nsec = INTERVAL_MS * 1000000 };
	const long step = calls / REPORTS + 1;
	long now, last = 0, report = step;
	int unchanged = 0;

	while (!all_done(threads) && !fuzz->stop) {
		nanosleep(&interval, NULL);
		if (kmsg_says(kmsg, "Call Trace")) {
			TH_LOG("the kernel has printed a call trace");
			fuzz->stop = true;
		}
		now = calls_made(threads);
		if (now > report) {
			TH_LOG("%ld calls", now);
			report += step;
		}
		unchanged = now == last ? unchanged + 1 : 0;
		last = now;
		if (unchanged > STALL_SECONDS * 1000 / INTERVAL_MS) {
			TH_LOG("no thread goes on");
			show_threads(_metadata, threads);
			_exit(KSFT_FAIL);
		}
	}
}

/* How often calls of one kind must succeed, in percent. */
#define LEAST_SUCCESS 1

static long results(const struct fuzz_thread *threads, int call, int err)
{
	long sum = 0;
	int i;

	for (i = 0; i < FUZZ_THREADS; i++)
		sum += threads[i].fuzzer.results[call][err];
	return sum;
}

static void expect_success(struct __test_metadata *_metadata,
			   const struct fuzz_thread *threads)
{
	int call, err, at;
	char line[256];
	long n, made;

	for (call = 0; call < FUZZ_CALLS; call++) {
		at = snprintf(line, sizeof(line), "%s:", fuzz_call_name(call));
		made = 0;
		for (err = 0; err < FUZZ_ERRNOS; err++) {
			n = results(threads, call, err);
			made += n;
			if (n && at < (int)sizeof(line))
				at += snprintf(
					line + at, sizeof(line) - at, " %s %ld",
					err ? strerrorname_np(err) : "success",
					n);
		}
		TH_LOG("%s", line);
		EXPECT_LE(made * LEAST_SUCCESS,
			  results(threads, call, 0) * 100);
	}
}

TEST_F_TIMEOUT(fuzzers, every_call_is_answered_as_described, MAX_SECONDS)
{
	struct fuzz_thread *t;
	int i;

	for (t = self->threads; t < self->threads + FUZZ_THREADS; t++)
		ASSERT_EQ(0, pthread_create(&t->thread, NULL, fuzz_thread, t));
	watch(_metadata, self->threads, &self->fuzz, self->kmsg);
	for (i = 0; i < FUZZ_THREADS; i++)
		pthread_join(self->threads[i].thread, NULL);
	EXPECT_FALSE(self->fuzz.stop)
	{
		show_threads(_metadata, self->threads);
	}
	EXPECT_LE(calls, calls_made(self->threads));
	for (i = 0; i < FUZZ_FDS; i++)
		close(self->fuzz.fds[i]);
	EXPECT_TRUE(nothing_is_left());
	expect_success(_metadata, self->threads);
}

int main(int argc, char **argv)
{
	if (!strcmp(argv[0], FUZZ_EXEC))
		return fuzz_exec();
	/* Options are the harness's. */
	if (argc > 1 && argv[1][0] != '-') {
		calls = strtol(argv[1], NULL, 0);
		if (argc > 2)
			seed = strtoull(argv[2], NULL, 0);
	}
	return test_harness_run(argc, argv);
}

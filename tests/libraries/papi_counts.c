// SPDX-License-Identifier: GPL-2.0-only
/*
 * PAPI counts through the component perfmon: work of known length, in all the ways that
 * PAPI has. Runs in the guest as root, where counters are exact, with two CPUs; writes TAP.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "counting.h"
#include "papi_tests.h"

#define SHORT 1000
#define LONG 251000
#define READS 100

/* What two reads with work between them say, less what they cost without. */
static long long between_reads(int set, unsigned long passes, int event)
{
	long long before[2], after[2];

	must(PAPI_read(set, before), "PAPI_read");
	work(passes);
	must(PAPI_read(set, after), "PAPI_read");
	return after[event] - before[event];
}

/* The test machine has cycles at a rate that is not the one of instructions. */
static int are_cycles_of(long long passes, long long n)
{
	return n > passes * PASS && n < passes * PASS * 4;
}

static void test_reads(void)
{
	int set = event_set(instructions, cycles);
	long long values[2], n;

	must(PAPI_start(set), "PAPI_start");
	between_reads(set, 1, 0);
	n = between_reads(set, LONG, 0) - between_reads(set, SHORT, 0);
	result("reads count a loop to the instruction",
	       n == (LONG - SHORT) * PASS, n);
	n = between_reads(set, LONG, 1) - between_reads(set, SHORT, 1);
	result("and the cycles beside them", are_cycles_of(LONG - SHORT, n), n);
	must(PAPI_stop(set, values), "PAPI_stop");
	free_set(set);
}

static long long start_to_stop(int set, unsigned long passes)
{
	long long values[2];

	must(PAPI_start(set), "PAPI_start");
	work(passes);
	must(PAPI_stop(set, values), "PAPI_stop");
	return values[0];
}

static void test_starts(void)
{
	int set = event_set(instructions, cycles);
	long long once, again, n;

	start_to_stop(set, 1);
	once = start_to_stop(set, SHORT);
	n = start_to_stop(set, LONG) - once;
	again = start_to_stop(set, SHORT);
	result("start to stop counts a loop to the instruction",
	       n == (LONG - SHORT) * PASS, n);
	result("each start begins with nothing", again == once, again - once);
	free_set(set);
}

static void test_reset_and_accum(void)
{
	int set = event_set(instructions, NULL);
	long long whole, rest, sum[1] = { 0 };

	must(PAPI_start(set), "PAPI_start");
	work(LONG);
	must(PAPI_read(set, &whole), "PAPI_read");
	must(PAPI_reset(set), "PAPI_reset");
	must(PAPI_read(set, &rest), "PAPI_read");
	must(PAPI_accum(set, sum), "PAPI_accum");
	work(LONG);
	must(PAPI_accum(set, sum), "PAPI_accum");
	result("a reset forgets what was counted",
	       whole >= LONG * PASS && rest < SHORT, rest);
	result("accumulating forgets nothing",
	       sum[0] >= LONG * PASS && sum[0] < LONG * PASS + 5 * SHORT,
	       sum[0]);
	must(PAPI_stop(set, &rest), "PAPI_stop");
	free_set(set);
}

/* Two event sets of a thread, one after the other, and the first again. */
static void test_sets_take_turns(void)
{
	int one = event_set(instructions, NULL);
	int other = event_set(cycles, NULL);
	long long n;

	start_to_stop(one, 1);
	start_to_stop(other, 1);
	n = start_to_stop(one, SHORT);
	start_to_stop(other, LONG);
	n = start_to_stop(one, LONG) - n;
	result("event sets of a thread do not mix", n == (LONG - SHORT) * PASS,
	       n);
	n = start_to_stop(other, LONG) - start_to_stop(other, SHORT);
	result("and each counts its own event", are_cycles_of(LONG - SHORT, n),
	       n);
	must(PAPI_start(one), "PAPI_start");
	n = PAPI_start(other);
	result("two of them at a time are refused", n == PAPI_EISRUN, n);
	must(PAPI_stop(one, NULL), "PAPI_stop");
	free_set(one);
	free_set(other);
}

static void *count_in_thread(void *passes)
{
	long long *n = passes;
	unsigned long more = (unsigned long)*n;
	int set;

	must(PAPI_register_thread(), "PAPI_register_thread");
	set = event_set(instructions, cycles);
	must(PAPI_start(set), "PAPI_start");
	between_reads(set, 1, 0);
	*n = between_reads(set, more, 0) - between_reads(set, SHORT, 0);
	must(PAPI_stop(set, NULL), "PAPI_stop");
	free_set(set);
	must(PAPI_unregister_thread(), "PAPI_unregister_thread");
	return NULL;
}

static void test_threads(void)
{
	long long passes[2] = { 10 * LONG, 20 * LONG };
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, count_in_thread, &passes[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	result("a thread counts its own loop",
	       passes[0] == (10 * LONG - SHORT) * PASS, passes[0]);
	result("and another thread its own",
	       passes[1] == (20 * LONG - SHORT) * PASS, passes[1]);
}

/* PAPI forgets the thread and its event sets, and meets it again. */
static void test_thread_returns(void)
{
	long long n;
	int new;

	start_to_stop(event_set(instructions, NULL), SHORT);
	must(PAPI_unregister_thread(), "PAPI_unregister_thread");
	new = event_set(instructions, NULL);
	n = PAPI_start(new);
	result("a thread that has left PAPI counts again when it is back",
	       n == PAPI_OK, n);
	must(PAPI_stop(new, NULL), "PAPI_stop");
	free_set(new);
}

struct reading {
	int set, rc, grown;
	long long value;
	atomic_int is_done;
};

static void run_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (pthread_setaffinity_np(pthread_self(), sizeof(set), &set))
		must(PAPI_ESYS, "pthread_setaffinity_np");
}

static void *read_of_another(void *of)
{
	struct reading *reading = of;

	run_on(1);
	must(PAPI_register_thread(), "PAPI_register_thread");
	for (int i = 0; i < READS && reading->rc == PAPI_OK; i++) {
		long long last = reading->value;

		reading->rc = PAPI_read(reading->set, &reading->value);
		reading->grown += reading->value > last;
	}
	atomic_store(&reading->is_done, 1);
	return NULL;
}

/* Not by RDPMC, while the thread that is counted runs on another CPU. */
static void test_read_of_another_thread(void)
{
	struct reading reading = { .set = event_set(instructions, NULL) };
	long long all[2];
	pthread_t thread;

	run_on(0);
	must(PAPI_start(reading.set), "PAPI_start");
	work(LONG);
	pthread_create(&thread, NULL, read_of_another, &reading);
	while (!atomic_load(&reading.is_done))
		work(SHORT);
	pthread_join(thread, NULL);
	result("another thread may read", reading.rc == PAPI_OK, reading.rc);
	must(PAPI_stop(reading.set, all), "PAPI_stop");
	result("what the thread has counted",
	       reading.value >= LONG * PASS && reading.value < all[0],
	       reading.value);
	result("as it counts on", reading.grown >= READS / 4, reading.grown);
	free_set(reading.set);
}

/* User and kernel level together are more than either. */
static void test_domains(void)
{
	PAPI_option_t option = {
		.domain = { .domain = PAPI_DOM_USER | PAPI_DOM_KERNEL },
	};
	int set = event_set(instructions, NULL), rc;
	long long user, both;

	start_to_stop(set, 1);
	user = start_to_stop(set, SHORT);
	option.domain.eventset = set;
	rc = PAPI_set_opt(PAPI_DOMAIN, &option);
	result("the domain of an event set can be changed", rc == PAPI_OK, rc);
	both = start_to_stop(set, SHORT);
	result("and the kernel is counted then", both > user + 50, both - user);
	free_set(set);
}

int main(void)
{
	int rc = PAPI_library_init(PAPI_VER_CURRENT);

	if (rc != PAPI_VER_CURRENT)
		must(rc < 0 ? rc : PAPI_EINVAL, "PAPI_library_init");
	must(PAPI_thread_init((unsigned long (*)(void))pthread_self),
	     "PAPI_thread_init");
	rc = find_component();
	result("the component is there", rc >= 0, rc);
	if (rc < 0)
		return 1;
	find_events();
	test_names();
	test_reads();
	test_starts();
	test_reset_and_accum();
	test_sets_take_turns();
	test_threads();
	test_thread_returns();
	test_read_of_another_thread();
	test_domains();
	test_removal();
	test_full();
	test_multiplexing();
	test_other_processes();
	test_forks();
	test_overflow();
	PAPI_shutdown();
	finish();
	return failures() ? 1 : 0;
}

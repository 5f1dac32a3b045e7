// SPDX-License-Identifier: GPL-2.0-only
/*
 * The first mark of a program, while the library finds out whether pfmon runs it. The
 * C library's pthread_atfork() is the test's own: what meets the first mark happens
 * there.
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

#include <mark/pfmon-mark.h>

#include "mark_kernel.h"
#include "regions/regions.h"

static pthread_t other;
static int other_tid;
static bool other_has_marked;

static void mark(void)
{
	pfmon_mark_begin("loop");
	counted += 100;
	pfmon_mark_end("loop");
}

static void *mark_in_thread(void *arg)
{
	__atomic_store_n(&other_tid, gettid(), __ATOMIC_RELEASE);
	mark();
	__atomic_store_n(&other_has_marked, true, __ATOMIC_RELEASE);
	return arg;
}

/* Whether the other thread waits for something. */
static bool other_sleeps(void)
{
	char name[64], state = '?';
	int tid = __atomic_load_n(&other_tid, __ATOMIC_ACQUIRE);
	FILE *stream;

	if (!tid)
		return false;
	snprintf(name, sizeof(name), "/proc/self/task/%d/stat", tid);
	stream = fopen(name, "re");
	if (!stream)
		return false;
	if (fscanf(stream, "%*d (%*[^)]) %c", &state) != 1)
		state = '?';
	fclose(stream);
	return state == 'S';
}

static void mark_in_handler(int signal)
{
	(void)signal;
	mark();
	pfmon_mark_active();
}

int pthread_atfork(void (*prepare)(void), void (*parent)(void),
		   void (*child)(void))
{
	(void)prepare;
	(void)parent;
	(void)child;
	raise(SIGUSR1);
	assert_int_equal(pthread_create(&other, NULL, mark_in_thread, NULL), 0);
	while (!other_sleeps() &&
	       !__atomic_load_n(&other_has_marked, __ATOMIC_ACQUIRE))
		usleep(100);
	return 0;
}

/* The handler's mark is the one that is left out. */
static void threads_that_mark_first_together_have_a_row_each(void **state)
{
	int file = mark_kernel_ask();
	struct regions regions;

	(void)state;
	signal(SIGUSR1, mark_in_handler);
	mark();
	pthread_join(other, NULL);
	pfmon_mark_flush();
	assert_int_equal(regions_read(&regions, file, REGIONS_THREADS,
				      mark_kernel_places, 2),
			 0);
	assert_int_equal(regions.count, 2);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(regions.rows[i].entries, 1);
		assert_int_equal(regions.rows[i].counts[1], 100);
	}
	regions_free(&regions);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			threads_that_mark_first_together_have_a_row_each),
	};

	/* A handler that waits for the thread that it has interrupted. */
	alarm(60);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

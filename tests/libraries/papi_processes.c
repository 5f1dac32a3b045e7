// SPDX-License-Identifier: GPL-2.0-only
/*
 * Event sets that other processes have to do with, and overflows.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "counting.h"
#include "papi_tests.h"

#define PASSES 1000000
#define AROUND 20000 /* instructions of a fork and an exit in the C library */

/* A child that works when a byte comes, and lives until the pipe is closed. */
static pid_t make_child(int go[2], int done[2])
{
	pid_t child;
	char byte;

	if (pipe(go) || pipe(done))
		exit(1);
	fflush(stdout);
	child = fork();
	if (child)
		return child;
	close(go[1]);
	while (read(go[0], &byte, 1) == 1) {
		work(PASSES);
		if (write(done[1], &byte, 1) != 1)
			break;
	}
	_exit(0);
}

static void test_attach(void)
{
	int go[2], done[2], set = event_set(NULL, NULL);
	pid_t child = make_child(go, done);
	long long n;
	char byte = 0;
	int rc;

	must(PAPI_assign_eventset_component(set, find_component()),
	     "PAPI_assign_eventset_component");
	rc = PAPI_attach(set, (unsigned long)child);
	result("an event set attaches to another process", rc == PAPI_OK, rc);
	must(PAPI_add_named_event(set, instructions), instructions);
	must(PAPI_start(set), "PAPI_start");
	work(PASSES);
	if (write(go[1], &byte, 1) != 1 || read(done[0], &byte, 1) != 1)
		exit(1);
	must(PAPI_read(set, &n), "PAPI_read");
	result("and counts it alone",
	       n >= PASSES * PASS && n < PASSES * PASS + AROUND, n);
	close(go[1]);
	waitpid(child, NULL, 0);
	rc = PAPI_stop(set, &n);
	result("after its end it has the last counts",
	       rc == PAPI_OK && n >= PASSES * PASS, rc < 0 ? rc : n);
	rc = PAPI_start(set);
	result("and does not start again", rc < 0, rc);
	free_set(set);
}

static void test_inherit(void)
{
	PAPI_option_t option = { .inherit = { .inherit = PAPI_INHERIT_ALL } };
	int set = event_set(NULL, NULL), rc;
	long long n;
	pid_t child;

	must(PAPI_assign_eventset_component(set, find_component()),
	     "PAPI_assign_eventset_component");
	option.inherit.eventset = set;
	rc = PAPI_set_opt(PAPI_INHERIT, &option);
	result("an event set is inherited", rc == PAPI_OK, rc);
	must(PAPI_add_named_event(set, instructions), instructions);
	must(PAPI_start(set), "PAPI_start");
	fflush(stdout);
	child = fork();
	if (!child) {
		work(PASSES);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	must(PAPI_stop(set, &n), "PAPI_stop");
	result("and has what the child has counted",
	       n >= PASSES * PASS && n < PASSES * PASS + AROUND, n);
	free_set(set);
}

void test_other_processes(void)
{
	test_attach();
	test_inherit();
}

/* In the child: the parent's event set is not its own, and a new one is. */
static int check_child(int set)
{
	long long first, second;

	if (PAPI_read(set, &first) != PAPI_ECLOST)
		return 1;
	PAPI_shutdown();
	if (PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT)
		return 2;
	set = event_set(instructions, NULL);
	if (PAPI_start(set) != PAPI_OK)
		return 3;
	PAPI_read(set, &first);
	work(PASSES);
	PAPI_read(set, &second);
	if (second - first < PASSES * PASS)
		return 4;
	return PAPI_stop(set, &first) == PAPI_OK ? 0 : 5;
}

void test_forks(void)
{
	int set = event_set(instructions, NULL), status;
	long long n;
	pid_t child;

	must(PAPI_start(set), "PAPI_start");
	fflush(stdout);
	child = fork();
	if (!child)
		_exit(check_child(set));
	waitpid(child, &status, 0);
	result("a child loses its parent's event set and counts with its own",
	       WIFEXITED(status) && !WEXITSTATUS(status), WEXITSTATUS(status));
	work(PASSES);
	must(PAPI_stop(set, &n), "PAPI_stop");
	result("and the parent has counted on",
	       n >= PASSES * PASS && n < PASSES * PASS + AROUND, n);
	free_set(set);
}

static int overflows;

static void note_overflow(int set, void *address, long long vector,
			  void *context)
{
	(void)set;
	(void)address;
	(void)vector;
	(void)context;
	overflows++;
}

/* PAPI's timer looks at the counter. */
void test_overflow(void)
{
	int set = event_set(instructions, NULL), code, rc;

	must(PAPI_event_name_to_code(instructions, &code), instructions);
	rc = PAPI_overflow(set, code, 10 * PASSES, 0, note_overflow);
	result("PAPI takes an overflow handler", rc == PAPI_OK, rc);
	must(PAPI_start(set), "PAPI_start");
	for (int i = 0; i < 200 && overflows < 2; i++)
		work(10 * PASSES);
	must(PAPI_stop(set, NULL), "PAPI_stop");
	result("and its timer calls it", overflows >= 2, overflows);
	must(PAPI_overflow(set, code, 0, 0, note_overflow), "PAPI_overflow");
	free_set(set);
}

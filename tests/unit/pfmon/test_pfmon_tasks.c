// SPDX-License-Identifier: GPL-2.0-only
/* Threads are found by their numbers, whatever was added, removed or renamed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "engine/tasks.h"

#define TASKS 3000

/* Many have the last bits in common. */
static pid_t number_of(int i)
{
	return 1 + i % 7 + TASKS_BUCKETS * (i / 7);
}

/* The list has these, each once, and no other. */
static void expect_tasks(const struct tasks *tasks, const bool *there)
{
	int count = 0;

	for (int i = 0; i < TASKS; i++) {
		const struct task *task = tasks_find(tasks, number_of(i));

		assert_int_equal(task != NULL, there[i]);
		if (task)
			assert_int_equal(task->tid, number_of(i));
		count += there[i];
	}
	assert_int_equal(tasks->count, count);
}

static void those_that_were_added_are_found(void **state)
{
	struct tasks tasks = { 0 };
	bool there[TASKS] = { false };

	(void)state;
	expect_tasks(&tasks, there);
	for (int i = 0; i < TASKS; i++) {
		struct task *task = tasks_add(&tasks, number_of(i));

		assert_non_null(task);
		assert_int_equal(task->tid, number_of(i));
		assert_int_equal(task->session, -1);
		there[i] = true;
	}
	expect_tasks(&tasks, there);
	tasks_free(&tasks);
	assert_null(tasks_find(&tasks, number_of(0)));
}

static void those_that_were_removed_are_not(void **state)
{
	struct tasks tasks = { 0 };
	bool there[TASKS] = { false };

	(void)state;
	srandom(1);
	for (int step = 0; step < 20 * TASKS; step++) {
		int i = (int)(random() % TASKS);

		if (there[i])
			tasks_remove(&tasks, tasks_find(&tasks, number_of(i)));
		else
			assert_non_null(tasks_add(&tasks, number_of(i)));
		there[i] = !there[i];
		if (step % TASKS == 0)
			expect_tasks(&tasks, there);
	}
	expect_tasks(&tasks, there);
	tasks_free(&tasks);
}

static void one_with_another_number_is_found_by_that(void **state)
{
	struct tasks tasks = { 0 };

	(void)state;
	for (int i = 0; i < 20; i++)
		tasks_add(&tasks, number_of(i))->session = i;
	tasks_rename(&tasks, tasks_find(&tasks, number_of(7)), number_of(100));
	assert_null(tasks_find(&tasks, number_of(7)));
	assert_int_equal(tasks_find(&tasks, number_of(100))->session, 7);
	tasks_rename(&tasks, tasks_find(&tasks, number_of(14)), 0);
	assert_int_equal(tasks_find(&tasks, 0)->session, 14);
	tasks_remove(&tasks, tasks_find(&tasks, 0));
	for (int i = 0; i < 20; i++)
		if (i != 7 && i != 14)
			assert_int_equal(
				tasks_find(&tasks, number_of(i))->session, i);
	tasks_free(&tasks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(those_that_were_added_are_found),
		cmocka_unit_test(those_that_were_removed_are_not),
		cmocka_unit_test(one_with_another_number_is_found_by_that),
	};

	return cmocka_run_group_tests_name("pfmon_tasks", tests, NULL, NULL);
}

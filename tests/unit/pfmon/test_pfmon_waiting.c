// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is done while pfmon waits: ticks, which keep to their schedule, and the
 * snapshots that a signal asks for.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "engine/clocks.h"
#include "engine/waiting.h"
#include "message.h"

#define INTERVAL_NS (2 * NS_PER_MS)
#define TICKS 8
#define LATE_TICK 3

static const struct follow_ops ops;
static const struct follow_rules rules;

struct schedule {
	struct waiting waiting;
	uint64_t start;
	uint64_t due; /* of this tick */
	uint64_t returned; /* from the one before */
	unsigned int ticks;
	unsigned int snapshots;
};

/* One of them takes longer than three intervals. */
static int tick(void *arg)
{
	struct schedule *schedule = arg;
	uint64_t next = schedule->waiting.next_tick;

	assert_true(clocks_now() >= schedule->due);
	assert_int_equal((next - schedule->start) % INTERVAL_NS, 0);
	/* Those that were missed are not made up for. */
	assert_true(next > schedule->returned);
	schedule->due = next;
	if (++schedule->ticks == LATE_TICK)
		usleep(7 * INTERVAL_NS / 2 / 1000);
	schedule->returned = clocks_now();
	return schedule->ticks == TICKS;
}

static int command(enum control_verb verb, void *arg, const char **refusal)
{
	struct schedule *schedule = arg;

	assert_int_equal(verb, CONTROL_SNAPSHOT);
	assert_null(*refusal);
	schedule->snapshots++;
	return 0;
}

/* Waits for nobody: until there were ticks enough, or for some of their intervals. */
static void wait_with(struct schedule *schedule)
{
	struct signals signals;
	struct follow follow = { .rules = &rules, .ops = &ops };

	signals_take(&signals);
	schedule->start = clocks_now();
	schedule->waiting.follow = &follow;
	schedule->waiting.signals = &signals;
	schedule->waiting.forever = true;
	schedule->waiting.arg = schedule;
	if (schedule->waiting.tick) {
		schedule->waiting.interval = INTERVAL_NS;
		schedule->due = schedule->start + INTERVAL_NS;
		schedule->waiting.next_tick = schedule->due;
	} else {
		kill(getpid(), SIGUSR1);
		schedule->waiting.deadline = schedule->start + INTERVAL_NS;
	}
	assert_int_equal(waiting_run(&schedule->waiting), WAITING_TIMEOUT);
	signals_restore(&signals);
}

static void ticks_keep_to_their_schedule(void **state)
{
	struct schedule schedule = { .waiting = { .tick = tick } };

	(void)state;
	wait_with(&schedule);
	assert_int_equal(schedule.ticks, TICKS);
	assert_int_equal(schedule.waiting.next_tick, 0);
}

static void ticks_that_were_missed_are_told(void **state)
{
	struct schedule schedule = { .waiting = { .tick = tick } };
	struct waiting *waiting = &schedule.waiting;
	uint64_t end;

	(void)state;
	wait_with(&schedule);
	end = schedule.due - INTERVAL_NS;
	assert_int_equal(TICKS + waiting->missed,
			 (end - schedule.start) / INTERVAL_NS);
	assert_true(waiting->missed >= 2);

	*waiting = (struct waiting){ .interval = INTERVAL_NS,
				     .next_tick = 5 * INTERVAL_NS };
	message_catch();
	waiting_end_ticks(waiting, 5 * INTERVAL_NS);
	message_expect("note: 1 interval was missed; ", NULL);
	assert_int_equal(waiting->next_tick, 0);

	waiting->next_tick = 5 * INTERVAL_NS;
	message_catch();
	waiting_end_ticks(waiting, 7 * INTERVAL_NS - 1);
	message_expect("note: 3 intervals were missed; ", NULL);
}

static void a_signal_asks_for_a_snapshot(void **state)
{
	struct schedule schedule = { .waiting = { .command = command } };

	(void)state;
	wait_with(&schedule);
	assert_int_equal(schedule.snapshots, 1);
}

static void who_cannot_make_one_says_so(void **state)
{
	struct schedule schedule = { .snapshots = 0 };

	(void)state;
	message_catch();
	wait_with(&schedule);
	message_expect("note: SIGUSR1: no counts can be told now", NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ticks_keep_to_their_schedule),
		cmocka_unit_test(ticks_that_were_missed_are_told),
		cmocka_unit_test(a_signal_asks_for_a_snapshot),
		cmocka_unit_test(who_cannot_make_one_says_so),
	};

	/* Whatever the program was started with. */
	signal(SIGUSR1, SIG_DFL);
	return cmocka_run_group_tests_name("pfmon_waiting", tests, NULL, NULL);
}

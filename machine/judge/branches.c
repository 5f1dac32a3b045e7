// SPDX-License-Identifier: GPL-2.0-only
/*
 * Branches: perf_event must count the branches of known programs exactly, kind by kind,
 * at the level of each, with system calls, faults, signals and other threads between
 * them, and sample at the very branch.
 */

#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include "judge.h"

/* So many that some of them have no tick, and no other thread, in between. */
#define TRIES 25

/* Of these kinds in one turn of run_branches(). */
static unsigned int in_a_turn(uint32_t kinds)
{
	unsigned int i, number = 0;

	for (i = 0; i < BRANCHES_A_TURN; i++)
		number += kinds >> branch_before(i) & 1;
	return number;
}

/* The difference of two runs has nothing of the code around them. */
static void judge_kinds(void)
{
	static const uint32_t turns[] = { 2, 100, 100000 };
	const struct branch_event *event = find_branch_events();
	uint64_t once, count, want;
	unsigned int i;
	int fd;

	for (; event->name; event++) {
		fd = open_selector(event->select, LEVEL_USER);
		once = count_code(fd, run_branches, 1);
		for (i = 0; i < sizeof(turns) / sizeof(turns[0]); i++) {
			count = count_code(fd, run_branches, turns[i]);
			want = in_a_turn(event->kinds) * (turns[i] - 1ull);
			check(count - once == want,
			      "%s: %llu in %u turns more: %+lld", event->name,
			      (unsigned long long)want, turns[i] - 1,
			      (long long)(count - once - want));
		}
		close(fd);
	}
}

/* perf's own name, and a loop as in loops.c: one branch in two instructions. */
static void judge_generic_event(void)
{
	const int fd = open_counter(PERF_COUNT_HW_BRANCH_INSTRUCTIONS, -1);
	const uint64_t few = count_code(fd, run_loop, 10);
	const uint64_t many = count_code(fd, run_loop, 1000010);

	check(many - few == 1000000, "a loop of a million turns: %llu branches",
	      (unsigned long long)(many - few));
	close(fd);
}

/* Of some measurements the one without an interrupt's code and its IRET. */
static uint64_t fewest(int fd, void (*code)(uint32_t), uint32_t argument)
{
	uint64_t count, least = UINT64_MAX;
	unsigned int i;

	for (i = 0; i < TRIES; i++) {
		count = count_code(fd, code, argument);
		if (count < least)
			least = count;
	}
	return least;
}

static uint64_t fewest_more(int fd, void (*code)(uint32_t), uint32_t number)
{
	return fewest(fd, code, 10 + number) - fewest(fd, code, 10);
}

static void judge_system_calls(void)
{
	const struct branch_event *far = find_branch_event(1u << BRANCH_FAR);
	const struct branch_event *event = find_branch_events();
	int fd = open_selector(event->select, LEVEL_USER);
	uint64_t more = fewest_more(fd, run_system_calls, 100);

	/* The loop around each has one branch. */
	check(more == 200, "100 system calls are as many branches: %llu",
	      (unsigned long long)more - 100);
	close(fd);
	fd = open_selector(event->select, LEVEL_KERNEL);
	more = fewest_more(fd, run_system_calls, 100);
	check(more >= 200 && !(more % 100),
	      "in the kernel each has the same branches: %llu in 100",
	      (unsigned long long)more);
	close(fd);
	if (!far) {
		skip("far branches", "this processor has no event for them");
		return;
	}
	fd = open_selector(far->select, LEVEL_USER);
	more = fewest_more(fd, run_system_calls, 100);
	check(more == 100, "100 system calls are far branches: %llu",
	      (unsigned long long)more);
	close(fd);
	fd = open_selector(far->select, LEVEL_KERNEL);
	more = fewest_more(fd, run_system_calls, 100);
	check(more == 100, "the kernel returns from 100 of them: %llu",
	      (unsigned long long)more);
	close(fd);
}

/* An emulator executes again what has faulted; a processor retires it once. */
static void judge_faults_inside(void)
{
	const struct branch_event *event = find_branch_events();
	uint64_t fresh, again;
	int fd;

	for (; event->name; event++) {
		fd = open_selector(event->select, LEVEL_USER);
		map_fresh_pages(64);
		fresh = count_code(fd, call_on_pages, 64);
		again = count_code(fd, call_on_pages, 64);
		check(fresh == again && fresh >= in_a_turn(event->kinds) / 9,
		      "%s: 64 calls whose push faults are counted once: %+lld",
		      event->name, (long long)(fresh - again));
		close(fd);
	}
}

/*
 * The kernel returns from a page fault with IRET, which is a far branch of its own. More
 * faults would take so long that most measurements had a tick.
 */
static void judge_returns_from_faults(void)
{
	const unsigned int faults = 16;
	const struct branch_event *far = find_branch_event(1u << BRANCH_FAR);
	uint64_t fresh, fewest_fresh = UINT64_MAX, again;
	unsigned int i;
	int fd;

	if (!far)
		return;
	fd = open_selector(far->select, LEVEL_KERNEL);
	for (i = 0; i < TRIES; i++) {
		map_fresh_pages(faults);
		fresh = count_code(fd, call_on_pages, faults);
		if (fresh < fewest_fresh)
			fewest_fresh = fresh;
	}
	again = fewest(fd, call_on_pages, faults);
	check(fewest_fresh - again == faults,
	      "the kernel returns from %u page faults: %llu", faults,
	      (unsigned long long)(fewest_fresh - again));
	close(fd);
}

static void run_nothing(uint32_t nothing)
{
	(void)nothing;
}

/*
 * From the WRMSR that starts a counter on, also while no other counter counts branches
 * in the kernel. perf_event does not know of the other one.
 */
static void judge_beginning(void)
{
	const struct branch_event *event = find_branch_events();
	const uint64_t kernel_branches = 1ull << 22 | 1ull << 17 |
					 event->select;
	const uint32_t other = spare_selector();
	uint64_t alone, beside;
	int fd;

	if (!other || !have_msr_driver(judge_cpu)) {
		skip("the first branch", "no counter counts unseen");
		return;
	}
	fd = open_selector(event->select, LEVEL_KERNEL);
	alone = fewest(fd, run_nothing, 0);
	write_msr(judge_cpu, other, kernel_branches);
	beside = fewest(fd, run_nothing, 0);
	write_msr(judge_cpu, other, 0);
	check(alone == beside && alone,
	      "counting begins with the first branch: %llu, beside another %llu",
	      (unsigned long long)alone, (unsigned long long)beside);
	close(fd);
}

/* Each with the handler's return, the return from the signal, and the loop's branch. */
static void judge_signals(void)
{
	static const struct {
		const char *name;
		void (*code)(uint32_t);
		unsigned int retired; /* of the instruction itself */
	} causes[] = {
		{ "INT3", run_breakpoints, 1 },
		{ "an INT that faults", run_refused_interrupts, 0 },
	};
	const struct branch_event *event = find_branch_events();
	const int fd = open_selector(event->select, LEVEL_USER);
	uint64_t count, want;
	unsigned int i;

	for (i = 0; i < sizeof(causes) / sizeof(causes[0]); i++) {
		count = fewest_more(fd, causes[i].code, 200);
		want = 200 * (3 + causes[i].retired);
		check(count == want,
		      "200 times %s with a signal: %llu branches, expected %llu",
		      causes[i].name, (unsigned long long)count,
		      (unsigned long long)want);
	}
	close(fd);
}

#define ROUNDS 200

static uint64_t count_beside_others(int fd)
{
	uint32_t i;

	start_event(fd);
	for (i = 0; i < ROUNDS; i++) {
		run_branches(i + 1);
		sched_yield();
	}
	stop_event(fd);
	return read_event(fd);
}

struct counting_thread {
	pthread_t thread;
	uint64_t count;
};

static void *count_in_a_thread(void *arg)
{
	struct counting_thread *self = arg;
	const int fd = open_selector(find_branch_events()->select, LEVEL_USER);

	self->count = count_beside_others(fd);
	close(fd);
	return NULL;
}

static void judge_threads(void)
{
	struct counting_thread threads[3] = { 0 }, alone = { 0 };
	unsigned int i, wrong = 0;

	count_in_a_thread(&alone); /* the first call of sched_yield() */
	count_in_a_thread(&alone);
	for (i = 0; i < 3; i++)
		if (pthread_create(&threads[i].thread, NULL, count_in_a_thread,
				   &threads[i]))
			give_up("pthread_create");
	for (i = 0; i < 3; i++) {
		pthread_join(threads[i].thread, NULL);
		wrong += threads[i].count != alone.count;
	}
	check(!wrong && alone.count > ROUNDS * ROUNDS / 2 * BRANCHES_A_TURN,
	      "three threads by turns count the %llu branches of one alone",
	      (unsigned long long)alone.count);
}

/* Samples whose branch is not the one that the first sample lets expect. */
static uint32_t misplaced(const struct samples *samples, uint64_t period)
{
	const int first = branch_target(samples->address[0]);
	uint32_t k, wrong = first < 0;
	int found, expected;

	for (k = 1; k < samples->number && first >= 0; k++) {
		found = branch_target(samples->address[k]);
		expected = (int)((first + k * period) % BRANCHES_A_TURN);
		if (found != expected && !wrong++)
			note("sample %u of period %llu is at %d, expected at %d",
			     k, (unsigned long long)period, found, expected);
	}
	return wrong;
}

static void judge_samples(uint64_t period, uint32_t turns)
{
	const struct branch_event *event = find_branch_events();
	struct samples samples;
	const uint64_t count =
		sample_code(open_selector_sampler(event->select, period),
			    run_branches, turns, &samples);

	check(count > (uint64_t)turns * BRANCHES_A_TURN - 9 &&
		      samples.number == count / period && !samples.lost,
	      "period %llu, %llu branches: %u samples, %u lost",
	      (unsigned long long)period, (unsigned long long)count,
	      samples.number, samples.lost);
	check(samples.number && !misplaced(&samples, period),
	      "period %llu: no sample is a branch off",
	      (unsigned long long)period);
	free(samples.address);
}

/* A rare kind among others: after each return there is one place only. */
static void judge_rare_samples(uint64_t period)
{
	const struct branch_event *event =
		find_branch_event(1u << BRANCH_RETURN);
	struct samples samples;
	uint32_t k, wrong = 0;
	uint64_t count;
	int target;

	if (!event) {
		skip("samples of returns",
		     "this processor has no event for them");
		return;
	}
	count = sample_code(open_selector_sampler(event->select, period),
			    run_branches, 30000, &samples);
	for (k = 0; k < samples.number; k++) {
		target = branch_target(samples.address[k]);
		wrong += target < 0 || branch_before(target) != BRANCH_RETURN;
	}
	check(samples.number == count / period && samples.number && !wrong,
	      "period %llu: %u samples of returns, %u elsewhere",
	      (unsigned long long)period, samples.number, wrong);
	free(samples.address);
}

void judge_branches(void)
{
	if (no_perf_pmu() || !find_branch_events()) {
		skip("retired branches",
		     no_perf_pmu() ?
			     no_perf_pmu() :
			     "the judge does not know this processor's events");
		return;
	}
	catch_interrupts();
	judge_kinds();
	judge_generic_event();
	judge_system_calls();
	judge_faults_inside();
	judge_returns_from_faults();
	judge_beginning();
	judge_signals();
	judge_threads();
	judge_samples(100003, 40404);
	judge_samples(1000, 20202);
	judge_rare_samples(101);
}

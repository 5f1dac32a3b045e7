// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts: perf_event must see each loop's instructions and the same small
 * constant besides, whatever the loop and however often it is repeated. Also
 * RDPMC from user level.
 */

#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "judge.h"

static void judge_loops(void)
{
	static const uint32_t insns[] = { 20, 2000, 2000000 };
	const int fd = open_counter(PERF_COUNT_HW_INSTRUCTIONS, -1);
	const uint64_t overhead = count_code(fd, run_loop, 5) - 5 * LOOP_INSNS;
	uint64_t count;
	unsigned int i;
	int repetition;

	note("overhead of a measurement: %llu instructions",
	     (unsigned long long)overhead);
	check(overhead < 100, "the overhead of a measurement is small");
	for (i = 0; i < sizeof(insns) / sizeof(insns[0]); i++) {
		for (repetition = 1; repetition <= 3; repetition++) {
			count = count_code(fd, run_loop, insns[i] / LOOP_INSNS);
			check(count == overhead + insns[i],
			      "%u instructions count exactly, time %d: %+lld",
			      insns[i], repetition,
			      (long long)(count - overhead - insns[i]));
		}
	}
	close(fd);
}

/* An emulator repeats and restarts; a processor retires once. */
static void judge_repetition_and_faults(void)
{
	static const uint32_t bytes[] = { 0, 1, 100, 60000 };
	const int fd = open_counter(PERF_COUNT_HW_INSTRUCTIONS, -1);
	const uint64_t rep = count_code(fd, run_rep, 10);
	uint64_t count, again;
	unsigned int i;

	for (i = 0; i < sizeof(bytes) / sizeof(bytes[0]); i++) {
		count = count_code(fd, run_rep, bytes[i]);
		check(count == rep, "REP of %u bytes is one instruction: %+lld",
		      bytes[i], (long long)(count - rep));
	}
	map_fresh_pages(64);
	count = count_code(fd, touch_pages, 64);
	again = count_code(fd, touch_pages, 64);
	check(count == again, "64 page faults repeat no instruction: %+lld",
	      (long long)(count - again));
	close(fd);
}

/* Started and stopped together; the fraction may go either way. */
static void judge_cycles(void)
{
	const int insns = open_counter(PERF_COUNT_HW_INSTRUCTIONS, -1);
	const int cycles = open_counter(PERF_COUNT_HW_CPU_CYCLES, insns);
	uint64_t i, c;

	ioctl(insns, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
	run_loop(1000000);
	ioctl(insns, PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
	i = read_event(insns);
	c = read_event(cycles);
	check(c == i * 3 / 2 || c == (i * 3 + 1) / 2,
	      "%llu instructions take 3/2 of that in cycles: %llu",
	      (unsigned long long)i, (unsigned long long)c);
	close(cycles);
	close(insns);
}

/* Two counters with the same event, whatever else the processor has. */
static void judge_group(void)
{
	const int first = open_counter(PERF_COUNT_HW_INSTRUCTIONS, -1);
	const int second = open_counter(PERF_COUNT_HW_INSTRUCTIONS, first);
	uint64_t a, b;

	ioctl(first, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
	run_loop(12345);
	ioctl(first, PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
	a = read_event(first);
	b = read_event(second);
	check(a == b, "two counters of one event agree: %llu and %llu",
	      (unsigned long long)a, (unsigned long long)b);
	close(second);
	close(first);
}

void judge_counting(void)
{
	if (no_perf_pmu()) {
		skip("counting with perf_event", no_perf_pmu());
		return;
	}
	judge_loops();
	judge_repetition_and_faults();
	judge_cycles();
	judge_group();
}

/* A handler, because the kernel logs deaths by signal. */
static void report_signal(int number)
{
	_exit(number);
}

/* The signal that RDPMC of this index raises in a process of its own, or 0. */
static int rdpmc_signal(uint32_t index)
{
	const pid_t child = fork();
	int status;

	if (child < 0)
		give_up("fork");
	if (child == 0) {
		signal(SIGSEGV, report_signal);
		rdpmc_around_loop(index, 1);
		_exit(0);
	}
	if (waitpid(child, &status, 0) != child)
		give_up("waitpid");
	return WEXITSTATUS(status);
}

void judge_rdpmc(void)
{
	static const uint32_t iterations[] = { 10, 1000, 1000000 };
	volatile struct perf_event_mmap_page *page;
	uint32_t got, want;
	unsigned int i;
	int fd;

	check(rdpmc_signal(0) == SIGSEGV,
	      "RDPMC faults while the kernel does not allow it");
	if (no_perf_pmu()) {
		skip("RDPMC at user level", no_perf_pmu());
		return;
	}
	fd = open_counter(PERF_COUNT_HW_INSTRUCTIONS, -1);
	page = map_event(fd, 0);
	start_event(fd);
	if (!page->cap_user_rdpmc || !page->index) {
		skip("RDPMC at user level", "perf_event does not allow it");
		close(fd);
		return;
	}
	for (i = 0; i < sizeof(iterations) / sizeof(iterations[0]); i++) {
		want = iterations[i] * LOOP_INSNS + RDPMC_LOOP_EXTRA;
		got = rdpmc_around_loop(page->index - 1, iterations[i]);
		check(got == want, "RDPMC sees %u instructions: %+d", want,
		      (int)(got - want));
	}
	/* The permission is the address space's: a child has none. */
	munmap((void *)page, getpagesize());
	close(fd);
}

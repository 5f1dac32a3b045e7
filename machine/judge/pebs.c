// SPDX-License-Identifier: GPL-2.0-only
/*
 * Precise samples: perf_event with precise_ip, whose records the processor writes
 * (PEBS). From one record to the next there are a period's events and the recorded one.
 * The data address of a record without one is the number of user instructions before
 * the recorded one, which says where in the code that has to be.
 */

#define _GNU_SOURCE
#include <asm/perf_regs.h>
#include <cpuid.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "judge.h"
#include "pmu_stats.h"

#define RING_PAGES 128
#define MAX_RECORDS 4096
#define INSTRUCTIONS 0xc0
#define STORES 0x82d0
#define COUNT_AX 90 /* instructions of run_count() that count in AX */
#define COUNT_INSNS (COUNT_AX + 2)

struct precise {
	const char *name;
	uint64_t config;
	uint64_t period;
	unsigned int
		precise_ip; /* 1: the next instruction, 2: the recorded one */
	bool each; /* an interrupt for each record */
	enum level level;
};

struct record {
	uint64_t ip;
	uint32_t number; /* user instructions before */
	uint64_t ax;
};

struct record_run {
	uint64_t count; /* what perf_event says: P for each record */
	uint64_t written, dropped, interrupts; /* what the machine says */
	uint32_t number, lost;
	struct record record[MAX_RECORDS];
};

static int open_precise(const struct precise *p)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_RAW,
		.config = p->config,
		.sample_period = p->period,
		.precise_ip = p->precise_ip,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_ADDR |
			       PERF_SAMPLE_REGS_INTR,
		.sample_regs_intr = 1 << PERF_REG_X86_AX,
		.exclude_hv = 1,
		.exclude_kernel = p->level == LEVEL_USER,
		.exclude_user = p->level == LEVEL_KERNEL,
		.disabled = 1,
		.pinned = 1,
	};

	/* A record has no time of this clock. */
	if (p->each) {
		attr.sample_type |= PERF_SAMPLE_TIME;
		attr.use_clockid = 1;
		attr.clockid = CLOCK_MONOTONIC;
	}
	return syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
}

static void add_record(const struct precise *p, struct record_run *run,
		       const uint64_t *field)
{
	struct record *record = &run->record[run->number++];

	if (run->number == MAX_RECORDS)
		give_up("more records than there is room for");
	record->ip = *field++;
	if (p->each)
		field++;
	record->number = *field++;
	/* Behind the kind of registers; none: no registers. */
	record->ax = field[0] ? field[1] : 0;
}

static void collect_records(const struct precise *p,
			    const struct perf_event_mmap_page *page,
			    struct record_run *run)
{
	const char *data = (const char *)page + getpagesize();
	const struct perf_event_header *header;
	uint64_t at;

	for (at = 0; at < page->data_head; at += header->size) {
		header = (const void *)(data + at);
		if (header->type == PERF_RECORD_SAMPLE)
			add_record(p, run, (const uint64_t *)(header + 1));
		else if (header->type == PERF_RECORD_LOST ||
			 header->type == PERF_RECORD_LOST_SAMPLES ||
			 header->type == PERF_RECORD_THROTTLE)
			run->lost++;
	}
}

static uint64_t machine_stat(uint32_t stat)
{
	return have_msr_driver(judge_cpu) ? read_stat(judge_cpu, stat) : 0;
}

static void record_code(const struct precise *p, void (*code)(uint32_t),
			uint32_t argument, struct record_run *run)
{
	const uint64_t written = machine_stat(PMU_STAT_PEBS);
	const uint64_t dropped = machine_stat(PMU_STAT_PEBS_DROPPED);
	const uint64_t interrupts = machine_stat(PMU_STAT_PMI);
	const int fd = open_precise(p);
	void *map;

	if (fd < 0)
		give_up(p->name);
	memset(run, 0, sizeof(*run));
	map = map_event(fd, RING_PAGES);
	take_priority(PRIORITY_SAMPLED);
	start_event(fd);
	code(argument);
	stop_event(fd);
	take_priority(PRIORITY_NONE);
	run->count = read_event(fd);
	collect_records(p, map, run);
	munmap(map, (1 + RING_PAGES) * getpagesize());
	close(fd);
	run->written = machine_stat(PMU_STAT_PEBS) - written;
	run->dropped = machine_stat(PMU_STAT_PEBS_DROPPED) - dropped;
	run->interrupts = machine_stat(PMU_STAT_PMI) - interrupts;
}

/* As many as the events allow, each one written and given to the program. */
static void judge_number(const struct precise *p, const struct record_run *run)
{
	const uint64_t events = run->count + run->number;
	const uint64_t want = events / (p->period + 1);

	check(run->number && run->number == want && !run->lost,
	      "%s, period %llu, %llu events: %u records, expected %llu, %u lost",
	      p->name, (unsigned long long)p->period,
	      (unsigned long long)events, run->number, (unsigned long long)want,
	      run->lost);
	if (!have_msr_driver(judge_cpu))
		return;
	check(run->written == run->number && !run->dropped,
	      "%s: the processor has written %llu records and dropped %llu",
	      p->name, (unsigned long long)run->written,
	      (unsigned long long)run->dropped);
	check(p->each ? run->interrupts == run->number :
			run->interrupts <= run->number / 50 + 1,
	      "%s: %llu interrupts", p->name,
	      (unsigned long long)run->interrupts);
}

/* User instructions: one record in P + 1 of them, wherever they are. */
static void judge_distances(const struct precise *p,
			    const struct record_run *run)
{
	uint32_t k, wrong = 0, distance;

	for (k = 1; k < run->number; k++) {
		distance = run->record[k].number - run->record[k - 1].number;
		if (distance != p->period + 1 && !wrong++)
			note("record %u comes after %u instructions", k,
			     distance);
	}
	check(!wrong, "%s: the records are %llu instructions apart", p->name,
	      (unsigned long long)p->period + 1);
}

/*
 * Where the records of a loop are follows from the number of user instructions that
 * each one has, and from the first one. Returns how many are in the loop.
 */
static uint32_t judge_addresses(const struct precise *p,
				const struct record_run *run,
				int (*position)(uint64_t address),
				uint32_t length)
{
	const uint32_t behind = p->precise_ip == 1;
	uint32_t k, start, base = 0, found = 0, wrong = 0;
	int here;

	for (k = 0; k < run->number; k++) {
		here = position(run->record[k].ip);
		if (here < 0)
			continue;
		start = run->record[k].number + behind - (uint32_t)here;
		if (!found++)
			base = start;
		if ((start - base) % length && !wrong++)
			note("record %u of %u is at %d", k, run->number, here);
	}
	check(found && !wrong,
	      "%s: %u of %u records are in the loop, %u elsewhere than their number says",
	      p->name, found, run->number, wrong);
	return found;
}

/*
 * A loop in which AX says how many of its instructions have been executed: one is two
 * bytes long.
 */
extern const char count_start[], count_dec[], count_jump[];

static __attribute__((noinline, noclone)) void run_count(uint32_t iterations)
{
	asm volatile("	xor %%eax, %%eax\n"
		     "	.globl count_start, count_dec, count_jump\n"
		     "count_start:\n"
		     "	.rept 90\n"
		     "	.byte 0xff, 0xc0\n" /* inc %eax */
		     "	.endr\n"
		     "count_dec:\n"
		     "	decl %0\n"
		     "count_jump:\n"
		     "	jnz count_start"
		     : "+c"(iterations)
		     :
		     : "cc", "eax");
}

static int count_position(uint64_t address)
{
	const uint64_t start = (uintptr_t)count_start;
	const uint64_t dec = (uintptr_t)count_dec;

	if (address >= start && address <= dec)
		return (int)(address - start) / 2;
	return address == (uintptr_t)count_jump ? COUNT_AX + 1 : -1;
}

/* AX behind the recorded instruction, which is number here of its turn. */
static uint64_t expected_ax(uint32_t turns, uint32_t here)
{
	return turns * COUNT_AX + (here < COUNT_AX ? here + 1 : COUNT_AX);
}

/* The registers are those behind the recorded instruction. */
static void judge_gprs(const struct precise *p)
{
	static struct record_run run;
	uint32_t k, here, turns, first = 0, found = 0, wrong = 0;

	record_code(p, run_count, 2000, &run);
	judge_distances(p, &run);
	judge_addresses(p, &run, count_position, COUNT_INSNS);
	for (k = 0; k < run.number; k++) {
		const struct record *r = &run.record[k];

		if (count_position(r->ip) < 0)
			continue;
		here = count_position(r->ip);
		if (p->precise_ip == 1)
			here = (here + COUNT_INSNS - 1) % COUNT_INSNS;
		/* AX is complete in the last two of a turn. */
		if (!found++)
			first = r->number - here -
				(r->ax - 1) / COUNT_AX * COUNT_INSNS;
		turns = (r->number - first) / COUNT_INSNS;
		if (r->ax != expected_ax(turns, here) && !wrong++)
			note("AX of record %u is %llu, expected %llu", k,
			     (unsigned long long)r->ax,
			     (unsigned long long)expected_ax(turns, here));
	}
	check(found && !wrong, "%s: %u records have the registers, %u have not",
	      p->name, found, wrong);
}

static void judge_sled(const struct precise *p, uint32_t iterations)
{
	static struct record_run run;
	uint32_t found;

	record_code(p, run_sled, iterations, &run);
	judge_number(p, &run);
	judge_distances(p, &run);
	found = judge_addresses(p, &run, sled_position, SLED_INSNS);
	check(found + 2 >= run.number, "%s: all but %u records are in the loop",
	      p->name, run.number - found);
}

/* With calls of the kernel, page faults and an instruction that repeats itself. */
static void judge_mix(const struct precise *p)
{
	static struct record_run run;

	map_fresh_pages(MIX_MOST * MIX_STEP / 4096 + 1);
	record_code(p, run_mix, MIX_MOST, &run);
	judge_number(p, &run);
	judge_distances(p, &run);
	judge_addresses(p, &run, mix_position, MIX_INSNS);
}

/* Records of the kernel have addresses of the kernel. */
static void judge_kernel(const struct precise *p)
{
	static struct record_run run;
	uint32_t k, wrong = 0;

	map_fresh_pages(MIX_MOST * MIX_STEP / 4096 + 1);
	record_code(p, run_mix, MIX_MOST, &run);
	judge_number(p, &run);
	/* The instruction behind an IRET is one of the program. */
	if (p->precise_ip == 1)
		return;
	for (k = 0; k < run.number; k++)
		wrong += run.record[k].ip < UINTPTR_MAX / 2;
	check(!wrong, "%s: %u of %u records are in the program", p->name, wrong,
	      run.number);
}

static int is_jump(uint64_t address)
{
	return sled_position(address) == SLED_INSNS - 1;
}

/* The instructions of run_mix() that store. */
static int is_store(uint64_t address)
{
	const int here = mix_position(address);

	return here == 42 || here == 45;
}

/* Events that not all instructions are: the recorded one is one of them. */
static void judge_event(const struct precise *p, void (*code)(uint32_t),
			int (*position)(uint64_t address),
			int (*is_event)(uint64_t address))
{
	static struct record_run run;
	uint32_t k, found = 0, right = 0;

	map_fresh_pages(MIX_MOST * MIX_STEP / 4096 + 1);
	record_code(p, code, MIX_MOST, &run);
	judge_number(p, &run);
	for (k = 0; k < run.number; k++) {
		if (position(run.record[k].ip) < 0)
			continue;
		found++;
		right += is_event(run.record[k].ip);
	}
	check(found + 2 >= run.number && right == found,
	      "%s: %u of %u records are in the loop, %u are this event",
	      p->name, found, run.number, right);
}

/* 1: the address is the next instruction. */
static unsigned int find_max_precise(void)
{
	FILE *file = fopen("/sys/bus/event_source/devices/cpu/caps/max_precise",
			   "r");
	unsigned int max = 0;

	if (!file)
		return 0;
	if (fscanf(file, "%u", &max) != 1)
		give_up("max_precise");
	fclose(file);
	return max > 2 ? 2 : max;
}

static void judge_samples(unsigned int max)
{
	const struct precise sleds[] = {
		{ "precise", INSTRUCTIONS, 10007, max, false, LEVEL_USER },
		{ "precise 1", INSTRUCTIONS, 10007, 1, false, LEVEL_USER },
		{ "precise, each", INSTRUCTIONS, 1009, max, true, LEVEL_USER },
		{ "precise 1, each", INSTRUCTIONS, 1009, 1, true, LEVEL_USER },
		{ "precise, short", INSTRUCTIONS, 101, max, false, LEVEL_USER },
	};
	const struct precise mix = { "precise, with kernel calls",
				     INSTRUCTIONS,
				     103,
				     max,
				     true,
				     LEVEL_USER };
	const struct precise kernel = {
		"precise, kernel", INSTRUCTIONS, 5003, max, false, LEVEL_KERNEL
	};
	unsigned int i;

	for (i = 0; i < 4; i++)
		judge_sled(&sleds[i], i < 2 ? 40404 : 2020);
	judge_sled(&sleds[4], 2020);
	judge_gprs(&sleds[2]);
	judge_mix(&mix);
	judge_kernel(&kernel);
}

/*
 * Which instruction has the event is known with the address of the recorded one. Haswell
 * takes no period below 32.
 */
static void judge_events(void)
{
	const struct branch_event *all = find_branch_event(BRANCHES_ALL);
	const struct precise branches = {
		"precise, branches", all ? all->select : 0, 37, 2, false,
		LEVEL_USER
	};
	const struct precise stores = { "precise, stores", STORES, 41, 2, false,
					LEVEL_USER };

	if (all)
		judge_event(&branches, run_sled, sled_position, is_jump);
	judge_event(&stores, run_mix, mix_position, is_store);
}

/* Another process has records on the other CPU meanwhile. */
static void judge_beside(unsigned int max)
{
	const struct precise p = { "precise, beside another",
				   INSTRUCTIONS,
				   10007,
				   max,
				   true,
				   LEVEL_USER };
	static struct record_run run;
	const pid_t other = fork();
	int status;

	if (other < 0)
		give_up("fork");
	if (!other) {
		judge_cpu = !judge_cpu;
		pin_to_cpu(judge_cpu);
		record_code(&p, run_sled, 40404, &run);
		_exit(run.number != (run.count + run.number) / (p.period + 1));
	}
	judge_sled(&p, 40404);
	if (waitpid(other, &status, 0) != other)
		give_up("waitpid");
	check(WIFEXITED(status) && !WEXITSTATUS(status),
	      "the other CPU has records as well");
}

static bool has_pebs(void)
{
	unsigned int eax = 0, vendor = 0, ecx, edx = 0;

	__get_cpuid(0, &eax, &vendor, &ecx, &edx);
	if (vendor != signature_INTEL_ebx)
		return false;
	__get_cpuid(1, &eax, &vendor, &ecx, &edx);
	return edx >> 21 & 1;
}

/* Hundreds of records in one interrupt take longer than the kernel puts up with. */
static void allow_long_interrupts(void)
{
	FILE *file = fopen("/sys/kernel/debug/x86/nmi_longest_ns", "w");

	if (!file)
		return;
	fprintf(file, "%d\n", 50000000);
	fclose(file);
}

void judge_pebs(void)
{
	const unsigned int max = find_max_precise();
	unsigned int format;

	if (!has_pebs())
		return;
	format = judge_pebs_registers();
	check(max, "the kernel has found precise sampling, up to level %u",
	      max);
	if (!max)
		return;
	allow_samples(0);
	allow_long_interrupts();
	judge_samples(max);
	if (max > 1) {
		judge_events();
		judge_pebs_data(format);
	}
	if (sysconf(_SC_NPROCESSORS_ONLN) > 1)
		judge_beside(max);
	allow_samples(99);
}

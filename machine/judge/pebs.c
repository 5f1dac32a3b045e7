// SPDX-License-Identifier: GPL-2.0-only
/*
 * Precise samples: perf_event with precise_ip, whose records the processor writes
 * (PEBS). From one record to the next there are a period's events and the recorded one.
 * The data address of a record without one is the number of user instructions before
 * the recorded one, which says where in the code that has to be.
 */

#define _GNU_SOURCE
#include <cpuid.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pebs.h"

#define STORES 0x82d0
#define COUNT_AX 90 /* instructions of run_count() that count in AX */
#define COUNT_INSNS (COUNT_AX + 2)
#define FEWEST_RECORDS 24 /* in an interrupt: a page of them on Core 2 */

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
			run->interrupts <= run->number / FEWEST_RECORDS + 1,
	      "%s: %llu interrupts", p->name,
	      (unsigned long long)run->interrupts);
}

/*
 * Code that repeats itself, and which of its instructions an address is: -1 if it is
 * elsewhere, or if the record has the address of an operand in place of the number.
 */
struct loop {
	int (*position)(uint64_t address);
	uint32_t length;
};

/* User instructions: one record in P + 1 of them, wherever they are. */
static void judge_distances(const struct precise *p, const struct loop *loop,
			    const struct record_run *run)
{
	const struct record *record, *last = NULL;
	uint64_t periods;
	uint32_t wrong = 0;

	for (record = run->record; record < run->record + run->number;
	     record++) {
		if (loop->position(record->ip) < 0)
			continue;
		periods = last ? record - last : 0;
		if (last &&
		    record->number - last->number !=
			    periods * (p->period + 1) &&
		    !wrong++)
			note("record %d comes %u instructions after the one before",
			     (int)(record - run->record),
			     record->number - last->number);
		last = record;
	}
	check(last && !wrong, "%s: the records are %llu instructions apart",
	      p->name, (unsigned long long)p->period + 1);
}

/*
 * Where the records of a loop are follows from the number of user instructions that
 * each one has, and from the first one. Returns how many are in the loop.
 */
static uint32_t judge_addresses(const struct precise *p,
				const struct loop *loop,
				const struct record_run *run)
{
	const uint32_t behind = p->precise_ip == 1;
	uint32_t k, start, base = 0, found = 0, wrong = 0;
	int here;

	for (k = 0; k < run->number; k++) {
		here = loop->position(run->record[k].ip);
		if (here < 0)
			continue;
		start = run->record[k].number + behind - (uint32_t)here;
		if (!found++)
			base = start;
		if ((start - base) % loop->length && !wrong++)
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
	static const struct loop counting = { count_position, COUNT_INSNS };
	static struct record_run run;
	uint32_t k, here, turns, first = 0, found = 0, wrong = 0;

	record_code(p, run_count, 2000, &run);
	judge_distances(p, &counting, &run);
	judge_addresses(p, &counting, &run);
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
	static const struct loop sled = { sled_position, SLED_INSNS };
	static struct record_run run;
	uint32_t found;

	record_code(p, run_sled, iterations, &run);
	judge_number(p, &run);
	judge_distances(p, &sled, &run);
	found = judge_addresses(p, &sled, &run);
	check(found + 2 >= run.number, "%s: all but %u records are in the loop",
	      p->name, run.number - found);
}

/* The instructions of run_mix() that store. */
#define MIX_STORE 42
#define MIX_REP 45

static int is_store(uint64_t address)
{
	const int here = mix_position(address);

	return here == MIX_STORE || here == MIX_REP;
}

/* The recorded instruction is the one at the address, or the one before. */
static int numbered_position(uint64_t address)
{
	const int here = mix_position(address);

	return here >= MIX_STORE && here <= MIX_REP + 1 ? -1 : here;
}

/* With calls of the kernel, page faults and an instruction that repeats itself. */
static void judge_mix(const struct precise *p)
{
	static const struct loop numbered = { numbered_position, MIX_INSNS };
	static struct record_run run;
	uint32_t found;

	map_fresh_pages(MIX_MOST * MIX_STEP / 4096 + 1);
	record_code(p, run_mix, MIX_MOST, &run);
	judge_number(p, &run);
	judge_distances(p, &numbered, &run);
	found = judge_addresses(p, &numbered, &run);
	check(found > run.number / 2, "%s: most records have numbers", p->name);
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
				     102,
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
	judge_record_boundaries();
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

/* As CPUID has it: 15 and 23 are Core 2. */
static unsigned int find_model(void)
{
	unsigned int eax = 0, ebx, ecx, edx;

	__get_cpuid(1, &eax, &ebx, &ecx, &edx);
	return (eax >> 4 & 0xf) | (eax >> 12 & 0xf0);
}

/*
 * Records of these formats have the next instruction. Linux finds the one before by the
 * branch records, if each record has its interrupt.
 */
static void judge_found_addresses(void)
{
	const struct precise each = {
		"precise, by branches", INSTRUCTIONS, 1009, 2, true, LEVEL_USER
	};

	judge_sled(&each, 2020);
}

void judge_pebs(void)
{
	const unsigned int told = find_max_precise();
	const unsigned int model = find_model();
	unsigned int format, max;

	if (!has_pebs())
		return;
	format = judge_pebs_registers();
	if (have_msr_driver(judge_cpu))
		judge_pebs_memory(format);
	max = format < 2 && told ? 1 : told;
	/* The errata of 15 keep Linux from using its records. */
	if (max || model != 15)
		check(max, "precise sampling up to level %u", max);
	if (!max)
		return;
	records_have_addresses = model != 23;
	allow_samples(0);
	allow_long_interrupts();
	judge_samples(max);
	if (told > max)
		judge_found_addresses();
	if (max > 1) {
		judge_events();
		judge_pebs_data(format);
	}
	if (sysconf(_SC_NPROCESSORS_ONLN) > 1)
		judge_beside(max);
	allow_samples(99);
}

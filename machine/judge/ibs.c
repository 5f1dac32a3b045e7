// SPDX-License-Identifier: GPL-2.0-only
/*
 * Instruction-based sampling: the PMUs ibs_op and ibs_fetch of perf_event. The units
 * count at all levels from the write of the interrupt handler that lets them go on. The
 * way out of the kernel takes its part of each period and leaves the rest to the program:
 * the same number of instructions between two samples, unless something else has
 * interrupted.
 * The low half of the op unit's data register is the number of user instructions
 * before the tagged one, which says where in the sled that has to be.
 */

#define _GNU_SOURCE
#include <cpuid.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "judge.h"
#include "pmu_stats.h"

#define DEVICES "/sys/bus/event_source/devices/"
#define RING_PAGES 128
#define MAX_SAMPLES 2048
#define TRIES 12
#define LONGEST_WAY_OUT 4000
#define FAULT_RUNS 20
#define FAULT_PAGES 1024
#define HANDLER_BYTES 5 /* two instructions; the next one is a call */
#define FEW 400 /* user instructions around the loop */

#define CNT_CTL (1ull << 19)
#define FETCH_DONE (3ull << 49) /* valid and complete */
#define FETCH_PHYSICAL (1ull << 52)
#define PAGE_MASK 0xfffull

struct unit {
	const char *name;
	uint32_t stat;
	uint64_t period; /* a multiple of 16 */
	uint64_t config;
	uint32_t insns; /* of a period, with the tagged one */
	/* Ask where the interrupt came, for which perf_event needs a lot of time. */
	bool wants_next;
};

struct ibs_sample {
	uint64_t address; /* of the tagged instruction */
	uint64_t next; /* the interrupted one, 0: not asked for */
	uint64_t reg[3]; /* control and the next two */
};

struct ibs_run {
	uint32_t number, lost;
	uint32_t begin, end; /* number of user instructions before and after */
	struct ibs_sample sample[MAX_SAMPLES];
};

static int read_type(const char *unit)
{
	char path[80];
	FILE *file;
	int type;

	snprintf(path, sizeof(path), DEVICES "%s/type", unit);
	file = fopen(path, "r");
	if (!file)
		return -1;
	if (fscanf(file, "%d", &type) != 1)
		give_up(path);
	fclose(file);
	return type;
}

/* Its events count at all levels: perf_event has no other ones. */
static int open_unit(const struct unit *unit)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = read_type(unit->name),
		.config = unit->config,
		.sample_period = unit->period,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_RAW,
		.sample_max_stack = 1,
		.disabled = 1,
		.pinned = 1,
	};
	int fd;

	if (unit->wants_next)
		attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
	fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
	if (fd < 0)
		give_up(unit->name);
	return fd;
}

static void add_sample(const struct unit *unit, struct ibs_run *run,
		       const uint64_t *field)
{
	struct ibs_sample *sample = &run->sample[run->number];
	uint64_t nr;

	if (run->number == MAX_SAMPLES)
		give_up("more samples than there is room for");
	*sample = (struct ibs_sample){ .address = *field++ };
	if (unit->wants_next) {
		nr = *field++;
		/* Behind a mark for the level. */
		if (nr > 1)
			sample->next = field[1];
		field += nr;
	}
	/* The size of the raw data and the capabilities are before the registers. */
	memcpy(sample->reg, field + 1, sizeof(sample->reg));
	run->number++;
}

static void collect_run(const struct unit *unit,
			const struct perf_event_mmap_page *page,
			struct ibs_run *run)
{
	const char *data = (const char *)page + getpagesize();
	const struct perf_event_header *header;
	uint64_t at;

	for (at = 0; at < page->data_head; at += header->size) {
		header = (const void *)(data + at);
		if (header->type == PERF_RECORD_SAMPLE)
			add_sample(unit, run, (const uint64_t *)(header + 1));
		else if (header->type == PERF_RECORD_LOST ||
			 header->type == PERF_RECORD_THROTTLE)
			run->lost++;
	}
}

static void sample_with(const struct unit *unit, void (*code)(uint32_t),
			uint32_t iterations, struct ibs_run *run)
{
	const int fd = open_unit(unit);
	void *map = map_event(fd, RING_PAGES);

	memset(run, 0, sizeof(*run));
	take_priority(PRIORITY_SAMPLED);
	run->begin = read_stat(judge_cpu, PMU_STAT_USER_INSNS);
	start_event(fd);
	code(iterations);
	stop_event(fd);
	run->end = read_stat(judge_cpu, PMU_STAT_USER_INSNS);
	take_priority(PRIORITY_NONE);
	collect_run(unit, map, run);
	munmap(map, (1 + RING_PAGES) * getpagesize());
	close(fd);
}

static uint32_t user_number(const struct ibs_run *run, uint32_t k)
{
	return run->sample[k].reg[2];
}

/* From a sample in the sled to the next, modulo the sled's length; 0: not there. */
static uint32_t sled_distance(const struct ibs_run *run, uint32_t k)
{
	const int before = sled_position(run->sample[k - 1].address);
	const int here = sled_position(run->sample[k].address);

	if (before < 0 || here < 0)
		return 0;
	return here > before ? here - before : here - before + SLED_INSNS;
}

/*
 * User instructions from one sample to the next: as the op unit tells, or modulo the
 * sled's length as the addresses tell. 0: something else has interrupted.
 */
static uint32_t distance_of(const struct unit *unit, const struct ibs_run *run)
{
	uint32_t k, distance, common = 0;

	for (k = 1; k < run->number; k++) {
		distance = sled_distance(run, k);
		if (distance && unit->stat == PMU_STAT_IBS_OP)
			distance =
				user_number(run, k) - user_number(run, k - 1);
		if (!distance || (k > 1 && distance != common))
			return 0;
		common = distance;
	}
	return common;
}

/* A run that no tick has interrupted. The runs are of different lengths. */
static uint32_t quiet_run(const struct unit *unit, struct ibs_run *run)
{
	uint32_t distance, i;

	for (i = 0; i < TRIES; i++) {
		sample_with(unit, run_sled, 1000 + 7 * i, run);
		distance = run->number > 3 ? distance_of(unit, run) : 0;
		if (distance)
			return distance;
	}
	note("%s: %u samples in the last run", unit->name, run->number);
	return 0;
}

/* Samples that are not followed by the interrupted instruction. */
static uint32_t late_interrupts(const struct ibs_run *run)
{
	uint32_t k, wrong = 0;

	for (k = 0; k < run->number; k++) {
		const int here = sled_position(run->sample[k].address);
		const int next = sled_position(run->sample[k].next);

		if (next != (here + 1) % SLED_INSNS && !wrong++)
			note("sample %u is at %d, interrupted at %d", k, here,
			     next);
	}
	return wrong;
}

/* What the op unit says of the number of the instruction. */
static void judge_numbers(const struct unit *unit, const struct ibs_run *run,
			  uint32_t each)
{
	uint32_t k, wrong = 0;

	for (k = 1; k < run->number; k++)
		wrong += sled_distance(run, k) % SLED_INSNS !=
			 each % SLED_INSNS;
	check(!wrong,
	      "%s: the numbers of user instructions agree with the addresses",
	      unit->name);
	check(each < unit->insns && unit->insns - each < LONGEST_WAY_OUT,
	      "%s: %u user instructions and %u others are a period", unit->name,
	      each, unit->insns - each);
	check(user_number(run, 0) - run->begin < each + FEW &&
		      run->end - user_number(run, run->number - 1) < each + FEW,
	      "%s: %u samples of %u user instructions", unit->name, run->number,
	      run->end - run->begin);
}

static void judge_fetches(const struct unit *unit, const struct ibs_run *run)
{
	uint32_t k, wrong = 0;

	for (k = 0; k < run->number; k++) {
		const struct ibs_sample *s = &run->sample[k];

		wrong += s->reg[1] != s->address ||
			 (s->reg[0] & FETCH_DONE) != FETCH_DONE ||
			 !(s->reg[0] & FETCH_PHYSICAL) ||
			 (s->reg[2] ^ s->reg[1]) & PAGE_MASK;
	}
	check(!wrong, "%s: each fetch is complete and has its physical address",
	      unit->name);
}

static void judge_unit(const struct unit *unit)
{
	struct unit asking = *unit;
	static struct ibs_run run;
	uint32_t distance;

	asking.wants_next = true;
	distance = quiet_run(&asking, &run);
	check(distance, "%s: samples are equally far from each other",
	      unit->name);
	if (!distance)
		return;
	check(!run.lost && !late_interrupts(&run),
	      "%s: each interrupt comes right behind its instruction",
	      unit->name);
	if (unit->stat == PMU_STAT_IBS_OP)
		judge_numbers(unit, &run, distance);
	else
		judge_fetches(unit, &run);
}

/*
 * Where the samples of a loop are follows from the number of user instructions that
 * each one has, and from the first one. Returns how many are in the loop.
 */
static uint32_t judge_places(const struct unit *unit, const struct ibs_run *run,
			     int (*position)(uint64_t address), uint32_t length)
{
	uint32_t k, wrong = 0, found = 0;
	uint32_t start, base = 0;

	for (k = 0; k < run->number; k++) {
		const int here = position(run->sample[k].address);

		if (here < 0)
			continue;
		start = user_number(run, k) - here;
		if (!found++)
			base = start;
		if ((start - base) % length && !wrong++)
			note("sample %u of %u is at %d", k, run->number, here);
	}
	check(found && !wrong,
	      "%s: %u of %u samples are in the loop, %u elsewhere than their number says",
	      unit->name, found, run->number, wrong);
	return found;
}

/* With calls of the kernel, page faults and an instruction that repeats itself. */
static void judge_mix(const struct unit *op)
{
	struct unit often = *op;
	static struct ibs_run run;
	uint32_t k, at[MIX_INSNS] = { 0 }, places = 0;
	int here;

	often.period = 1504;
	map_fresh_pages(MIX_MOST * MIX_STEP / 4096 + 1);
	sample_with(&often, run_mix, MIX_MOST, &run);
	judge_places(&often, &run, mix_position, MIX_INSNS);
	for (k = 0; k < run.number; k++) {
		here = mix_position(run.sample[k].address);
		if (here >= 0)
			places += !at[here]++;
	}
	check(places > MIX_INSNS / 2, "%s: %u of %u instructions have samples",
	      op->name, places, MIX_INSNS);
}

/* Page faults of the kernel. */
static void ask_with_bad_pointer(uint32_t calls)
{
	while (calls--)
		syscall(SYS_rt_sigprocmask, SIG_SETMASK, (void *)16, NULL, 8);
}

/*
 * A tagged instruction that faults does not retire: the first one of the handler is
 * tagged instead. Else the interrupt would come in the handler, and the sample tell of
 * an instruction elsewhere.
 */
static void judge_handler(const struct unit *op, void (*code)(uint32_t),
			  const char *level)
{
	const uint64_t handler = find_symbol("asm_exc_page_fault");
	struct unit often = *op;
	uint32_t i, k, number = 0, wrong = 0;
	static struct ibs_run run;

	often.wants_next = true;
	for (i = 0; i < FAULT_RUNS; i++) {
		often.period = 4000 + 16 * i;
		map_fresh_pages(FAULT_PAGES);
		sample_with(&often, code, FAULT_PAGES, &run);
		for (k = 0; k < run.number; k++) {
			if (run.sample[k].next - handler >= HANDLER_BYTES)
				continue;
			number++;
			wrong += run.sample[k].address - handler >=
				 HANDLER_BYTES;
		}
	}
	check(handler && number && !wrong,
	      "%s: %u samples at the begin of a page fault at %s level, %u are elsewhere",
	      op->name, number, level, wrong);
}

/* In a long run with ticks: none is lost, and those in the sled are where they say. */
static void judge_long_run(const struct unit *unit)
{
	const uint64_t taken = read_stat(judge_cpu, unit->stat);
	const uint64_t irqs = read_stat(judge_cpu, PMU_STAT_IBS_IRQ);
	static struct ibs_run run;
	uint32_t number, found;

	sample_with(unit, run_sled, 40000, &run);
	number = read_stat(judge_cpu, unit->stat) - taken;
	check(!run.lost && run.number == number &&
		      read_stat(judge_cpu, PMU_STAT_IBS_IRQ) - irqs == number,
	      "%s: %u samples, %u interrupts, %u records, %u lost", unit->name,
	      number, (uint32_t)(read_stat(judge_cpu, PMU_STAT_IBS_IRQ) - irqs),
	      run.number, run.lost);
	if (unit->stat != PMU_STAT_IBS_OP)
		return;
	found = judge_places(unit, &run, sled_position, SLED_INSNS);
	check(found > run.number / 2, "%s: most samples are in the loop",
	      unit->name);
}

static void judge_pair(const struct unit *op, const struct unit *fetch)
{
	judge_unit(op);
	judge_unit(fetch);
	judge_long_run(op);
	judge_long_run(fetch);
}

/* Another process samples on the other CPU meanwhile. */
static void judge_beside(const struct unit *op, const struct unit *fetch)
{
	static struct ibs_run run;
	const pid_t other = fork();
	int status;

	if (other < 0)
		give_up("fork");
	if (!other) {
		judge_cpu = !judge_cpu;
		pin_to_cpu(judge_cpu);
		sample_with(op, run_sled, 60000, &run);
		_exit(!run.number || run.lost);
	}
	judge_pair(op, fetch);
	if (waitpid(other, &status, 0) != other)
		give_up("waitpid");
	check(WIFEXITED(status) && !WEXITSTATUS(status),
	      "the other CPU has samples as well");
}

static bool has_ibs(void)
{
	unsigned int eax, ebx, ecx = 0, edx;

	__get_cpuid(0x80000001, &eax, &ebx, &ecx, &edx);
	return ecx >> 10 & 1;
}

void judge_ibs(void)
{
	struct unit op = {
		"ibs_op", PMU_STAT_IBS_OP, 9600, CNT_CTL, 9601, false
	};
	struct unit fetch = { "ibs_fetch", PMU_STAT_IBS_FETCH, 2400, 0, 9604,
			      false };

	if (!has_ibs() || !have_msr_driver(judge_cpu))
		return;
	check(read_type(op.name) >= 0 && read_type(fetch.name) >= 0,
	      "the kernel has found instruction-based sampling");
	if (read_type(op.name) < 0 || read_type(fetch.name) < 0)
		return;
	/*
	 * Its handler has more to do than others. A rate that was lowered would stay
	 * lowered for who comes next.
	 */
	allow_samples(0);
	/* Cycles: the machine has three of them in two instructions. */
	if (access(DEVICES "ibs_op/format/cnt_ctl", F_OK)) {
		op.config = 0;
		op.insns = 6401;
	}
	judge_pair(&op, &fetch);
	judge_mix(&op);
	judge_handler(&op, touch_pages, "user");
	judge_handler(&op, ask_with_bad_pointer, "kernel");
	judge_ibs_data(read_type(op.name), op.config);
	if (sysconf(_SC_NPROCESSORS_ONLN) > 1)
		judge_beside(&op, &fetch);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Branch records: perf_event must find the last branches before each sample, all of them
 * and in their order, with each filter, at both levels, and as a stack of calls.
 */

#define _GNU_SOURCE
#include <cpuid.h>
#include <linux/perf_event.h>
#include <stdio.h>

#include "branch_stacks.h"
#include "pmu_stats.h"

#define USER PERF_SAMPLE_BRANCH_USER
#define KERNEL PERF_SAMPLE_BRANCH_KERNEL
#define PERIOD 1009
#define TURNS 20000
/* Code without a taken branch is shorter. */
#define LONGEST_WAY 4096

static struct stacks stacks;

/* What the processor has, by its numbers in CPUID. */
struct recorder {
	unsigned int family, model, depth;
	bool nehalem; /* its filters */
	bool has_call_stack, has_cycles;
	bool saves_kinds; /* Linux always finds the kinds of branches */
};

static const struct recorder *find_recorder(void)
{
	static const struct recorder known[] = {
		{ 6, 26, 16, true, false, false, false }, /* Nehalem */
		{ 6, 44, 16, true, false, false, false }, /* Westmere */
		{ 6, 60, 16, false, true, false, false }, /* Haswell */
		{ 6, 94, 32, false, true, true, false }, /* Skylake */
		{ 6, 106, 32, false, true, true, false }, /* Ice Lake */
		{ 6, 143, 32, false, true, true, true }, /* Sapphire Rapids, */
		{ 6, 207, 32, false, true, true, true }, /* its successor, */
		{ 6, 173, 32, false, true, true, true }, /* Granite Rapids, */
		{ 6, 175, 32, false, true, true, true }, /* Sierra Forest, */
		{ 6, 151, 32, false, true, true, true }, /* and Alder Lake */
		{ 25, 17, 16, false, false, false, false }, /* Zen 4 */
		{ 26, 2, 16, false, false, false, false }, /* Zen 5 */
	};
	unsigned int eax = 0, ebx, ecx, edx, family, model, i;

	__get_cpuid(1, &eax, &ebx, &ecx, &edx);
	family = eax >> 8 & 0xf;
	if (family == 15)
		family += eax >> 20 & 0xff;
	model = (eax >> 4 & 0xf) | (eax >> 12 & 0xf0);
	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (known[i].family == family && known[i].model == model)
			return &known[i];
	return NULL;
}

static unsigned int find_depth(void)
{
	static const char *const pmus[] = {
		[KIND_NONE] = "cpu",
		[KIND_CORE] = "cpu_core",
		[KIND_ATOM] = "cpu_atom",
	};
	unsigned int depth = 0;
	char path[80];
	FILE *file;

	snprintf(path, sizeof(path),
		 "/sys/bus/event_source/devices/%s/caps/branches",
		 pmus[find_kind()]);
	file = fopen(path, "r");
	if (!file)
		return 0;
	if (fscanf(file, "%u", &depth) != 1)
		give_up("branches");
	fclose(file);
	return depth;
}

/* Of these kinds, the branch before branch i of the loop. */
static int known_before(int i, uint32_t kinds)
{
	do
		i = (i + KNOWN_BRANCHES - 1) % KNOWN_BRANCHES;
	while (!(kinds >> known_branch[i].kind & 1));
	return i;
}

/* How many of its entries are the loop's last branches in their order. */
static unsigned int right_entries(const struct stack_sample *sample, int last,
				  uint32_t kinds)
{
	int i = known_before((last + 1) % KNOWN_BRANCHES, kinds);
	unsigned int n;

	for (n = 0; n < sample->number; n++) {
		if (sample->entry[n].from != (uintptr_t)known_branch[i].from ||
		    sample->entry[n].to != (uintptr_t)known_branch[i].to)
			break;
		i = known_before(i, kinds);
	}
	return n;
}

/* One turn in that code is not the loop's: the first, and behind an interrupt. */
static void judge_known(const char *name, uint64_t filter, uint32_t kinds,
			unsigned int depth)
{
	const struct stack_request request = {
		.name = name,
		.filter = filter | USER,
		.period = PERIOD,
		.user = true,
	};
	unsigned int i, inside = 0, wrong = 0, full = 0, entries;
	int last;

	if (!take_stacks(&request, run_known_branches, TURNS, &stacks)) {
		check(false, "%s: perf_event refuses this filter", name);
		return;
	}
	for (i = 0; i < stacks.number; i++) {
		const struct stack_sample *sample = &stacks.sample[i];

		last = last_known_branch(sample->ip);
		if (last < 0)
			continue;
		inside++;
		entries = right_entries(sample, last, kinds);
		full += entries >= depth;
		if (entries < sample->number && !wrong++)
			note("%s: entry %u of sample %u is from %llx to %llx",
			     name, entries, i,
			     (unsigned long long)sample->entry[entries].from,
			     (unsigned long long)sample->entry[entries].to);
	}
	check(inside > 300 && !stacks.lost && wrong <= 1 && full + 4 >= inside,
	      "%s: of %u samples %u have the last %u branches, %u others", name,
	      inside, full, depth, wrong);
}

#define KIND(kind) (1u << BRANCH_##kind)
#define ANY_KIND BRANCHES_ALL

/*
 * Nehalem's filters have to let jumps through, which Linux then takes out. It has no
 * filter of direct calls.
 */
static void judge_filters(unsigned int depth, bool is_nehalem)
{
	static const struct {
		const char *name;
		uint64_t filter;
		uint32_t kinds;
		unsigned int part; /* of the records on Nehalem, in eighths */
	} filters[] = {
		{ "branches, any", PERF_SAMPLE_BRANCH_ANY, ANY_KIND, 8 },
		{ "branches, any call", PERF_SAMPLE_BRANCH_ANY_CALL,
		  KIND(CALL) | KIND(CALL_INDIRECT), 4 },
		{ "branches, any return", PERF_SAMPLE_BRANCH_ANY_RETURN,
		  KIND(RETURN), 4 },
		{ "branches, indirect call", PERF_SAMPLE_BRANCH_IND_CALL,
		  KIND(CALL_INDIRECT), 4 },
		{ "branches, conditional", PERF_SAMPLE_BRANCH_COND,
		  KIND(COND_TAKEN), 8 },
		{ "branches, indirect jump", PERF_SAMPLE_BRANCH_IND_JUMP,
		  KIND(JUMP_INDIRECT), 8 },
		{ "branches, call", PERF_SAMPLE_BRANCH_CALL, KIND(CALL), 0 },
	};
	unsigned int i, number;

	for (i = 0; i < sizeof(filters) / sizeof(filters[0]); i++) {
		number = is_nehalem ? depth * filters[i].part / 8 : depth;
		if (number)
			judge_known(filters[i].name, filters[i].filter,
				    filters[i].kinds, number);
	}
}

static bool has_records_of_events(void)
{
	unsigned int eax = 0, vendor = 0, ecx, edx = 0;

	__get_cpuid(0, &eax, &vendor, &ecx, &edx);
	if (vendor != signature_INTEL_ebx)
		return false;
	__get_cpuid(1, &eax, &vendor, &ecx, &edx);
	return edx >> 21 & 1;
}

/* The recorded instruction may be a branch: its own record is the newest one then. */
static int last_at(uint64_t address)
{
	int i;

	for (i = 0; i < KNOWN_BRANCHES; i++)
		if (address == (uintptr_t)known_branch[i].from)
			return i;
	return last_known_branch(address);
}

/* Records of PEBS have the branches of their moment, wherever they are read. */
static void judge_precise(unsigned int depth)
{
	const struct stack_request request = {
		.name = "precise",
		.filter = USER | PERF_SAMPLE_BRANCH_ANY,
		.period = PERIOD,
		.user = true,
		.precise = 2,
	};
	unsigned int i, inside = 0, right = 0;
	int last;

	if (!take_stacks(&request, run_known_branches, TURNS, &stacks)) {
		check(false, "precise samples with branches");
		return;
	}
	for (i = 0; i < stacks.number; i++) {
		const struct stack_sample *sample = &stacks.sample[i];

		last = last_at(sample->ip);
		if (last < 0)
			continue;
		inside++;
		right += right_entries(sample, last, ANY_KIND) == depth;
	}
	check(inside > 300 && !stacks.lost && right + 2 >= inside,
	      "%u of %u precise samples have their last %u branches", right,
	      inside, depth);
}

/*
 * Three halves of the instructions, rounded down at each branch. If the kernel has been
 * between two of them, its return is a record that Linux takes out.
 */
static void judge_cycles(unsigned int depth)
{
	const struct stack_request request = {
		.name = "cycles of branches",
		.filter = USER | PERF_SAMPLE_BRANCH_ANY,
		.period = PERIOD,
		.user = true,
	};
	unsigned int i, n, right = 0, wrong = 0, insns;
	int last;

	take_stacks(&request, run_known_branches, TURNS, &stacks);
	for (i = 0; i < stacks.number; i++) {
		const struct stack_sample *sample = &stacks.sample[i];

		last = last_known_branch(sample->ip);
		if (last < 0 || right_entries(sample, last, ANY_KIND) < depth)
			continue;
		/* The branch before the last one may be the kernel's. */
		for (n = 0; n + 1 < sample->number; n++) {
			insns = known_branch[last].insns;
			last = known_before(last, ANY_KIND);
			if (sample->entry[n].cycles == 3 * insns / 2 ||
			    sample->entry[n].cycles == (3 * insns + 1) / 2)
				right++;
			else
				wrong++;
		}
	}
	check(right > 5000 && !wrong,
	      "the cycles between %u branches are right, between %u wrong",
	      right, wrong);
}

#define EACH 4

/* One of so many branches, and all are recorded. */
static bool has_each_mispredicted(const struct stack_sample *sample)
{
	unsigned int n, first = 0;

	while (first < EACH && !sample->entry[first].mispred)
		first++;
	for (n = 0; n < sample->number; n++)
		if (sample->entry[n].mispred != (n % EACH == first) ||
		    sample->entry[n].predicted == sample->entry[n].mispred)
			return false;
	return first < EACH;
}

static void judge_mispredictions(unsigned int depth)
{
	const struct stack_request request = {
		.name = "mispredicted branches",
		.filter = USER | PERF_SAMPLE_BRANCH_ANY,
		.period = PERIOD,
		.user = true,
	};
	const uint32_t fault = PMU_STAT_BASE + PMU_STAT_FAULT;
	unsigned int i, full = 0, right = 0;

	write_msr(judge_cpu, fault, PMU_FAULT(PMU_FAULT_MISPREDICT, EACH));
	take_stacks(&request, run_known_branches, TURNS, &stacks);
	write_msr(judge_cpu, fault, PMU_FAULT_CLEAR);
	for (i = 0; i < stacks.number; i++) {
		if (stacks.sample[i].number < depth)
			continue;
		full++;
		right += has_each_mispredicted(&stacks.sample[i]);
	}
	check(full > 300 && right == full,
	      "in %u of %u samples one branch of %u is mispredicted", right,
	      full, EACH);
}

static bool is_straight(uint64_t from, uint64_t to)
{
	return to >= from && to - from < LONGEST_WAY;
}

static bool is_kernel(uint64_t address)
{
	return address > UINTPTR_MAX / 2;
}

/*
 * How many branches are missing in a sample of both levels: each branch is where the code
 * before it leads. Linux takes an interrupt of the kernel out if it finds kinds of
 * branches, as it finds none for it (branch_type() of Linux 6.12); these are @holes.
 */
static unsigned int count_gaps(const struct stack_sample *sample,
			       bool saves_kinds, unsigned int *levels,
			       unsigned int *holes)
{
	unsigned int n, gaps = 0;
	uint64_t at = sample->ip;

	*holes = 0;
	for (n = 0; n < sample->number; n++) {
		const struct perf_branch_entry *e = &sample->entry[n];

		if (!e->from && !e->to)
			break;
		*levels += is_kernel(e->from) != is_kernel(e->to);
		if (!is_straight(e->to, at)) {
			if (saves_kinds && is_kernel(e->to) && is_kernel(at))
				++*holes;
			else if (!gaps++)
				note("entry %u: to %llx, then %llx", n,
				     (unsigned long long)e->to,
				     (unsigned long long)at);
		}
		at = e->from;
	}
	return gaps;
}

static void judge_both_levels(unsigned int depth, bool saves_kinds)
{
	const struct stack_request request = {
		.name = "branches of both levels",
		.filter = USER | KERNEL | PERF_SAMPLE_BRANCH_ANY,
		.period = 5003,
		.user = true,
		.kernel = true,
	};
	unsigned int i, holes, full = 0, gaps = 0, levels = 0, taken_out = 0;

	map_fresh_pages(MIX_MOST * MIX_STEP / 4096 + 1);
	take_stacks(&request, run_mix, MIX_MOST, &stacks);
	for (i = 0; i < stacks.number; i++) {
		const struct stack_sample *sample = &stacks.sample[i];

		gaps += count_gaps(sample, saves_kinds, &levels, &holes);
		/* The oldest entry leaves no hole. */
		full += sample->number + holes == depth ||
			(saves_kinds && sample->number + holes == depth - 1);
		taken_out += sample->number < depth;
	}
	check(stacks.number > 100 && full == stacks.number && !gaps && levels &&
		      taken_out * 20 < stacks.number,
	      "of %u samples of both levels %u are full, %u changes of the level, %u gaps",
	      stacks.number, full, levels, gaps);
}

/* The branches of a level are those that end there. */
static void judge_kernel(void)
{
	const struct stack_request request = {
		.name = "branches of the kernel",
		.filter = KERNEL | PERF_SAMPLE_BRANCH_ANY,
		.period = 5003,
		.user = true,
		.kernel = true,
	};
	unsigned int i, n, number = 0, wrong = 0, entries = 0;

	map_fresh_pages(MIX_MOST * MIX_STEP / 4096 + 1);
	take_stacks(&request, run_mix, MIX_MOST, &stacks);
	for (i = 0; i < stacks.number; i++) {
		const struct stack_sample *sample = &stacks.sample[i];

		for (n = 0; n < sample->number; n++) {
			number++;
			wrong += sample->entry[n].to < UINTPTR_MAX / 2;
			entries += sample->entry[n].from < UINTPTR_MAX / 2;
		}
	}
	check(number > 2000 && entries && !wrong,
	      "of %u branches in the kernel %u come from the program, %u end there",
	      number, entries, wrong);
}

/* Nothing is recorded but for those who want it. */
static void judge_statistics_of_records(void)
{
	const struct stack_request request = {
		.name = "branches, any",
		.filter = USER | PERF_SAMPLE_BRANCH_ANY,
		.period = PERIOD,
		.user = true,
	};
	uint64_t off, on;

	off = read_stat(judge_cpu, PMU_STAT_BRANCHES);
	run_known_branches(TURNS);
	on = read_stat(judge_cpu, PMU_STAT_BRANCHES);
	check(on == off, "no branches are recorded while no event wants them");
	take_stacks(&request, run_known_branches, TURNS, &stacks);
	on = read_stat(judge_cpu, PMU_STAT_BRANCHES) - on;
	check(on >= TURNS * KNOWN_BRANCHES,
	      "%llu branches are recorded of a loop with %u",
	      (unsigned long long)on, TURNS * KNOWN_BRANCHES);
}

void judge_branch_stacks(void)
{
	const struct recorder *recorder = find_recorder();
	const unsigned int depth = find_depth();

	if (!depth && !recorder)
		return;
	check(recorder && depth == recorder->depth,
	      "%u branch records, expected %u", depth,
	      recorder ? recorder->depth : 0);
	if (!depth || !recorder)
		return;
	allow_samples(0);
	allow_long_interrupts();
	if (have_msr_driver(judge_cpu)) {
		judge_branch_registers(depth);
		judge_statistics_of_records();
		judge_debug_exception();
		judge_mispredictions(depth);
	}
	judge_filters(depth, recorder->nehalem);
	if (recorder->has_cycles)
		judge_cycles(depth);
	judge_both_levels(depth, recorder->saves_kinds);
	judge_kernel();
	if (has_records_of_events())
		judge_precise(depth);
	if (recorder->has_call_stack)
		judge_call_stacks(depth);
	allow_samples(99);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Data addresses: perf_event's precise samples (PEBS, IBS op) of a loop whose loads and
 * stores are known. What it says of each is what its instruction does.
 */

#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "judge.h"

#define DEVICES "/sys/bus/event_source/devices/"
#define RING_PAGES 128
#define MAX_SAMPLES 4096
#define TURNS 100000
#define PERIOD_STEP 16 /* as IBS wants it */
#define BUFFER_BYTES 4096
#define OFFSET_MASK (BUFFER_BYTES - 1)

/* An instruction of the loop, in the order of their labels. */
struct operand {
	int offset; /* in the buffer, or: */
	unsigned int op; /* PERF_MEM_OP_* */
};

#define NO_OPERAND (-1)
#define ON_THE_STACK (-2)
#define LOADS PERF_MEM_OP_LOAD
#define STORES PERF_MEM_OP_STORE
#define OPS (PERF_MEM_OP_NA | LOADS | STORES)

static const struct operand operands[] = {
	{ 0, LOADS }, /* movb */
	{ 8, STORES }, /* movl */
	{ NO_OPERAND, 0 }, /* nop */
	{ 16, LOADS | STORES }, /* addl */
	{ 24, LOADS | STORES }, /* lock incl */
	{ NO_OPERAND, 0 }, /* lea */
	{ 32, LOADS }, /* movups */
	{ 48, STORES }, /* movups */
	{ 64, LOADS }, /* cmpl */
	{ ON_THE_STACK, LOADS | STORES }, /* push of memory */
	{ 80, LOADS | STORES }, /* pop to memory */
	{ 88, LOADS }, /* fldl */
	{ 96, STORES }, /* fstpl */
	{ NO_OPERAND, 0 }, /* nop */
	{ NO_OPERAND, 0 }, /* nop */
	{ NO_OPERAND, 0 }, /* decl */
	{ NO_OPERAND, 0 }, /* jnz */
};

#define LOOP_OPERANDS (sizeof(operands) / sizeof(operands[0]))

extern const char *const data_labels[];
static char buffer[BUFFER_BYTES] __attribute__((aligned(BUFFER_BYTES)));

#ifdef __x86_64__
#define POINTER ".quad"
#else
#define POINTER ".long"
#endif

/* The labels of the instructions, in a table of addresses. */
asm("	.section .data.rel.ro, \"aw\"\n"
    "	.globl data_labels\n"
    "data_labels:\n"
    "	.irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16\n"
    "	" POINTER " data_insn_\\n\n"
    "	.endr\n"
    "	.text\n");

static __attribute__((noinline, noclone)) void run_data(uint32_t turns)
{
	asm volatile("data_insn_0:	movb (%1), %%al\n"
		     "data_insn_1:	movl %%eax, 8(%1)\n"
		     "data_insn_2:	nop\n"
		     "data_insn_3:	addl %%eax, 16(%1)\n"
		     "data_insn_4:	lock incl 24(%1)\n"
		     "data_insn_5:	lea 40(%1), %%edx\n"
		     "data_insn_6:	movups 32(%1), %%xmm0\n"
		     "data_insn_7:	movups %%xmm0, 48(%1)\n"
		     "data_insn_8:	cmpl $1, 64(%1)\n"
		     "data_insn_9:	push 72(%1)\n"
		     "data_insn_10:	pop 80(%1)\n"
		     "data_insn_11:	fldl 88(%1)\n"
		     "data_insn_12:	fstpl 96(%1)\n"
		     "data_insn_13:	nop\n"
		     "data_insn_14:	nop\n"
		     "data_insn_15:	decl %0\n"
		     "data_insn_16:	jnz data_insn_0"
		     : "+c"(turns)
		     : "S"(buffer)
		     : "cc", "memory", "eax", "edx", "st");
}

static int position_of(uint64_t address)
{
	unsigned int i;

	for (i = 0; i < LOOP_OPERANDS; i++)
		if (address == (uintptr_t)data_labels[i])
			return (int)i;
	return -1;
}

struct data_sample {
	uint64_t ip, address, weight, source, physical;
};

struct sampler {
	const char *name;
	struct perf_event_attr attr;
	bool has_ops; /* it says whether an instruction loads or stores */
	bool has_number; /* the weight is the number of the instruction */
	unsigned int only; /* PERF_MEM_OP_* that each sample has; 0: any */
	unsigned int runs; /* each with a longer period */
};

static struct data_sample samples[MAX_SAMPLES];

static uint32_t collect_samples(const struct perf_event_mmap_page *page)
{
	const char *data = (const char *)page + getpagesize();
	const struct perf_event_header *header;
	uint32_t number = 0;
	uint64_t at;

	for (at = 0; at < page->data_head; at += header->size) {
		header = (const void *)(data + at);
		if (header->type == PERF_RECORD_SAMPLE && number < MAX_SAMPLES)
			memcpy(&samples[number++], header + 1,
			       sizeof(samples[0]));
	}
	return number;
}

static uint32_t sample_data(const struct sampler *sampler, unsigned int run)
{
	struct perf_event_attr attr = sampler->attr;
	uint32_t number;
	void *map;
	int fd;

	attr.size = sizeof(attr);
	attr.sample_period += PERIOD_STEP * run;
	attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_ADDR |
			   PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC |
			   PERF_SAMPLE_PHYS_ADDR;
	attr.disabled = 1;
	attr.pinned = 1;
	fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
	if (fd < 0)
		give_up(sampler->name);
	map = map_event(fd, RING_PAGES);
	take_priority(PRIORITY_SAMPLED);
	start_event(fd);
	run_data(TURNS);
	stop_event(fd);
	take_priority(PRIORITY_NONE);
	number = collect_samples(map);
	munmap(map, (1 + RING_PAGES) * getpagesize());
	close(fd);
	return number;
}

/* The stack of this function's caller is a few frames away. */
static bool is_on_the_stack(uint64_t address)
{
	const uint64_t here = (uintptr_t)__builtin_frame_address(0);

	return address - here + 0x10000 < 0x20000;
}

/* perf_event says of IBS that what loads and stores is a load. */
static unsigned int reported_op(const struct operand *operand)
{
	if (operand->op & LOADS)
		return LOADS;
	return operand->op ? operand->op : PERF_MEM_OP_NA;
}

static bool is_right(const struct sampler *sampler,
		     const struct data_sample *sample,
		     const struct operand *operand)
{
	if (sampler->only & ~operand->op)
		return false;
	if (sampler->has_ops && (sample->source & OPS) != reported_op(operand))
		return false;
	/* PEBS has a number there, of 32 bits, which is no address of ours. */
	if (operand->offset == NO_OPERAND)
		return sample->address - (uintptr_t)buffer >= BUFFER_BYTES;
	if (operand->offset == ON_THE_STACK)
		return is_on_the_stack(sample->address);
	return sample->address == (uintptr_t)buffer + operand->offset &&
	       sample->physical &&
	       !((sample->physical ^ sample->address) & OFFSET_MASK);
}

/* Where in the loop a sample is, as its number says. */
static bool is_numbered(const struct data_sample *sample, int here,
			uint32_t *base)
{
	const uint32_t start = (uint32_t)sample->weight - (uint32_t)here;

	if (!*base)
		*base = start;
	return (start - *base) % LOOP_OPERANDS == 0;
}

struct verdict {
	uint32_t number, found, wrong, unnumbered, places;
	uint32_t seen[LOOP_OPERANDS];
};

static void look_at_run(const struct sampler *sampler, uint32_t number,
			struct verdict *verdict)
{
	uint32_t k, base = 0;

	verdict->number += number;
	for (k = 0; k < number; k++) {
		const int here = position_of(samples[k].ip);

		if (here < 0)
			continue;
		verdict->found++;
		verdict->places += !verdict->seen[here]++;
		if (sampler->has_number)
			verdict->unnumbered +=
				!is_numbered(&samples[k], here, &base);
		if (is_right(sampler, &samples[k], &operands[here]) ||
		    verdict->wrong++)
			continue;
		note("instruction %d: address %#llx, source %#llx, physical %#llx",
		     here, (unsigned long long)samples[k].address,
		     (unsigned long long)samples[k].source,
		     (unsigned long long)samples[k].physical);
	}
}

/* Of the loop, that have samples. */
static unsigned int instructions_of(const struct sampler *sampler)
{
	unsigned int i, number = 0;

	for (i = 0; i < LOOP_OPERANDS; i++)
		number += !(sampler->only & ~operands[i].op);
	return number;
}

static void judge_data(const struct sampler *sampler)
{
	struct verdict v = { 0 };
	unsigned int run;

	for (run = 0; run < sampler->runs; run++)
		look_at_run(sampler, sample_data(sampler, run), &v);
	check(v.found > 100 && !v.wrong,
	      "%s: %u of %u samples are in the loop, %u have a wrong data address",
	      sampler->name, v.found, v.number, v.wrong);
	check(v.places == instructions_of(sampler),
	      "%s: %u of %u instructions have samples", sampler->name, v.places,
	      instructions_of(sampler));
	if (sampler->has_number)
		check(!v.unnumbered,
		      "%s: %u samples are elsewhere than they say",
		      sampler->name, v.unnumbered);
}

void judge_pebs_data(unsigned int format)
{
	static const struct sampler all = {
		.name = "data addresses of instructions",
		.attr = { .type = PERF_TYPE_RAW,
			  .config = 0xc0,
			  .sample_period = 1009,
			  .precise_ip = 2,
			  .exclude_kernel = 1 },
		.runs = 1,
	};
	/* MEM_TRANS_RETIRED.LOAD_LATENCY: the one whose weight perf_event hands on. */
	static const struct sampler latency = {
		.name = "data addresses with a latency",
		.attr = { .type = PERF_TYPE_RAW,
			  .config = 0x1cd,
			  .config1 = 3,
			  .sample_period = 1008,
			  .precise_ip = 2,
			  .exclude_kernel = 1 },
		.has_number = true,
		.only = LOADS,
		.runs = 1,
	};

	judge_data(&all);
	/*
	 * Of others perf_event chooses a counter that cannot count it (Haswell), or
	 * wants a second event (Sapphire Rapids).
	 */
	if (format == 3 || format == 4)
		judge_data(&latency);
}

void judge_ibs_data(uint32_t type, uint64_t config)
{
	const struct sampler op = {
		.name = "data addresses of IBS",
		.attr = { .type = type,
			  .config = config,
			  .sample_period = 2400 },
		.has_ops = true,
		.runs = 8,
	};

	judge_data(&op);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Code with known branches, in assembler so that no compiler changes it, and samples by
 * perf_event of the branches before each.
 */

#define _GNU_SOURCE
#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "branch_stacks.h"

#define RING_PAGES 1024

extern const char known_f0[], known_f1[], known_f2[], known_f3[], known_f4[];
extern const char known_f5[], known_f6[], known_f7[], known_t0[], known_t1[];
extern const char known_t2[], known_t3[], known_t4[], known_t5[], known_t6[];
extern const char known_start[], known_end[];
extern const char recursion_loop[], recursion_jump[];

const struct known_branch known_branch[KNOWN_BRANCHES] = {
	{ known_f0, known_t0, BRANCH_CALL, 2 },
	{ known_f1, known_t1, BRANCH_RETURN, 2 },
	{ known_f2, known_t2, BRANCH_CALL_INDIRECT, 3 },
	{ known_f3, known_t3, BRANCH_RETURN, 3 },
	{ known_f4, known_t4, BRANCH_JUMP, 1 },
	{ known_f5, known_t5, BRANCH_JUMP_INDIRECT, 2 },
	{ known_f6, known_t6, BRANCH_COND_TAKEN, 3 },
	{ known_f7, known_start, BRANCH_COND_TAKEN, 2 },
};

__attribute__((noinline, noclone)) void run_known_branches(uint32_t turns)
{
	asm volatile("	.globl known_start, known_f0, known_f1, known_f2\n"
		     "	.globl known_f3, known_f4, known_f5, known_f6\n"
		     "	.globl known_f7, known_t0, known_t1, known_t2\n"
		     "	.globl known_t3, known_t4, known_t5, known_t6\n"
		     "known_start:\n"
		     "	nop\n"
		     "known_f0: call known_t0\n"
		     "known_t1:\n"
		     "	nop\n"
		     "	nop\n"
		     "known_f2: call *%[callee]\n"
		     "known_t3:\n"
		     "known_f4: jmp known_t4\n"
		     "	nop\n"
		     "known_t4:\n"
		     "	nop\n"
		     "known_f5: jmp *%[label]\n"
		     "	nop\n"
		     "known_t5:\n"
		     "	testl %[left], %[left]\n"
		     "	jz known_end\n"
		     "known_f6: jnz known_t6\n"
		     "	nop\n"
		     "known_t6:\n"
		     "	decl %[left]\n"
		     "known_f7: jnz known_start\n"
		     "	jmp known_end\n"
		     "known_t0:\n"
		     "	nop\n"
		     "known_f1: ret\n"
		     "known_t2:\n"
		     "	nop\n"
		     "	nop\n"
		     "known_f3: ret\n"
		     "known_end:\n"
		     : [left] "+r"(turns)
		     : [callee] "r"(known_t2), [label] "r"(known_t5)
		     : "cc", "memory");
}

int last_known_branch(uint64_t address)
{
	unsigned int i, next;

	for (i = 0; i < KNOWN_BRANCHES; i++) {
		next = (i + 1) % KNOWN_BRANCHES;
		if (address >= (uintptr_t)known_branch[i].to &&
		    address <= (uintptr_t)known_branch[next].from)
			return (int)i;
	}
	return -1;
}

static __attribute__((noinline, noclone)) void recurse(uint32_t calls,
						       uint32_t turns)
{
	asm volatile("	.globl recursion_first, recursion_start\n"
		     "	.globl recursion_call, recursion_loop, recursion_jump\n"
		     "recursion_first: call recursion_start\n"
		     "	jmp 2f\n"
		     "recursion_start:\n"
		     "	decl %[calls]\n"
		     "	js recursion_loop\n"
		     "recursion_call: call recursion_start\n"
		     "	ret\n"
		     "recursion_loop:\n"
		     "	decl %[turns]\n"
		     "recursion_jump: jnz recursion_loop\n"
		     "	ret\n"
		     "2:\n"
		     : [calls] "+r"(calls), [turns] "+r"(turns)
		     :
		     : "cc", "memory");
}

void run_recursion(uint32_t turns)
{
	recurse(RECURSION, turns);
}

void run_deep_recursion(uint32_t turns)
{
	recurse(DEEP_RECURSION, turns);
}

bool is_in_recursion_loop(uint64_t address)
{
	return address >= (uintptr_t)recursion_loop &&
	       address <= (uintptr_t)recursion_jump;
}

static int open_stacks(const struct stack_request *request)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_INSTRUCTIONS | perf_pmu_bits(),
		.sample_period = request->period,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_BRANCH_STACK,
		.branch_sample_type = request->filter,
		.precise_ip = request->precise,
		.exclude_hv = 1,
		.exclude_user = !request->user,
		.exclude_kernel = !request->kernel,
		.disabled = 1,
		.pinned = 1,
	};

	/* Records are for any counter. */
	if (request->precise) {
		attr.type = PERF_TYPE_RAW;
		attr.config = 0xc0;
	}
	return syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
}

static void add_stack(struct stacks *stacks, const uint64_t *field)
{
	struct stack_sample *sample = &stacks->sample[stacks->number++];

	if (stacks->number == MAX_STACKS)
		give_up("more samples than there is room for");
	sample->ip = field[0];
	sample->number = field[1];
	sample->entry = (const void *)&field[2];
}

static void collect_stacks(const struct perf_event_mmap_page *page,
			   struct stacks *stacks)
{
	const char *data = (const char *)page + getpagesize();
	const struct perf_event_header *header;
	uint64_t at;

	for (at = 0; at < page->data_head; at += header->size) {
		header = (const void *)(data + at);
		if (header->type == PERF_RECORD_SAMPLE)
			add_stack(stacks, (const uint64_t *)(header + 1));
		else if (header->type == PERF_RECORD_LOST ||
			 header->type == PERF_RECORD_LOST_SAMPLES ||
			 header->type == PERF_RECORD_THROTTLE)
			stacks->lost++;
	}
}

bool take_stacks(const struct stack_request *request, void (*code)(uint32_t),
		 uint32_t argument, struct stacks *stacks)
{
	const size_t bytes = (1 + RING_PAGES) * getpagesize();
	static void *map;
	const int fd = open_stacks(request);

	if (fd < 0 && (errno == EOPNOTSUPP || errno == EINVAL))
		return false;
	if (fd < 0)
		give_up(request->name);
	if (map)
		munmap(map, bytes);
	map = map_event(fd, RING_PAGES);
	memset(stacks, 0, sizeof(*stacks));
	take_priority(request->by_turns ? PRIORITY_NONE : PRIORITY_SAMPLED);
	start_event(fd);
	code(argument);
	stop_event(fd);
	take_priority(PRIORITY_NONE);
	collect_stacks(map, stacks);
	close(fd);
	return true;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The registers of branch records, by the msr driver.
 */

#include <cpuid.h>
#include <linux/perf_event.h>
#include <stddef.h>

#include "branch_stacks.h"

#define DEBUGCTL 0x1d9
#define BTF 2 /* a bit of it that is another's */

struct branch_registers {
	uint32_t from, step;
	struct {
		uint32_t msr;
		uint64_t value;
	} refused[4]; /* ends with msr == 0 */
};

static const struct branch_registers intel = {
	0x680,
	1,
	{ { 0x1c8, 0x400 },
	  { 0x1c9, 32 },
	  { 0x680, 0x800000000000 },
	  { 0x6c0, 1ull << 63 } },
};

static const struct branch_registers architectural = {
	0x1500,
	1,
	{ { 0x14ce, 1 << 4 },
	  { 0x14cf, 24 },
	  { 0x1500, 0x800000000000 },
	  { 0x1600, 1ull << 63 } },
};

/* Its reserved bits read as zero. */
static const struct branch_registers amd = { 0xc0010300, 2, { { 0, 0 } } };

static const struct branch_registers *find_registers(void)
{
	unsigned int eax = 0, vendor = 0, ecx, edx;

	__get_cpuid(0, &eax, &vendor, &ecx, &edx);
	if (vendor != signature_INTEL_ebx)
		return &amd;
	if (__get_cpuid_count(7, 0, &eax, &vendor, &ecx, &edx) && edx >> 19 & 1)
		return &architectural;
	return &intel;
}

static uint64_t debugctl_before, debugctl_behind;

/* The exception is a trap of this instruction, INT1. */
static void raise_debug_exception(uint32_t argument)
{
	(void)argument;
	read_msr(judge_cpu, DEBUGCTL, &debugctl_before);
	asm volatile(".byte 0xf1" : : : "memory");
	read_msr(judge_cpu, DEBUGCTL, &debugctl_behind);
}

void judge_debug_exception(void)
{
	const struct stack_request request = {
		.name = "debug exception",
		.filter = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY,
		.period = 1000000007,
		.user = true,
	};
	static struct stacks stacks;

	if (find_registers() != &intel)
		return;
	catch_interrupts();
	take_stacks(&request, raise_debug_exception, 0, &stacks);
	check(debugctl_before & 1 && !(debugctl_behind & 1),
	      "a debug exception ends recording: DEBUGCTL %#llx, %#llx",
	      (unsigned long long)debugctl_before,
	      (unsigned long long)debugctl_behind);
}

void judge_branch_registers(unsigned int depth)
{
	const struct branch_registers *r = find_registers();
	const uint32_t last = r->from + (depth - 1) * r->step;
	uint64_t before = 0, value = 0;
	unsigned int i;

	read_msr(judge_cpu, DEBUGCTL, &before);
	check(write_msr(judge_cpu, DEBUGCTL, before | BTF) &&
		      read_msr(judge_cpu, DEBUGCTL, &value) &&
		      value == (before | BTF) &&
		      write_msr(judge_cpu, DEBUGCTL, before),
	      "DEBUGCTL keeps bit 1");
	for (i = 0; i < 4 && r->refused[i].msr; i++)
		check(!write_msr(judge_cpu, r->refused[i].msr,
				 r->refused[i].value),
		      "%#x refuses %#llx", r->refused[i].msr,
		      (unsigned long long)r->refused[i].value);
	check(write_msr(judge_cpu, last, 5) &&
		      read_msr(judge_cpu, last, &value) && value == 5 &&
		      write_msr(judge_cpu, last, 0),
	      "record %u has a register", depth - 1);
}

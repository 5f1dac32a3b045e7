// SPDX-License-Identifier: GPL-2.0-only
/*
 * What an operation of the low-level core costs, from the test machine's
 * statistics (machine/pmu/pmu_stats.h): exact numbers, reading which is no PMU
 * access. Called by device.c with the two slots free.
 */
#include <linux/errno.h>

#include <asm/perfmon_compat.h>

#include "pmu_stats.h"
#include "probe.h"

struct counts {
	u64 instructions;
	u64 wrmsr;
	u64 rdmsr;
	u64 rdpmc;
};

static u64 stat(u32 offset)
{
	u64 value;

	rdmsrl(PMU_STAT_BASE + offset, value);
	return value;
}

/** probe_can_measure - is this the test machine? */
bool probe_can_measure(void)
{
	u64 value;

	return !rdmsrl_safe(PMU_STAT_BASE + PMU_STAT_MAGIC, &value) &&
	       value == PMU_STAT_MAGIC_VALUE;
}

typedef void (*operation_t)(struct perfctr_cpu_state *state);

static noinline void nothing(struct perfctr_cpu_state *state)
{
}

/* One function for all operations, so that each has the same code around it. */
static noinline void meter(operation_t operation,
			   struct perfctr_cpu_state *state,
			   struct counts *counts)
{
	u64 wrmsr = stat(PMU_STAT_WRMSR);
	u64 rdmsr = stat(PMU_STAT_RDMSR);
	u64 rdpmc = stat(PMU_STAT_RDPMC);
	u64 instructions = stat(PMU_STAT_INSNS);

	operation(state);
	counts->instructions += stat(PMU_STAT_INSNS) - instructions;
	counts->wrmsr += stat(PMU_STAT_WRMSR) - wrmsr;
	counts->rdmsr += stat(PMU_STAT_RDMSR) - rdmsr;
	counts->rdpmc += stat(PMU_STAT_RDPMC) - rdpmc;
}

static void suspend(struct perfctr_cpu_state *slot,
		    struct perfctr_cpu_state *other, struct counts *counts)
{
	perfctr_cpu_resume(slot);
	meter(perfctr_cpu_suspend, slot, counts);
}

static void resume(struct perfctr_cpu_state *slot,
		   struct perfctr_cpu_state *other, struct counts *counts)
{
	meter(perfctr_cpu_resume, slot, counts);
	perfctr_cpu_suspend(slot);
}

static void return_to(struct perfctr_cpu_state *slot,
		      struct perfctr_cpu_state *other, struct counts *counts)
{
	perfctr_cpu_resume(other);
	perfctr_cpu_suspend(other);
	resume(slot, other, counts);
}

static void sample(struct perfctr_cpu_state *slot,
		   struct perfctr_cpu_state *other, struct counts *counts)
{
	perfctr_cpu_resume(slot);
	meter(perfctr_cpu_sample, slot, counts);
	perfctr_cpu_suspend(slot);
}

static void switch_to_other(struct perfctr_cpu_state *slot,
			    struct perfctr_cpu_state *other,
			    struct counts *counts)
{
	perfctr_cpu_resume(slot);
	meter(perfctr_cpu_suspend, slot, counts);
	meter(perfctr_cpu_resume, other, counts);
	perfctr_cpu_suspend(other);
}

/* Each begins and ends with nothing on the CPU. */
static void (*const operations[])(struct perfctr_cpu_state *slot,
				  struct perfctr_cpu_state *other,
				  struct counts *counts) = {
	[PERFCTR_PROBE_OP_SUSPEND] = suspend,
	[PERFCTR_PROBE_OP_RESUME] = resume,
	[PERFCTR_PROBE_OP_RETURN] = return_to,
	[PERFCTR_PROBE_OP_SAMPLE] = sample,
	[PERFCTR_PROBE_OP_SWITCH] = switch_to_other,
};

/* The second time the CPU's control registers are what they stay. */
static void repeat(const struct perfctr_probe_cost *cost, struct counts *counts)
{
	struct perfctr_cpu_state *slot = &probe_slots[cost->slot].state;
	struct perfctr_cpu_state *other = &probe_slots[cost->other].state;
	struct counts empty = {}, warm_up = {};
	u64 calls = cost->operation == PERFCTR_PROBE_OP_SWITCH ? 2 : 1;
	unsigned int i;

	meter(nothing, slot, &empty);
	operations[cost->operation](slot, other, &warm_up);
	for (i = 0; i < cost->times; i++)
		operations[cost->operation](slot, other, counts);
	counts->instructions -= cost->times * calls * empty.instructions;
}

/**
 * probe_measure - execute an operation and report what it cost
 * @cost: request and result of PERFCTR_PROBE_MEASURE, slots checked
 *
 * Context: interrupts off, nothing is on this CPU, nobody else has the slots.
 */
int probe_measure(struct perfctr_probe_cost *cost)
{
	struct counts counts = {};

	if (cost->operation >= PERFCTR_PROBE_OPERATIONS ||
	    cost->times > PERFCTR_PROBE_MAX_TIMES)
		return -EINVAL;
	if (!probe_can_measure())
		return -EOPNOTSUPP;
	repeat(cost, &counts);
	cost->instructions = counts.instructions;
	cost->wrmsr = counts.wrmsr;
	cost->rdmsr = counts.rdmsr;
	cost->rdpmc = counts.rdpmc;
	return 0;
}

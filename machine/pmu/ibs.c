// SPDX-License-Identifier: GPL-2.0-only
/*
 * Instruction-based sampling (IBS) of AMD's processors since family 10h. Two units
 * count, at all privilege levels, and look at one instruction when they are through:
 *
 * - op: counts instructions (control bit 19) or cycles from the write of its control,
 *   and tags the instruction behind the last one that counts;
 * - fetch: counts fetches, and tags the next one. Each fourth instruction from the
 *   write of the control is a fetch.
 *
 * When the tagged instruction has retired its unit sets VAL, asks for an interrupt and
 * stands still until software clears VAL. Who drives the model has to say where the
 * tagged instruction is: pmu_wants_place(). Called by pmu.c and faults.c.
 *
 * Bits and registers are as in Linux 6.12 (asm/amd-ibs.h, asm/perf_event.h, and
 * events/amd/ibs.c for what hardware does). Bits that do not exist read as zero. What
 * belongs to the microarchitecture (latencies, cache and TLB levels, mispredictions)
 * is zero.
 */

#include <string.h>

#include "design.h"

#define IBS_FIRST 0xc0011030u
#define IBS_LAST (IBS_FIRST + PMU_IBS_REGS - 1)

#define FETCH_MAX 0xffffull
#define FETCH_COUNT (0xffffull << 16)
#define FETCH_COUNT_SHIFT 16
#define FETCH_EN (1ull << 48)
#define FETCH_VAL (1ull << 49)
#define FETCH_COMPLETE (1ull << 50)
#define FETCH_PHYSICAL (1ull << 52)
#define FETCH_RANDOM (1ull << 57)
#define FETCH_L3_MISS (1ull << 59)

#define OP_MAX 0xffffull
#define OP_L3_MISS (1ull << 16)
#define OP_EN (1ull << 17)
#define OP_VAL (1ull << 18)
#define OP_COUNT_OPS (1ull << 19)
#define OP_MAX_EXTENDED (0x7full << 20)
#define OP_COUNT (0x7ffffffull << 32)
#define OP_COUNT_SHIFT 32
#define OP_LATENCY (0x1full << 59)

#define DATA3_LOAD (1ull << 0)
#define DATA3_STORE (1ull << 1)
#define DATA3_LINEAR (1ull << 17) /* the address is valid */
#define DATA3_PHYSICAL (1ull << 18)
#define DATA3_WIDTH_SHIFT 22

/* CPUID 8000_0001 ECX and 8000_001B EAX. */
#define CPUID_FEATURES 0x80000001u
#define CPUID_IBS 0x8000001bu
#define FEATURE_EXTENDED_APIC (1u << 3)
#define FEATURE_IBS (1u << 10)

/* Bits of 8000_001B EAX: what else there is besides both units. */
#define CAPS_WRITE_COUNT (1u << 3)
#define CAPS_COUNT_OPS (1u << 4)
#define CAPS_BRANCH_TARGET (1u << 5)
#define CAPS_MAX_EXTENDED (1u << 6)
#define CAPS_FETCH_EXTENDED (1u << 9)
#define CAPS_DATA4 (1u << 10)
#define CAPS_L3_MISS (1u << 11)
#define CAPS_LATENCY (1u << 12)

/* PMU_IBS_CTL: an entry of the extended LVT, which firmware has chosen. */
#define CTL_VALID (1ull << 8)

#define INSNS_PER_FETCH 4

static bool has(const struct pmu *pmu, uint32_t cap)
{
	return pmu->model->ibs_caps & cap;
}

bool pmu_has_ibs(const struct pmu *pmu)
{
	return pmu->model->ibs_caps;
}

bool pmu_is_ibs_msr(uint32_t msr)
{
	return msr >= IBS_FIRST && msr <= IBS_LAST;
}

/* Counts from which the unit tags. Linux never asks for none. */
static uint64_t op_max(const struct pmu *pmu)
{
	const uint64_t ctl = pmu->ibs.reg[PMU_IBS_OP_CTL];

	return (ctl & OP_MAX) << 4 | (ctl & OP_MAX_EXTENDED);
}

static uint64_t fetch_max(const struct pmu *pmu)
{
	return (pmu->ibs.reg[PMU_IBS_FETCH_CTL] & FETCH_MAX) << 4;
}

static bool op_runs(const struct pmu *pmu)
{
	return (pmu->ibs.reg[PMU_IBS_OP_CTL] & (OP_EN | OP_VAL)) == OP_EN &&
	       op_max(pmu);
}

static bool fetch_runs(const struct pmu *pmu)
{
	return (pmu->ibs.reg[PMU_IBS_FETCH_CTL] & (FETCH_EN | FETCH_VAL)) ==
		       FETCH_EN &&
	       fetch_max(pmu);
}

/* Instructions that retire before the one that the unit tags. */
static uint64_t op_distance(const struct pmu *pmu)
{
	const uint64_t max = op_max(pmu);
	uint64_t left;

	if (!op_runs(pmu))
		return PMU_NEVER;
	if (pmu->ibs.op_count >= max)
		return 0;
	left = max - pmu->ibs.op_count;
	if (pmu->ibs.reg[PMU_IBS_OP_CTL] & OP_COUNT_OPS)
		return left;
	/* Three cycles in two instructions: halves of a cycle are left over. */
	return (2 * left - pmu->ibs.op_half + 2) / 3;
}

static uint64_t fetch_distance(const struct pmu *pmu)
{
	const uint64_t max = fetch_max(pmu);
	uint64_t fetches;

	if (!fetch_runs(pmu))
		return PMU_NEVER;
	fetches = pmu->ibs.fetch_count < max ? max - pmu->ibs.fetch_count : 0;
	return (fetches + 1) * INSNS_PER_FETCH - 1 - pmu->ibs.fetch_part;
}

static uint64_t tag_distance(const struct pmu *pmu)
{
	const uint64_t op = op_distance(pmu), fetch = fetch_distance(pmu);

	return op < fetch ? op : fetch;
}

bool pmu_ibs_wants_place(const struct pmu *pmu)
{
	return pmu->ibs.runs && tag_distance(pmu) == 0;
}

uint64_t pmu_ibs_distance(const struct pmu *pmu)
{
	uint64_t distance = PMU_NEVER;

	if (pmu->ibs.pending)
		return 0;
	if (pmu->ibs.runs) {
		distance = tag_distance(pmu);
		/* The tagged instruction is on its own. */
		if (!distance)
			distance = 1;
	}
	if (pmu->ibs.due && pmu->ibs.due - pmu->insns < distance)
		distance = pmu->ibs.due - pmu->insns;
	return distance;
}

/* The faults are the same as for overflow interrupts. */
static void raise(struct pmu *pmu)
{
	if (pmu->fault.lose)
		pmu->fault.lose--;
	else if (pmu->fault.skid)
		pmu->ibs.due = pmu->insns + pmu->fault.skid;
	else
		pmu->ibs.pending = true;
}

bool pmu_take_ibs(struct pmu *pmu)
{
	const bool pending = pmu->ibs.pending;

	pmu->ibs.pending = false;
	return pending;
}

unsigned int pmu_ibs_lvt(const struct pmu *pmu)
{
	return pmu->model->ibs_lvt;
}

static uint64_t data3(const struct pmu_access *access)
{
	if (!access->loads && !access->stores)
		return 0;
	return (access->loads ? DATA3_LOAD : 0) |
	       (access->stores ? DATA3_STORE : 0) | DATA3_LINEAR |
	       (access->has_physical ? DATA3_PHYSICAL : 0) |
	       (access->size + 1ull) << DATA3_WIDTH_SHIFT;
}

static void op_sample(struct pmu *pmu, uint64_t user_insns)
{
	pmu->ibs.reg[PMU_IBS_OP_CTL] |= OP_VAL;
	pmu->ibs.reg[PMU_IBS_OP_RIP] = pmu->place.linear;
	pmu->ibs.reg[PMU_IBS_OP_DATA] = (uint32_t)user_insns;
	pmu->ibs.reg[PMU_IBS_OP_DATA2] = 0;
	pmu->ibs.reg[PMU_IBS_OP_DATA3] = data3(&pmu->access);
	pmu->ibs.reg[PMU_IBS_DC_LINEAR] = pmu->access.linear;
	pmu->ibs.reg[PMU_IBS_DC_PHYSICAL] = pmu->access.physical;
	pmu->ibs.reg[PMU_IBS_BRANCH_TARGET] = 0;
	pmu->ibs.reg[PMU_IBS_OP_DATA4] = 0;
	pmu->ibs.op_count = 0;
	pmu->ibs.op_half = 0;
	pmu->stat[PMU_STAT_IBS_OP]++;
}

static void fetch_sample(struct pmu *pmu)
{
	const struct pmu_place *place = &pmu->place;

	pmu->ibs.reg[PMU_IBS_FETCH_CTL] |= FETCH_VAL | FETCH_COMPLETE;
	if (place->has_physical)
		pmu->ibs.reg[PMU_IBS_FETCH_CTL] |= FETCH_PHYSICAL;
	pmu->ibs.reg[PMU_IBS_FETCH_LINEAR] = place->linear;
	pmu->ibs.reg[PMU_IBS_FETCH_PHYSICAL] =
		place->has_physical ? place->physical : 0;
	pmu->ibs.reg[PMU_IBS_FETCH_EXTENDED] = 0;
	pmu->ibs.fetch_count = fetch_max(pmu);
	pmu->stat[PMU_STAT_IBS_FETCH]++;
}

/* Counts these instructions in the units; none of them is tagged. */
static void count(struct pmu *pmu, uint64_t insns)
{
	uint64_t halves, parts;

	if (op_runs(pmu)) {
		if (pmu->ibs.reg[PMU_IBS_OP_CTL] & OP_COUNT_OPS) {
			pmu->ibs.op_count += insns;
		} else {
			halves = 3 * insns + pmu->ibs.op_half;
			pmu->ibs.op_count += halves / 2;
			pmu->ibs.op_half = halves % 2;
		}
	}
	if (fetch_runs(pmu)) {
		parts = insns + pmu->ibs.fetch_part;
		pmu->ibs.fetch_count += parts / INSNS_PER_FETCH;
		pmu->ibs.fetch_part = parts % INSNS_PER_FETCH;
	}
}

static void update(struct pmu *pmu)
{
	pmu->ibs.runs = op_runs(pmu) || fetch_runs(pmu);
}

/* The instruction that one unit has tagged, or both have, retires. */
static void retire_tagged(struct pmu *pmu, uint64_t user_insns)
{
	const bool op = op_distance(pmu) == 0, fetch = fetch_distance(pmu) == 0;

	/* For the one that has not. */
	count(pmu, 1);
	if (op)
		op_sample(pmu, user_insns);
	if (fetch)
		fetch_sample(pmu);
	pmu_forget_sampled(pmu);
	update(pmu);
	raise(pmu);
}

static void advance(struct pmu *pmu, uint64_t insns, uint64_t user_insns)
{
	uint64_t step;

	while (insns && pmu->ibs.runs) {
		step = tag_distance(pmu);
		if (step >= insns) {
			count(pmu, insns);
			return;
		}
		count(pmu, step);
		user_insns += pmu->user ? step : 0;
		retire_tagged(pmu, user_insns);
		user_insns += pmu->user;
		insns -= step + 1;
	}
}

static void stop_by_others(struct pmu *pmu)
{
	pmu->fault.ibs_foreign = 0;
	pmu->ibs.reg[PMU_IBS_OP_CTL] = 0;
	pmu->ibs.op_count = 0;
	update(pmu);
}

void pmu_sync_ibs(struct pmu *pmu, uint64_t insns, uint64_t user_insns)
{
	uint64_t before;

	if (pmu->fault.ibs_foreign && pmu->fault.ibs_foreign <= pmu->insns) {
		before = insns - (pmu->insns - pmu->fault.ibs_foreign);
		advance(pmu, before, user_insns);
		stop_by_others(pmu);
		insns -= before;
		user_insns += pmu->user ? before : 0;
	}
	advance(pmu, insns, user_insns);
	if (pmu->ibs.due && pmu->ibs.due <= pmu->insns) {
		pmu->ibs.due = 0;
		pmu->ibs.pending = true;
	}
}

void pmu_reset_ibs(struct pmu *pmu)
{
	memset(&pmu->ibs, 0, sizeof(pmu->ibs));
	if (pmu_has_ibs(pmu))
		pmu->ibs.reg[PMU_IBS_CTL] = CTL_VALID | pmu->model->ibs_lvt;
}

static bool exists(const struct pmu *pmu, unsigned int i)
{
	switch (i) {
	case PMU_IBS_BRANCH_TARGET:
		return has(pmu, CAPS_BRANCH_TARGET);
	case PMU_IBS_FETCH_EXTENDED:
		return has(pmu, CAPS_FETCH_EXTENDED);
	case PMU_IBS_OP_DATA4:
		return has(pmu, CAPS_DATA4);
	default:
		return pmu_has_ibs(pmu);
	}
}

enum pmu_result pmu_read_ibs(const struct pmu *pmu, uint32_t msr,
			     uint64_t *value)
{
	const unsigned int i = msr - IBS_FIRST;

	if (!exists(pmu, i))
		return PMU_GP;
	*value = pmu->ibs.reg[i];
	if (i == PMU_IBS_FETCH_CTL)
		*value |= pmu->ibs.fetch_count >> 4 << FETCH_COUNT_SHIFT &
			  FETCH_COUNT;
	else if (i == PMU_IBS_OP_CTL && has(pmu, CAPS_WRITE_COUNT))
		*value |= pmu->ibs.op_count << OP_COUNT_SHIFT & OP_COUNT;
	return PMU_OK;
}

/* Small numbers that look random and are the same on each run. */
static unsigned int next_random(struct pmu *pmu)
{
	pmu->ibs.random = pmu->ibs.random * 1664525u + 1013904223u;
	return pmu->ibs.random >> 28;
}

/*
 * Families 16h to 18h set the count only when they are enabled, not when they are
 * enabled already: the next fetch is tagged at once then.
 */
static void write_fetch_ctl(struct pmu *pmu, uint64_t value)
{
	uint64_t *const ctl = &pmu->ibs.reg[PMU_IBS_FETCH_CTL];
	const bool edge = value & ~*ctl & FETCH_EN;
	uint64_t bits = FETCH_MAX | FETCH_EN | FETCH_VAL | FETCH_RANDOM;

	if (has(pmu, CAPS_L3_MISS))
		bits |= FETCH_L3_MISS;
	*ctl = value & bits;
	if (pmu->model->ibs_fetch_edge && !edge)
		return;
	pmu->ibs.fetch_part = 0;
	pmu->ibs.fetch_count = (value & FETCH_COUNT) >> FETCH_COUNT_SHIFT << 4;
	if (value & FETCH_RANDOM)
		pmu->ibs.fetch_count |= next_random(pmu);
}

static void write_op_ctl(struct pmu *pmu, uint64_t value)
{
	uint64_t bits = OP_MAX | OP_EN | OP_VAL;

	if (has(pmu, CAPS_COUNT_OPS))
		bits |= OP_COUNT_OPS;
	if (has(pmu, CAPS_MAX_EXTENDED))
		bits |= OP_MAX_EXTENDED;
	if (has(pmu, CAPS_L3_MISS))
		bits |= OP_L3_MISS;
	if (has(pmu, CAPS_LATENCY))
		bits |= OP_LATENCY;
	pmu->ibs.reg[PMU_IBS_OP_CTL] = value & bits;
	pmu->ibs.op_half = 0;
	pmu->ibs.op_count = 0;
	if (has(pmu, CAPS_WRITE_COUNT))
		pmu->ibs.op_count = (value & OP_COUNT) >> OP_COUNT_SHIFT;
}

enum pmu_result pmu_write_ibs(struct pmu *pmu, uint32_t msr, uint64_t value)
{
	const unsigned int i = msr - IBS_FIRST;

	if (!exists(pmu, i) || i == PMU_IBS_CTL)
		return PMU_GP;
	if (i == PMU_IBS_FETCH_CTL)
		write_fetch_ctl(pmu, value);
	else if (i == PMU_IBS_OP_CTL)
		write_op_ctl(pmu, value);
	else
		pmu->ibs.reg[i] = value;
	update(pmu);
	return PMU_OK;
}

bool pmu_cpuid_ibs(const struct pmu *pmu, uint32_t leaf, uint32_t regs[4])
{
	if (!pmu_has_ibs(pmu))
		return false;
	if (leaf == CPUID_FEATURES)
		regs[2] |= FEATURE_EXTENDED_APIC | FEATURE_IBS;
	else if (leaf == CPUID_IBS)
		regs[0] = pmu->model->ibs_caps;
	else
		return false;
	return true;
}

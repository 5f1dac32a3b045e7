// SPDX-License-Identifier: GPL-2.0-only
/*
 * The records of PEBS, as in Linux 6.12 (events/intel/ds.c, asm/perf_event.h).
 *
 * Formats 0 to 3: each one has the fields of those before and some more. Formats 4 and
 * 5: groups of fields, which PEBS_DATA_CFG chooses; only the basic one unless a counter
 * of the record asks for more (adaptive). A latency is the number of user instructions
 * before the recorded one.
 */

#include <string.h>

#include "pebs.h"

/* Words of formats 0 to 3. */
enum {
	RECORD_FLAGS,
	RECORD_IP,
	RECORD_GPR,
	RECORD_WORDS_0 = RECORD_GPR + PMU_GPRS,
	RECORD_STATUS = RECORD_WORDS_0,
	RECORD_ADDRESS,
	RECORD_SOURCE,
	RECORD_LATENCY,
	RECORD_WORDS_1,
	RECORD_EVENTING_IP = RECORD_WORDS_1,
	RECORD_TSX,
	RECORD_WORDS_2,
	RECORD_TSC = RECORD_WORDS_2,
	RECORD_WORDS_3
};

/* The basic group, and the first word's fields. */
enum { BASIC_FORMAT, BASIC_IP, BASIC_COUNTERS, BASIC_TSC, BASIC_WORDS };
#define BASIC_LATENCY_SHIFT 32 /* of retirement, 16 bits, since format 5 */
#define BASIC_SIZE_SHIFT 48

enum {
	MEMORY_ADDRESS,
	MEMORY_SOURCE,
	MEMORY_LATENCY,
	MEMORY_TSX,
	MEMORY_WORDS
};

/* Counters ask for the other groups: a bit of the selector, and of the fixed control. */
#define FIXED_ADAPTIVE(i) (1ull << (32 + 4 * (i)))

#define CACHE_LINE 64
#define SOURCES 16 /* of data: four bits */

static bool has_operand(const struct pmu *pmu)
{
	return pmu->access.loads || pmu->access.stores;
}

static uint64_t data_address(const struct pmu *pmu)
{
	return has_operand(pmu) ? pmu->access.linear : pmu->pebs.user_insns;
}

/* Of the microarchitecture, so that a decoder meets all of them. */
static uint64_t data_source(const struct pmu *pmu)
{
	return has_operand(pmu) ? pmu->access.linear / CACHE_LINE % SOURCES :
				  pmu->pebs.user_insns;
}

/* Before format 3 the status has all counters that have overflowed. */
static unsigned int build_fixed(const struct pmu *pmu, uint64_t status,
				const struct pmu_registers *registers,
				uint64_t *record)
{
	static const unsigned int words[] = { RECORD_WORDS_0, RECORD_WORDS_1,
					      RECORD_WORDS_2, RECORD_WORDS_3 };
	const unsigned int format = pebs_format(pmu->model);

	record[RECORD_FLAGS] = registers->flags;
	record[RECORD_IP] = registers->ip;
	memcpy(&record[RECORD_GPR], registers->gpr, sizeof(registers->gpr));
	record[RECORD_STATUS] =
		format < 3 && status ? pmu->global_status | status : status;
	record[RECORD_ADDRESS] = data_address(pmu);
	record[RECORD_SOURCE] = data_source(pmu);
	record[RECORD_LATENCY] = pmu->pebs.user_insns;
	record[RECORD_EVENTING_IP] = pmu->place.linear;
	record[RECORD_TSX] = 0;
	record[RECORD_TSC] = registers->tsc;
	return words[format];
}

static bool is_adaptive(const struct pmu *pmu)
{
	const unsigned int counters = pmu->model->counters;
	unsigned int i;

	for (i = 0; pmu->pebs.due >> i; i++) {
		if (!(pmu->pebs.due >> i & 1))
			continue;
		if (i < counters ?
			    pmu->counter[i].select & PEBS_ADAPTIVE :
			    pmu->fixed_ctrl & FIXED_ADAPTIVE(i - counters))
			return true;
	}
	return false;
}

static void build_memory(const struct pmu *pmu, uint64_t *group)
{
	group[MEMORY_ADDRESS] = data_address(pmu);
	group[MEMORY_SOURCE] = data_source(pmu);
	group[MEMORY_LATENCY] = pmu->pebs.user_insns;
	group[MEMORY_TSX] = 0;
}

/* Flags, ip, and the registers in another order: ax, cx, dx, bx, sp, bp, si, di. */
static unsigned int build_gprs(const struct pmu_registers *registers,
			       uint64_t *group)
{
	static const uint8_t order[PMU_GPRS] = { 0, 2, 3,  1,  7,  6,  4,  5,
						 8, 9, 10, 11, 12, 13, 14, 15 };
	unsigned int i;

	group[0] = registers->flags;
	group[1] = registers->ip;
	for (i = 0; i < PMU_GPRS; i++)
		group[2 + i] = registers->gpr[order[i]];
	return 2 + PMU_GPRS;
}

/* The newest one first. */
static unsigned int build_branches(const struct pmu *pmu, uint64_t groups,
				   uint64_t *group)
{
	const unsigned int number =
		((groups & PEBS_BRANCHES) >> PEBS_BRANCHES_SHIFT) + 1;
	const struct pmu_branch_record *record;
	unsigned int age;

	for (age = 0; age < number; age++) {
		record = &pmu->lbr.record[pmu_lbr_place(pmu, age)];
		group[3 * age] = record->from;
		group[3 * age + 1] = record->to;
		group[3 * age + 2] = record->info;
	}
	return 3 * number;
}

static unsigned int build_groups(const struct pmu *pmu, uint64_t status,
				 const struct pmu_registers *registers,
				 uint64_t *record)
{
	const uint64_t groups = is_adaptive(pmu) ? pmu->pebs.data_cfg : 0;
	const uint64_t number = pmu->pebs.user_insns & 0xffff;
	unsigned int words = BASIC_WORDS;

	if (groups & PEBS_GROUP_MEMORY) {
		build_memory(pmu, &record[words]);
		words += MEMORY_WORDS;
	}
	if (groups & PEBS_GROUP_GPRS)
		words += build_gprs(registers, &record[words]);
	if (groups & PEBS_GROUP_XMMS) {
		memcpy(&record[words], registers->xmm, sizeof(registers->xmm));
		words += PMU_XMM_WORDS;
	}
	if (groups & PEBS_GROUP_BRANCHES)
		words += build_branches(pmu, groups, &record[words]);
	record[BASIC_FORMAT] = groups | (uint64_t)words * 8 << BASIC_SIZE_SHIFT;
	if (pebs_format(pmu->model) >= 5)
		record[BASIC_FORMAT] |= number << BASIC_LATENCY_SHIFT;
	record[BASIC_IP] = pmu->place.linear;
	record[BASIC_COUNTERS] = status;
	record[BASIC_TSC] = registers->tsc;
	return words;
}

unsigned int pebs_build_record(const struct pmu *pmu, uint64_t status,
			       const struct pmu_registers *registers,
			       uint64_t record[PMU_RECORD_WORDS])
{
	if (pebs_format(pmu->model) < 4)
		return build_fixed(pmu, status, registers, record);
	return build_groups(pmu, status, registers, record);
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by the unit tests of branch records: their registers, the processors that have
 * them, and branches.
 */
#ifndef PERFMON_LBR_HARNESS_H
#define PERFMON_LBR_HARNESS_H

#include "pmu_harness.h"

#define DEBUGCTL 0x1d9
#define DEBUGCTL_LBR 0x1ull
#define DEBUGCTL_FREEZE (1ull << 11)
#define LBR_SELECT 0x1c8
#define LBR_TOS 0x1c9
#define LBR_FROM 0x680
#define LBR_TO 0x6c0
#define LBR_INFO 0xdc0

#define CALL_STACK 0x200ull
#define STATUS_LBR_FRZ (1ull << 58)
#define KERNEL 0xffffffff81000000ull

struct recorder {
	const char *model;
	unsigned int depth;
	bool has_info, has_call_stack;
	bool freezes_by_status;
	uint64_t from_flags; /* in FROM's upper bits */
};

static const struct recorder recorders[] = {
	{ "nehalem", 16, false, false, false, 1ull << 63 },
	{ "westmere", 16, false, false, false, 1ull << 63 },
	{ "sandybridge", 16, false, false, false, 1ull << 63 },
	{ "ivybridge", 16, false, false, false, 1ull << 63 },
	{ "haswell", 16, false, true, false, 7ull << 61 },
	{ "broadwell", 16, false, true, false, 7ull << 61 },
	{ "skylake", 32, true, true, true, 0 },
	{ "skylake-8", 32, true, true, true, 0 },
};

#define FOR_EACH_RECORDER(r) \
	for (r = recorders; r < recorders + ARRAY_SIZE(recorders); r++)

static inline void start_recorder(struct pmu *pmu, const struct recorder *r)
{
	assert_true(pmu_init(pmu, r->model));
	assert_false(pmu_records_branches(pmu));
	wr(pmu, DEBUGCTL, DEBUGCTL_LBR);
	assert_true(pmu_records_branches(pmu));
}

/* One instruction retires, a branch at user level. */
static inline void branch(struct pmu *pmu, enum pmu_retired kind, uint64_t from,
			  uint64_t to)
{
	const struct pmu_branch taken = { .from = from,
					  .to = to,
					  .kind = kind,
					  .retires = true,
					  .insns = pmu->insns + 1 };

	pmu_record_branch(pmu, &taken);
	run(pmu, 1);
}

static inline uint64_t newest(struct pmu *pmu, uint32_t first)
{
	return rd(pmu, first + rd(pmu, LBR_TOS));
}

#endif

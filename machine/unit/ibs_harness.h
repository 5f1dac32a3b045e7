/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by the unit tests of instruction-based sampling: registers, and the model as
 * the machine drives it.
 */
#ifndef PERFMON_IBS_HARNESS_H
#define PERFMON_IBS_HARNESS_H

#include "pmu_harness.h"

#define FETCH_CTL 0xc0011030
#define FETCH_LINEAR 0xc0011031
#define FETCH_PHYSICAL 0xc0011032
#define OP_CTL 0xc0011033
#define OP_RIP 0xc0011034
#define OP_DATA 0xc0011035
#define OP_DATA3 0xc0011037
#define DC_LINEAR 0xc0011038
#define DC_PHYSICAL 0xc0011039
#define IBS_CTL 0xc001103a
#define BRANCH_TARGET 0xc001103b
#define FETCH_EXTENDED 0xc001103c
#define OP_DATA4 0xc001103d

#define OP_EN (1ull << 17)
#define OP_VAL (1ull << 18)
#define OP_OPS (1ull << 19)
#define OP_MAX(n) ((uint64_t)(n) >> 4)
#define OP_COUNT_SHIFT 32

#define FETCH_EN (1ull << 48)
#define FETCH_VAL (1ull << 49)
#define FETCH_COMPLETE (1ull << 50)
#define FETCH_PHYSICAL_VALID (1ull << 52)
#define FETCH_RANDOM (1ull << 57)

#define NEVER_SAMPLED UINT64_MAX

static const char *const ibs_models[] = { "k10", "fam15h", "zen", "zen4",
					  "zen5" };

static inline void start(struct pmu *pmu, const char *model)
{
	assert_true(pmu_init(pmu, model));
	/* Some instructions before; the units know nothing of them. */
	run(pmu, 3);
}

static inline bool op_valid(struct pmu *pmu)
{
	return rd(pmu, OP_CTL) & OP_VAL;
}

static inline bool fetch_valid(struct pmu *pmu)
{
	return rd(pmu, FETCH_CTL) & FETCH_VAL;
}

/*
 * As the machine drives the model: no slice is longer than the distance, and the
 * place of a tagged instruction is set before it, here its number. Returns the
 * instructions until the interrupt, of at most so many.
 */
static inline uint64_t run_to_interrupt(struct pmu *pmu, uint64_t most)
{
	const uint64_t begin = pmu->insns;
	struct pmu_place place = { 0 };
	uint64_t distance;

	while (pmu->insns < begin + most) {
		if (pmu_wants_place(pmu)) {
			place.linear = pmu->insns - begin + 1;
			place.physical = 0x100000 + place.linear;
			place.has_physical = true;
			pmu_set_place(pmu, &place);
			assert_int_equal(pmu_distance(pmu), 1);
		}
		distance = pmu_distance(pmu);
		if (distance > begin + most - pmu->insns)
			distance = begin + most - pmu->insns;
		run(pmu, distance);
		if (pmu_take_ibs(pmu))
			return pmu->insns - begin;
	}
	return NEVER_SAMPLED;
}

#endif

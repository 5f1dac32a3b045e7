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
#define LBR_TOS 0x1c9

#define CALL_STACK 0x200ull
#define STATUS_LBR_FRZ (1ull << 58)
#define KERNEL 0xffffffff81000000ull

struct recorder {
	const char *model;
	uint32_t enable; /* the register that switches recording on, by: */
	uint64_t enable_bit;
	uint64_t all; /* what that register has besides for all branches */
	uint32_t select;
	uint32_t from, to, info; /* of the first record; 0: none */
	uint32_t step;
	unsigned int depth;
	bool newest_first, has_call_stack;
	uint32_t status, status_reset; /* that freezes; 0: the enable bit */
	uint64_t from_flags; /* in FROM's upper bits */
	uint64_t to_clear, to_set; /* in TO's */
	uint64_t format; /* as PERF_CAPABILITIES has it */
};

#define BY_DEBUGCTL .enable = DEBUGCTL, .enable_bit = DEBUGCTL_LBR
#define INTEL_RECORDS \
	BY_DEBUGCTL, .select = 0x1c8, .from = 0x680, .to = 0x6c0, .step = 1
#define OLD_RECORDS(named)                                    \
	{                                                     \
		.model = (named), INTEL_RECORDS, .depth = 16, \
		.from_flags = 1ull << 63, .format = 3         \
	}
#define TSX_RECORDS(named)                                                    \
	{                                                                     \
		.model = (named), INTEL_RECORDS, .depth = 16,                 \
		.has_call_stack = true, .from_flags = 7ull << 61, .format = 4 \
	}
#define INFO_RECORDS(named)                                                  \
	{                                                                    \
		.model = (named), INTEL_RECORDS, .info = 0xdc0, .depth = 32, \
		.has_call_stack = true, .status = GLOBAL_STATUS,             \
		.status_reset = GLOBAL_OVF_CTRL, .format = 5                 \
	}
#define ARCH_RECORDS(named)                                                    \
	{                                                                      \
		.model = (named), .enable = 0x14ce, .enable_bit = 1,           \
		.all = 0x7f0006, .from = 0x1500, .to = 0x1600, .info = 0x1200, \
		.step = 1, .depth = 32, .newest_first = true,                  \
		.has_call_stack = true, .status = GLOBAL_STATUS,               \
		.status_reset = GLOBAL_OVF_CTRL, .format = 0x3f                \
	}
#define AMD_RECORDS(named)                                                    \
	{                                                                     \
		.model = (named), .enable = 0xc000010f, .enable_bit = 1 << 6, \
		.select = 0xc000010e, .from = 0xc0010300, .to = 0xc0010301,   \
		.step = 2, .depth = 16, .newest_first = true,                 \
		.status = V2_GLOBAL_STATUS,                                   \
		.status_reset = V2_GLOBAL_STATUS_CLR,                         \
		.from_flags = 1ull << 63, .to_clear = 7ull << 61,             \
		.to_set = 1ull << 63                                          \
	}

static const struct recorder recorders[] = {
	OLD_RECORDS("nehalem"),	    OLD_RECORDS("westmere"),
	OLD_RECORDS("sandybridge"), OLD_RECORDS("ivybridge"),
	TSX_RECORDS("haswell"),	    TSX_RECORDS("broadwell"),
	INFO_RECORDS("skylake"),    INFO_RECORDS("skylake-8"),
	INFO_RECORDS("icelake"),    ARCH_RECORDS("spr"),
	ARCH_RECORDS("gnr"),	    ARCH_RECORDS("lioncove"),
	ARCH_RECORDS("goldencove"), ARCH_RECORDS("gracemont"),
	ARCH_RECORDS("skymont"),    ARCH_RECORDS("srf"),
	AMD_RECORDS("zen4"),	    AMD_RECORDS("zen5"),
};

#define FOR_EACH_RECORDER(r) \
	for (r = recorders; r < recorders + ARRAY_SIZE(recorders); r++)

static inline const struct recorder *find_recorder(const char *model)
{
	const struct recorder *r;

	FOR_EACH_RECORDER(r)
	if (!strcmp(r->model, model))
		return r;
	return NULL;
}

static inline void start_recorder(struct pmu *pmu, const struct recorder *r)
{
	assert_true(pmu_init(pmu, r->model));
	assert_false(pmu_records_branches(pmu));
	wr(pmu, r->enable, r->enable_bit | r->all);
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

/* The register of the record that so many others are newer than. */
static inline uint32_t record_msr(struct pmu *pmu, const struct recorder *r,
				  uint32_t first, unsigned int age)
{
	if (!r->newest_first)
		age = (rd(pmu, LBR_TOS) + r->depth - age) % r->depth;
	return first + age * r->step;
}

static inline uint64_t newest_from(struct pmu *pmu, const struct recorder *r)
{
	return rd(pmu, record_msr(pmu, r, r->from, 0));
}

/*
 * Leave out what these bits of LBR_SELECT leave out. The architectural control has bits of
 * the wanted ones, in another order.
 */
static inline void leave_out(struct pmu *pmu, const struct recorder *r,
			     uint64_t select)
{
	static const uint8_t wanted[] = { 1, 2, 16, 19, 20, 21, 18, 17, 22 };
	uint64_t control = r->enable_bit | r->all;
	unsigned int i;

	if (r->select) {
		wr(pmu, r->select, select);
		return;
	}
	for (i = 0; i < ARRAY_SIZE(wanted); i++)
		if (select >> i & 1)
			control &= ~(1ull << wanted[i]);
	if (select & CALL_STACK)
		control |= 1 << 3;
	wr(pmu, r->enable, control);
}

static inline uint64_t to_field(const struct recorder *r, uint64_t address)
{
	return (address & ~r->to_clear) | r->to_set;
}

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by the unit tests of the PMU model: the models as a test sees them,
 * and accesses that must succeed or fault.
 */
#ifndef PERFMON_PMU_HARNESS_H
#define PERFMON_PMU_HARNESS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "constraint.h"
#include "pmu.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* Bits of a selector. */
#define USR (1ull << 16)
#define OS (1ull << 17)
#define EDGE (1ull << 18)
#define INT (1ull << 20)
#define EN (1ull << 22)
#define INV (1ull << 23)
#define CMASK(n) ((uint64_t)(n) << 24)

#define INSNS_EVENT 0xc0ull /* instructions retired, on all models */

/* Registers common to the models with a global control. */
#define FIXED_CTR0 0x309
#define FIXED_CTRL 0x38d
#define GLOBAL_STATUS 0x38e
#define GLOBAL_CTRL 0x38f
#define GLOBAL_OVF_CTRL 0x390
#define GLOBAL_STATUS_SET 0x391
#define GLOBAL_INUSE 0x392
#define PERF_CAPABILITIES 0x345
#define FULL_WIDTH_PMC0 0x4c1

/* AMD PerfMonV2. */
#define V2_GLOBAL_STATUS 0xc0000300
#define V2_GLOBAL_CTL 0xc0000301
#define V2_GLOBAL_STATUS_CLR 0xc0000302
#define V2_GLOBAL_STATUS_SET 0xc0000303

struct model {
	const char *name;
	uint32_t select, counter; /* addresses of the first ones */
	uint32_t stride;
	unsigned int counters;
	unsigned int width;
	uint64_t cycles_event;
	unsigned int fixed; /* number of fixed counters, holes included */
	unsigned int version; /* of the architectural PMU */
	uint32_t global_ctrl; /* address, 0 if the model has none */
	bool write32; /* writes to counters extend the sign of 32 bits */
	bool automask;
	bool shared_enable; /* bit 22 of selector 0 switches all counters */
	bool full_width; /* counters have a second address from 0x4c1 on */
	uint64_t pebs; /* PERF_CAPABILITIES of it; 0: none */
	uint64_t lbr; /* and of branch records */
};

#define AMD_LEGACY 0xc0010000, 0xc0010004, 1
#define AMD_CORE 0xc0010200, 0xc0010201, 2
#define INTEL 0x186, 0xc1, 1
#define P6 .write32 = true, .automask = true, .shared_enable = true
#define ARCH .write32 = true, .automask = true, .global_ctrl = GLOBAL_CTRL

static const struct model models[] = {
	{ "k7", AMD_LEGACY, 4, 48, 0x76, .fixed = 0 },
	{ "k10", AMD_LEGACY, 4, 48, 0x76, .fixed = 0 },
	{ "fam15h", AMD_CORE, 6, 48, 0x76, .fixed = 0 },
	{ "zen", AMD_CORE, 6, 48, 0x76, .fixed = 0 },
	{ "zen4", AMD_CORE, 6, 48, 0x76, .global_ctrl = V2_GLOBAL_CTL },
	{ "zen5", AMD_CORE, 6, 48, 0x76, .global_ctrl = V2_GLOBAL_CTL },
	{ "perfmonv2-15", AMD_CORE, 15, 48, 0x76,
	  .global_ctrl = V2_GLOBAL_CTL },
	{ "p6", INTEL, 2, 40, 0x79, P6 },
	{ "coreduo", INTEL, 2, 40, 0x3c, .version = 1, P6 },
	{ "core2", INTEL, 2, 40, 0x3c, .fixed = 3, .version = 2, .pebs = 0xc0,
	  ARCH },
	{ "arch2", INTEL, 4, 48, 0x3c, .fixed = 3, .version = 2, ARCH },
	{ "nehalem", INTEL, 4, 48, 0x3c, .fixed = 3, .version = 3,
	  .pebs = 0x1c0, .lbr = 3, ARCH },
	{ "westmere", INTEL, 4, 48, 0x3c, .fixed = 3, .version = 3,
	  .pebs = 0x1c0, .lbr = 3, ARCH },
	{ "sandybridge", INTEL, 4, 48, 0x3c, .fixed = 3, .version = 3,
	  .full_width = true, .pebs = 0x1c0, .lbr = 3, ARCH },
	{ "ivybridge-8", INTEL, 8, 48, 0x3c, .fixed = 3, .version = 3,
	  .full_width = true, .pebs = 0x1c0, .lbr = 3, ARCH },
	{ "haswell", INTEL, 4, 48, 0x3c, .fixed = 3, .version = 3,
	  .full_width = true, .pebs = 0x2c0, .lbr = 4, ARCH },
	{ "broadwell", INTEL, 4, 48, 0x3c, .fixed = 3, .version = 3,
	  .full_width = true, .pebs = 0x2c0, .lbr = 4, ARCH },
	{ "skylake-8", INTEL, 8, 48, 0x3c, .fixed = 3, .version = 4,
	  .full_width = true, .pebs = 0x3c0, .lbr = 5, ARCH },
	{ "skylake", INTEL, 4, 48, 0x3c, .fixed = 3, .version = 4,
	  .full_width = true, .pebs = 0x3c0, .lbr = 5, ARCH },
	{ "icelake", INTEL, 8, 48, 0x3c, .fixed = 4, .version = 5,
	  .full_width = true, .pebs = 0x44c0, .lbr = 5, ARCH },
	{ "spr", INTEL, 8, 48, 0x3c, .fixed = 4, .version = 5,
	  .full_width = true, .pebs = 0x45c0, .lbr = 0x3f, ARCH },
	{ "gnr", INTEL, 8, 48, 0x3c, .fixed = 4, .version = 6,
	  .full_width = true, .lbr = 0x3f, ARCH },
	{ "lioncove", INTEL, 10, 48, 0x3c, .fixed = 4, .version = 6,
	  .full_width = true, .lbr = 0x3f, ARCH },
	{ "goldencove", INTEL, 8, 48, 0x3c, .fixed = 4, .version = 5,
	  .full_width = true, .lbr = 0x3f, ARCH },
	{ "gracemont", INTEL, 6, 48, 0x3c, .fixed = 3, .version = 5,
	  .full_width = true, .lbr = 0x3f, ARCH },
	{ "skymont", INTEL, 8, 48, 0x3c, .fixed = 3, .version = 6,
	  .full_width = true, .lbr = 0x3f, ARCH },
	{ "srf", INTEL, 8, 48, 0x3c, .fixed = 3, .version = 6,
	  .full_width = true, .lbr = 0x3f, ARCH },
	{ "arch5-holes", INTEL, 8, 48, 0x3c, .fixed = 7, .version = 5,
	  .full_width = true, ARCH },
};

static inline void wr(struct pmu *pmu, uint32_t msr, uint64_t value)
{
	assert_int_equal(pmu_wrmsr(pmu, msr, value), PMU_OK);
}

static inline uint64_t rd(struct pmu *pmu, uint32_t msr)
{
	uint64_t value = 0;

	assert_int_equal(pmu_rdmsr(pmu, msr, &value), PMU_OK);
	return value;
}

static inline void wr_faults(struct pmu *pmu, uint32_t msr, uint64_t value)
{
	assert_int_equal(pmu_wrmsr(pmu, msr, value), PMU_GP);
}

static inline void rd_faults(struct pmu *pmu, uint32_t msr)
{
	uint64_t value;

	assert_int_equal(pmu_rdmsr(pmu, msr, &value), PMU_GP);
}

static inline uint64_t stat(struct pmu *pmu, uint32_t offset)
{
	return rd(pmu, PMU_STAT_BASE + offset);
}

static inline uint32_t select_msr(const struct model *m, unsigned int i)
{
	return m->select + i * m->stride;
}

static inline uint32_t counter_msr(const struct model *m, unsigned int i)
{
	return m->counter + i * m->stride;
}

static inline uint64_t width_mask(const struct model *m)
{
	return (1ull << m->width) - 1;
}

static inline void start_model(struct pmu *pmu, const struct model *m)
{
	assert_true(pmu_init(pmu, m->name));
	if (m->global_ctrl)
		wr(pmu, m->global_ctrl, (1ull << m->counters) - 1);
}

/* Program counter i, with all enable bits that it needs. */
static inline void start_counter(struct pmu *pmu, const struct model *m,
				 unsigned int i, uint64_t select)
{
	wr(pmu, select_msr(m, i), select | EN);
	if (m->shared_enable && i > 0)
		wr(pmu, select_msr(m, 0), rd(pmu, select_msr(m, 0)) | EN);
}

/* Retire a number of instructions more. */
static inline void run(struct pmu *pmu, uint64_t insns)
{
	pmu_sync(pmu, pmu->insns + insns);
}

/* Small deterministic random numbers. */
static inline uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by the unit tests of the PMU model: the models as a test sees them,
 * and accesses that must succeed or fault.
 */
#ifndef PERFMON_PMU_TEST_H
#define PERFMON_PMU_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

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

struct model {
	const char *name;
	uint32_t select, counter; /* addresses of the first ones */
	uint32_t stride;
	unsigned int counters;
	unsigned int width;
	uint64_t cycles_event;
	bool write32; /* writes to counters extend the sign of 32 bits */
	bool automask;
	bool global; /* has GLOBAL_CTRL and so on */
};

static const struct model models[] = {
	{ "k7", 0xc0010000, 0xc0010004, 1, 4, 48, 0x76, .automask = false },
	{ "k10", 0xc0010000, 0xc0010004, 1, 4, 48, 0x76, .automask = false },
	{ "core", 0xc0010200, 0xc0010201, 2, 6, 48, 0x76, .automask = false },
	{ "p6", 0x186, 0xc1, 1, 2, 40, 0x79, .write32 = true,
	  .automask = true },
	{ "core2", 0x186, 0xc1, 1, 2, 40, 0x3c, .write32 = true,
	  .automask = true, .global = true },
	{ "arch2", 0x186, 0xc1, 1, 4, 48, 0x3c, .write32 = true,
	  .automask = true, .global = true },
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
	if (m->global)
		wr(pmu, GLOBAL_CTRL, (1ull << m->counters) - 1);
}

/* Program counter i, with all enable bits that it needs. */
static inline void start_counter(struct pmu *pmu, const struct model *m,
				 unsigned int i, uint64_t select)
{
	wr(pmu, select_msr(m, i), select | EN);
	/* A P6 has one enable bit for both, in the first selector. */
	if (m->select == 0x186 && !m->global && i > 0)
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

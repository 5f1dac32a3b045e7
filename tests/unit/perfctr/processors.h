/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The processors on which the low-level core is tested: what identifies them
 * and what the core must say of them. Written from the manuals and the
 * documentation, not from the code. Used by all tests of this directory.
 */
#ifndef PERFCTR_PROCESSORS_H
#define PERFCTR_PROCESSORS_H

#include <linux/types.h>

/* Bits of a selector. */
#define EVENT_INSNS 0xc0u /* instructions retired, on all processors */
#define USR (1u << 16)
#define OS (1u << 17)
#define PIN (1u << 19)
#define INT (1u << 20)
#define ANY (1u << 21)
#define EN (1u << 22)

/* RDPMC number of the first fixed-function counter, and its control bits. */
#define FIXED 0x40000000u
#define FIXED_OS 1u
#define FIXED_USR 2u

struct processor {
	const char *name;
	const char *pmu; /* of the PMU model */
	u8 vendor;
	u8 family;
	u8 model;
	int cpuid_level;
	u32 features;

	const char *core_name; /* perfctr_cpu_name */
	const char *map_name; /* perfmon_pmu.model */
	unsigned int counters; /* programmable ones */
	unsigned int fixed; /* fixed-function ones */
	unsigned int width; /* of all of them, in bits */
	u32 selector_msr, counter_msr; /* the first ones */
	u32 msr_stride;
	u32 high_bits; /* that bits 63:32 of a selector have */
	bool shared_enable; /* bit 22 of selector 0 switches all counters */
};

extern const struct processor processors[];
extern const unsigned int nr_processors;

static inline unsigned int all_counters(const struct processor *p)
{
	return p->counters + p->fixed;
}

/* The RDPMC number of the i-th counter; fixed ones are behind the others. */
static inline u32 counter_number(const struct processor *p, unsigned int i)
{
	return i < p->counters ? i : FIXED + i - p->counters;
}

/* The inverse of counter_number(). */
static inline unsigned int counter_index(const struct processor *p, u32 number)
{
	return number < FIXED ? number : number - FIXED + p->counters;
}

#endif

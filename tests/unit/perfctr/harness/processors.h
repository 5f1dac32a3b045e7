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

#define FIXED_ANY 4u
#define FIXED_INT 8u

struct perfctr_cpu_control;

/*
 * What the selectors of a design must look like. The words USR and OS of tests
 * stand for its own level bits; a design without them counts at all levels.
 */
struct design_rules {
	u32 insns; /* the event that counts instructions */
	u32 usr, os;
	u32 one_of; /* of these bits one at least must be set */
	u32 enable; /* must be set: in each, or in counter 0 alone */
	u32 interrupt; /* set in i-mode, clear in a-mode; 0: no i-mode */
	u32 reserved; /* must be clear */
	u32 map_flags; /* that a number in pmc_map[] may have besides */
	bool has_p4_control; /* control.p4 may be other than zero */

	/*
	 * For a design whose control data is more than selectors; NULL: that
	 * is all there is. choose() gives element i of a control, whose map
	 * and mode are set already, control data that obeys the rules: with a
	 * seed any, without one such that it counts instructions at these
	 * levels (USR, OS); false if this counter cannot. obeyed() looks at the
	 * control data of all elements, whose map is good.
	 */
	bool (*choose)(struct perfctr_cpu_control *control, unsigned int i,
		       u32 levels, u32 *seed);
	bool (*obeyed)(const struct perfctr_cpu_control *control,
		       bool is_global);
};

extern const struct design_rules p6_rules;
extern const struct design_rules any_thread_rules; /* bit 21 is free */

struct processor {
	const char *name;
	const char *pmu; /* of the PMU model */
	const char *
		second_pmu; /* of the second half of the CPUs; NULL: no other */
	u8 vendor;
	u8 family;
	u8 model;
	int cpuid_level;
	unsigned int threads; /* of each core; 0: one */
	u64 misc_enable; /* IA32_MISC_ENABLE; 0: no such register */
	u32 firmware; /* leaves this in the first selector; 0: an event */
	u32 features;
	const struct design_rules *rules;

	const char *core_name; /* perfctr_cpu_name */
	const char *map_name; /* perfmon_pmu.model */
	u32 cpu_type; /* perfctr_info.cpu_type */
	unsigned int counters; /* programmable ones */
	unsigned int first_counter; /* number of the first of them */
	unsigned int fixed; /* fixed-function ones */
	unsigned int width; /* of all of them, in bits */
	u32 selector_msr, counter_msr; /* the first ones */
	u32 msr_stride; /* 0: the selectors are halves of one register */
	u32 high_bits; /* that bits 63:32 of a selector have */
	bool shared_enable; /* bit 22 of selector 0 switches all counters */
	bool enable_in_all; /* and is in all PMCs of the map */
	bool no_tsc; /* or a broken one */
	bool no_rdpmc; /* counters are read by RDMSR */
	bool siblings; /* hyper-threads that share their counters */
	bool overflow_status; /* a register remembers overflows */
	bool full_width; /* writes to counters take all their bits */
	bool reprograms; /* erratum: new events are preceded by others */
	u64 extra_pmcs; /* PMCs that qualify events, a bit for each number */
};

extern const struct processor processors[];
extern const unsigned int nr_processors;

/*
 * Processors whose selectors are not like those of the P6, and which have no
 * overflow interrupt (old_processors.c).
 */
extern const struct processor old_processors[];
extern const unsigned int nr_old_processors;

static inline unsigned int all_counters(const struct processor *p)
{
	return p->counters + p->fixed;
}

/* Bits of a field of the fixed counters' control register, without INT. */
static inline u32 fixed_bits(const struct processor *p)
{
	return FIXED_OS | FIXED_USR |
	       (p->rules->reserved & ANY ? 0 : FIXED_ANY);
}

/* The same bits in the fields of all fixed counters. */
static inline u64 fixed_fields(const struct processor *p, u64 bits)
{
	return (bits * 0x1111111111111111) & ((1ull << 4 * p->fixed) - 1);
}

/* The RDPMC number of the i-th counter; fixed ones are behind the others. */
static inline u32 counter_number(const struct processor *p, unsigned int i)
{
	return i < p->counters ? p->first_counter + i : FIXED + i - p->counters;
}

/* The inverse of counter_number(). */
static inline unsigned int counter_index(const struct processor *p, u32 number)
{
	return number < FIXED ? number - p->first_counter :
				number - FIXED + p->counters;
}

/* The place of the i-th counter in the model's array. */
static inline unsigned int model_index(const struct processor *p,
				       unsigned int i)
{
	return p->first_counter + i;
}

#endif

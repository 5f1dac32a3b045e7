/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of the register maps share: desc.c and one for each vendor or
 * design; and what they found out about the processor that control.c needs.
 */
#ifndef _PERFMON_DESC_H
#define _PERFMON_DESC_H

#include <linux/perfmon_pmu.h>
#include <linux/types.h>

struct perfmon_arch_set;

/* One enable bit, in selector 0, for all counters. */
extern bool perfmon_desc_shared_enable;

/*
 * Bits of a programmable PMC without which it does not count; 0: it counts
 * whatever it says once it was written.
 */
extern u64 perfmon_desc_enable;

/* Registers that all sessions may use. */
#define PERFMON_ANY_SESSION	(PERFMON_REG_SYS | PERFMON_REG_THR)

/* PMC positions of the registers that qualify events, PERFMON_NO_REG: none. */
extern u8 perfmon_desc_extra[PERFCTR_MAX_EXTRA];

#define SELECTOR_TYPE	(PERFMON_REG_NO64 | PERFMON_ANY_SESSION)
#define COUNTER_TYPE \
	(PERFMON_REG_C64 | PERFMON_REG_INTR | PERFMON_ANY_SESSION)

/* Bits 63:32, 21 and 20 of a selector; bit 20 (INT) is forced to one. */
#define SELECTOR_RSVD	0xffffffff00300000ULL

/* Append the register @num, zeroed but for what is given here. */
struct perfmon_reg *perfmon_add_pmc(struct perfmon_pmu *pmu, unsigned int num,
				    u16 type);
struct perfmon_reg *perfmon_add_pmd(struct perfmon_pmu *pmu, unsigned int num,
				    unsigned int ctrl, u16 type, u8 width);
void perfmon_add_counter(struct perfmon_pmu *pmu, unsigned int n, u64 rsvd,
			 u8 width, unsigned int hw_bits, const char *selector,
			 const char *counter);

/* desc_p4.c, control_p4.c */
void perfmon_desc_fill_p4(struct perfmon_pmu *pmu);
void perfmon_build_p4(struct perfmon_arch_set *set, const u64 *pmcs,
		      const unsigned long *used_pmds);

/* desc_amd.c, desc_intel.c, desc_p5.c */
void perfmon_fill_amd(struct perfmon_pmu *pmu);
void perfmon_fill_core_duo(struct perfmon_pmu *pmu);
void perfmon_fill_intel(struct perfmon_pmu *pmu);
void perfmon_fill_p6(struct perfmon_pmu *pmu);
void perfmon_desc_fill_p5(struct perfmon_pmu *pmu);
void perfmon_desc_fill_c3(struct perfmon_pmu *pmu);

#endif /* _PERFMON_DESC_H */

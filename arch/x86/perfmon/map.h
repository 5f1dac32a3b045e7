/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions of map.c that the designs call at boot to fill a register map.
 */
#ifndef _PERFMON_MAP_H
#define _PERFMON_MAP_H

#include <linux/perfmon_pmu.h>
#include <linux/types.h>

/* Registers that all sessions may use. */
#define PERFMON_ANY_SESSION	(PERFMON_REG_SYS | PERFMON_REG_THR)

#define SELECTOR_TYPE	(PERFMON_REG_NO64 | PERFMON_ANY_SESSION)
#define COUNTER_TYPE \
	(PERFMON_REG_C64 | PERFMON_REG_INTR | PERFMON_ANY_SESSION)

/* Bits 63:32, 21 and 20 of a selector; bit 20 (INT) is forced to one. */
#define SELECTOR_RSVD	0xffffffff00300000ULL

/* PMCs of other units than counters, by position; 0: there are none. */
extern unsigned long perfmon_also_pmcs;

/* Append register @num; all fields but the arguments are zero. */
struct perfmon_reg *perfmon_add_pmc(struct perfmon_pmu *pmu, unsigned int num,
				    u16 type);
struct perfmon_reg *perfmon_add_pmd(struct perfmon_pmu *pmu, unsigned int num,
				    unsigned int ctrl, u16 type, u8 width);
void perfmon_add_counter(struct perfmon_pmu *pmu, unsigned int n, u64 rsvd,
			 u8 width, unsigned int hw_bits, const char *selector,
			 const char *counter);

void perfmon_add_plain_counter(struct perfmon_pmu *pmu, unsigned int n,
			       u32 rsvd, u64 priv, u8 width,
			       const char *selector, const char *counter);
void perfmon_map_fill(struct perfmon_pmu *pmu);

#endif /* _PERFMON_MAP_H */

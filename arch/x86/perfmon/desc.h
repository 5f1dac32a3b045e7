/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What desc.c found out about the processor that control.c needs, and what the
 * files of maps (desc_p4.c, desc_p5.c) use to fill theirs.
 */
#ifndef _PERFMON_DESC_H
#define _PERFMON_DESC_H

#include <linux/types.h>

struct perfmon_arch_set;
struct perfmon_pmu;
struct perfmon_reg;

/* One enable bit, in selector 0, for all counters. */
extern bool perfmon_desc_shared_enable;

/*
 * Bits of a programmable PMC without which it does not count; 0: it counts
 * whatever it says once it was written.
 */
extern u64 perfmon_desc_enable;

/* Registers that all sessions may use. */
#define PERFMON_ANY_SESSION	(PERFMON_REG_SYS | PERFMON_REG_THR)

/* Append the register @num, zeroed but for what is given here. */
struct perfmon_reg *perfmon_add_pmc(struct perfmon_pmu *pmu, unsigned int num,
				    u16 type);
struct perfmon_reg *perfmon_add_pmd(struct perfmon_pmu *pmu, unsigned int num,
				    unsigned int ctrl, u16 type, u8 width);

/* desc_p4.c, control_p4.c */
void perfmon_desc_fill_p4(struct perfmon_pmu *pmu);
void perfmon_build_p4(struct perfmon_arch_set *set, const u64 *pmcs,
		      const unsigned long *used_pmds);
/* desc_p5.c */
void perfmon_desc_fill_p5(struct perfmon_pmu *pmu);
void perfmon_desc_fill_c3(struct perfmon_pmu *pmu);

#endif /* _PERFMON_DESC_H */

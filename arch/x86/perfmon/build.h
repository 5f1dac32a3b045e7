/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Building elements of a perfctr control from PMC values: functions for
 * perfctr_design.build that designs share.
 */
#ifndef _PERFMON_BUILD_H
#define _PERFMON_BUILD_H

#include <linux/types.h>

struct perfmon_arch_set;
struct perfmon_reg;

void perfmon_build_own_enables(struct perfmon_arch_set *set, const u64 *pmcs,
			       const unsigned long *used_pmcs,
			       const unsigned long *used_pmds);
int perfmon_ibs_check(const struct perfmon_reg *reg, u64 value);
void perfmon_ibs_build(struct perfmon_arch_set *set, const u64 *pmcs,
		       const unsigned long *used_pmds);
void perfmon_lbr_build(struct perfmon_arch_set *set, const u64 *pmcs,
		       const unsigned long *used_pmcs, bool system_wide);
void perfmon_pebs_choose(struct perfmon_arch_set *set, const u64 *pmcs,
			 const unsigned long *used_pmcs,
			 const unsigned long *used_pmds, unsigned long *others);
void perfmon_pebs_build(struct perfmon_arch_set *set);
void perfmon_build_shared_enable(struct perfmon_arch_set *set, const u64 *pmcs,
				 const unsigned long *used_pmcs,
				 const unsigned long *used_pmds);

#endif /* _PERFMON_BUILD_H */

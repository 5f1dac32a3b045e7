/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of PEBS share: pebs.c (when a record is due, and where it comes) and
 * pebs_record.c (what it says).
 */
#ifndef PERFMON_TEST_PMU_PEBS_H
#define PERFMON_TEST_PMU_PEBS_H

#include "design.h"

/* The bit of the first fixed counter. */
#define PEBS_FIXED 32

/* PEBS_DATA_CFG: groups of a record besides the basic one. */
#define PEBS_GROUP_MEMORY (1ull << 0)
#define PEBS_GROUP_GPRS (1ull << 1)
#define PEBS_GROUP_XMMS (1ull << 2)
#define PEBS_GROUP_BRANCHES (1ull << 3)
#define PEBS_BRANCHES_SHIFT 24 /* so many of them, and one */
#define PEBS_BRANCHES (0x1full << PEBS_BRANCHES_SHIFT)
#define PEBS_GROUPS                                              \
	(PEBS_GROUP_MEMORY | PEBS_GROUP_GPRS | PEBS_GROUP_XMMS | \
	 PEBS_GROUP_BRANCHES | PEBS_BRANCHES)

static inline unsigned int pebs_format(const struct pmu_model *model)
{
	return model->capabilities >> PEBS_FORMAT_SHIFT & 0xf;
}

/* Returns its length in words. Status: the counters that it is of. */
unsigned int pebs_build_record(const struct pmu *pmu, uint64_t status,
			       const struct pmu_registers *registers,
			       uint64_t record[PMU_RECORD_WORDS]);

#endif

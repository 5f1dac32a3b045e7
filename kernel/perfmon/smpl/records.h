/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records that the hardware makes by itself, see records.c.
 */
#ifndef _KERNEL_PERFMON_RECORDS_H
#define _KERNEL_PERFMON_RECORDS_H

#include <linux/types.h>

struct perfmon_moment;
struct perfmon_reg;
struct perfmon_session;
struct perfmon_set;
struct pfarg_pmd_attr;
struct pfarg_pmr;

/**
 * struct perfmon_drained - what draining the records of a set has done
 * @pmds: positions of their PMDs
 * @records: their number, with the ones that were left out
 * @ctrl: controls of the format, together
 * @stop: it has had enough
 */
struct perfmon_drained {
	unsigned long pmds;
	unsigned int records;
	u32 ctrl;
	bool stop;
};

struct perfmon_drained perfmon_drain(struct perfmon_session *s,
				     struct perfmon_set *set,
				     const struct perfmon_moment *when);

/* records_check.c */
bool perfmon_records_fit_pmd(const struct perfmon_set *set, unsigned int pos,
			     const struct pfarg_pmr *pmr,
			     struct pfarg_pmd_attr *attr);
bool perfmon_records_fit_pmc(const struct perfmon_session *s,
			     const struct perfmon_set *set,
			     const struct perfmon_reg *reg, u64 value);

#endif /* _KERNEL_PERFMON_RECORDS_H */

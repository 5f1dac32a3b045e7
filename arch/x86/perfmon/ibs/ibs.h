/* SPDX-License-Identifier: GPL-2.0-only */
/* Instruction-based sampling: what its files share. */
#ifndef _PERFMON_IBS_H
#define _PERFMON_IBS_H

#include <linux/types.h>

#include <asm/perfmon_ibs.h>

/**
 * struct ibs_unit - what the two units differ in
 * @ctl: MSR of the control register
 * @enable: its bit that starts the unit
 * @valid: its bit that says that there is a sample
 * @first: register of perfmon_ibs.data[] that has the control; the other ones, from
 *	consecutive MSRs, follow it
 * @nr: their number, with the control
 */
struct ibs_unit {
	u32 ctl;
	u64 enable;
	u64 valid;
	u8 first;
	u8 nr;
};

extern const struct ibs_unit ibs_units[PERFMON_IBS_UNITS];

/* Events between two samples, as a control says. */
u64 ibs_limit(u64 ctl, unsigned int unit);

/*
 * What CPUID says, 0: no IBS; positions of the PMCs and PMDs of controls. map_ibs.c fills
 * them at boot.
 */
extern u32 ibs_caps;
extern u8 ibs_pmc[PERFMON_IBS_UNITS];
extern u8 ibs_pmd[PERFMON_IBS_UNITS];

/* hide.c */
bool ibs_rip_valid(const struct perfmon_ibs *ibs);
void ibs_hide_kernel(struct perfmon_ibs *ibs, unsigned int unit);

/* Of IBSOPDATA3: the addresses of the data are valid. */
#define OP_DATA3_LINEAR_VALID	BIT_ULL(17)
#define OP_DATA3_PHYSICAL_VALID	BIT_ULL(18)

/* The unit that a register of perfmon_ibs.data[] is of. */
static inline unsigned int ibs_unit_of(unsigned int reg)
{
	return reg < PERFMON_IBS_OP_CTL || reg == PERFMON_IBS_FETCH_EXTENDED ?
		       PERFMON_IBS_FETCH : PERFMON_IBS_OP;
}

#endif /* _PERFMON_IBS_H */

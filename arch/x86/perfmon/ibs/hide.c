// SPDX-License-Identifier: GPL-2.0-only
/*
 * What users may not see of the samples of their programs.
 *
 * IBS cannot leave out a privilege level: this file removes the kernel after the fact, as
 * soon as the registers were read.
 */
#include <linux/bits.h>
#include <linux/perfmon_pmu.h>
#include <linux/types.h>

#include <asm/cpufeature.h>
#include <asm/perf_event.h>
#include <asm/processor.h>

#include "ibs.h"

/* Of IBSOPDATA: the address of the instruction is not valid. */
#define OP_DATA_RIP_INVALID	BIT_ULL(38)

/* Of IBSFETCHCTL: the physical address is valid. */
#define FETCH_PHYSICAL_VALID	BIT_ULL(52)

/*
 * Is the address of the instruction of an op sample known?  Erratum 1197 of family 19h:
 * one that is not valid may be 0 instead.
 */
bool ibs_rip_valid(const struct perfmon_ibs *ibs)
{
	if (ibs_caps & IBS_CAPS_RIPINVALIDCHK &&
	    ibs->data[PERFMON_IBS_OP_DATA] & OP_DATA_RIP_INVALID)
		return false;
	return ibs->data[PERFMON_IBS_OP_RIP] || boot_cpu_data.x86 != 0x19 ||
	       boot_cpu_data.x86_model >= 0x10;
}

static bool ibs_shows_kernel(const struct perfmon_ibs *ibs, unsigned int unit)
{
	if (unit == PERFMON_IBS_FETCH)
		return perfmon_arch_is_kernel(ibs->data[PERFMON_IBS_FETCH_LINEAR]);
	if (!ibs_rip_valid(ibs) ||
	    perfmon_arch_is_kernel(ibs->data[PERFMON_IBS_OP_RIP]))
		return true;
	return ibs_caps & IBS_CAPS_BRNTRGT &&
	       perfmon_arch_is_kernel(ibs->data[PERFMON_IBS_OP_TARGET]);
}

static void ibs_clear_unit(struct perfmon_ibs *ibs, unsigned int unit)
{
	unsigned int i;

	for (i = 0; i < PERFMON_IBS_REGS; i++)
		if (ibs_unit_of(i) == unit)
			ibs->data[i] = 0;
}

/* Physical addresses tell where in memory the kernel has placed the program. */
static void ibs_clear_physical(struct perfmon_ibs *ibs, unsigned int unit)
{
	if (unit == PERFMON_IBS_FETCH) {
		ibs->data[PERFMON_IBS_FETCH_CTL] &= ~FETCH_PHYSICAL_VALID;
		ibs->data[PERFMON_IBS_FETCH_PHYSICAL] = 0;
		return;
	}
	if (ibs->data[PERFMON_IBS_OP_DATA3] & OP_DATA3_PHYSICAL_VALID)
		ibs->cleared |= BIT(unit);
	ibs->data[PERFMON_IBS_OP_DATA3] &= ~OP_DATA3_PHYSICAL_VALID;
	ibs->data[PERFMON_IBS_OP_PHYSICAL] = 0;
}

/*
 * A sample of a unit in perfmon_ibs.user_only was read: nothing of the kernel stays.  An
 * instruction whose address is not known may be the kernel's.
 */
void ibs_hide_kernel(struct perfmon_ibs *ibs, unsigned int unit)
{
	if (ibs_shows_kernel(ibs, unit)) {
		ibs_clear_unit(ibs, unit);
		ibs->hidden |= BIT(unit);
		return;
	}
	ibs_clear_physical(ibs, unit);
	if (unit == PERFMON_IBS_OP &&
	    perfmon_arch_is_kernel(ibs->data[PERFMON_IBS_OP_LINEAR])) {
		ibs->data[PERFMON_IBS_OP_DATA3] &= ~OP_DATA3_LINEAR_VALID;
		ibs->data[PERFMON_IBS_OP_LINEAR] = 0;
		ibs->cleared |= BIT(unit);
	}
}

/**
 * perfmon_ibs_user_only - let a unit leave out the kernel, or not
 * @ibs: of the set
 * @pmc: position of the PMC of the unit
 * @on: leave it out
 *
 * What was sampled before with the other choice is forgotten.
 *
 * Context: on the target.
 */
void perfmon_ibs_user_only(struct perfmon_ibs *ibs, unsigned int pmc, bool on)
{
	unsigned int unit = pmc == ibs_pmc[PERFMON_IBS_OP] ? PERFMON_IBS_OP :
							     PERFMON_IBS_FETCH;

	if (on == !!(ibs->user_only & BIT(unit)))
		return;
	ibs->user_only ^= BIT(unit);
	ibs->sampled &= ~BIT(unit);
	ibs_clear_unit(ibs, unit);
}

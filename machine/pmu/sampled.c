// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sampled instruction of IBS and PEBS: where it is and what it has accessed, as the
 * owner of the model says. Used by pmu.c, ibs.c and pebs_record.c.
 */

#include <string.h>

#include "design.h"

bool pmu_wants_place(const struct pmu *pmu)
{
	return pmu_ibs_wants_place(pmu) || pmu_pebs_wants_place(pmu);
}

void pmu_set_place(struct pmu *pmu, const struct pmu_place *place)
{
	pmu_forget_sampled(pmu);
	pmu->place = *place;
}

void pmu_set_access(struct pmu *pmu, const struct pmu_access *access)
{
	pmu->access = *access;
}

void pmu_forget_sampled(struct pmu *pmu)
{
	memset(&pmu->place, 0, sizeof(pmu->place));
	memset(&pmu->access, 0, sizeof(pmu->access));
}

// SPDX-License-Identifier: GPL-2.0-only
/* The registers that a session can have, see available.h. */
#include "registers/available.h"

#include <string.h>

#define FIXED_CTRL_PMC 16

static bool is_set(const uint64_t *vector, unsigned int reg)
{
	return vector[reg / 64] >> (reg % 64) & 1;
}

bool available_is_selector(const struct available *regs, unsigned int pmc)
{
	const struct reg *reg = &regs->map->pmc[pmc];

	return reg->present && (!strncmp(reg->name, "PERFEVTSEL", 10) ||
				!strncmp(reg->name, "PERFSEL", 7));
}

bool available_pmd(const struct available *regs, unsigned int pmd)
{
	return regs->map->pmd[pmd].present &&
	       is_set(regs->info->set_avail_pmds, pmd);
}

/* A selector without its counter is of no use. */
bool available_pmc(const struct available *regs, unsigned int pmc)
{
	return regs->map->pmc[pmc].present &&
	       is_set(regs->info->set_avail_pmcs, pmc) &&
	       (!available_is_selector(regs, pmc) || available_pmd(regs, pmc));
}

pfmlib_regmask_t available_not(const struct available *regs)
{
	pfmlib_regmask_t mask = { { 0 } };

	for (unsigned int i = 0; i < PFM_MAX_PMCS; i++) {
		if (!available_pmc(regs, i))
			pfm_regmask_set(&mask, i);
	}
	return mask;
}

/* Those that libpfm knows, and those that raw values can be counted on. */
int available_counters(const struct available *regs)
{
	const struct reg *fixed = &regs->map->pmc[FIXED_CTRL_PMC];
	pfmlib_regmask_t known = { { 0 } };
	int count = 0;

	pfm_get_impl_counters(&known);
	for (unsigned int i = 0; i < PFM_MAX_PMDS; i++) {
		if (!available_pmd(regs, i))
			continue;
		if (i < PFM_MAX_PMCS && available_is_selector(regs, i))
			count += available_pmc(regs, i);
		else if (!strncmp(regs->map->pmd[i].name, "FIXED_CTR", 9))
			count += fixed->present &&
				 available_pmc(regs, FIXED_CTRL_PMC) &&
				 pfm_regmask_isset(&known, i);
		else
			count += pfm_regmask_isset(&known, i);
	}
	return count;
}

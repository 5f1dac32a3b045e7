/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The registers that a session can have: those of the kernel's map that no
 * other user holds.
 */
#ifndef PFMON_AVAILABLE_H
#define PFMON_AVAILABLE_H

#include <perfmon/pfmlib.h>

#include "registers/regmap.h"

struct available {
	const struct regmap *map;
	const struct pfarg_setinfo *info;
};

/* Whether the PMC is an event select register that controls the same PMD. */
bool available_is_selector(const struct available *regs, unsigned int pmc);

bool available_pmc(const struct available *regs, unsigned int pmc);
bool available_pmd(const struct available *regs, unsigned int pmd);

/* The PMCs that libpfm must not use. */
pfmlib_regmask_t available_not(const struct available *regs);

/* How many counters there are. */
int available_counters(const struct available *regs);

#endif /* PFMON_AVAILABLE_H */

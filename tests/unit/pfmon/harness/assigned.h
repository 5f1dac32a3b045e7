/* SPDX-License-Identifier: GPL-2.0-only */
/* The registers that events of a text get on a PMU that is made up, see fake_pmu.h. */
#ifndef ASSIGNED_H
#define ASSIGNED_H

#include <stdint.h>

#include "registers/assign.h"

/* What the kernel shows of the PMU that was chosen last. */
extern struct regmap map;
extern struct pfarg_setinfo info;

/* What was assigned last. */
extern struct plan plan;

void use_pmu(const char *name);

/* Parses a text into parsed_list. Returns what assign_events() returns. */
int assign(const char *model, const char *text);

/* The value that a PMC is written with; 0 if it is not. */
uint64_t pmc_value(unsigned int pmc);

#endif /* ASSIGNED_H */

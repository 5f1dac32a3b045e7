/* SPDX-License-Identifier: GPL-2.0-only */
/* What formulas say of the machine: names of events, and literals. */
#ifndef PFMON_FORMULA_EVENTS_H
#define PFMON_FORMULA_EVENTS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Spells a formula's name of an event as -e takes it: cpu@NAME,cmask=1@ is
 * cpu/NAME,cmask=1/. all_levels: what names no level is counted at both. False: it is
 * too long.
 */
bool formula_event_spell(const char *name, const char *core, bool all_levels,
			 char *text, size_t size);

/*
 * How many PMUs of the machine count an event, 0: none does, and why says what it lacks.
 */
int formula_event_sources(const char *text, const char **why);

/* The value of a literal, for example #num_cpus. False: it is not known here. */
bool formula_literal(const char *name, bool core_wide, double *value);

/* Whether the processor is one of a pattern: GenuineIntel-6-5[56]. */
bool formula_is_cpu(const char *pattern);

#endif /* PFMON_FORMULA_EVENTS_H */

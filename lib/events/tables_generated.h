/* SPDX-License-Identifier: MIT */
/*
 * The tables of libpfm4 that its packages have for i386 only (P6 family, Core
 * Duo).  The build makes C source of them (generator/tables.c), so that the
 * library has them on every architecture.
 */
#ifndef PFMLIB_TABLES_GENERATED_H
#define PFMLIB_TABLES_GENERATED_H

#include "pmu/pfmlib_model.h"

struct pfmlib_generated {
	const char *pmu; /* libpfm4's name */
	const struct pfmlib_event_desc *events;
	unsigned int num_events;
};

/* Ends with a row without a name. */
extern const struct pfmlib_generated pfmlib_generated[];

#endif /* PFMLIB_TABLES_GENERATED_H */

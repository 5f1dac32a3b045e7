/* SPDX-License-Identifier: MIT */
/* What the environment tells the library (pfmlib_options.c). */
#ifndef PFMLIB_OPTIONS_H
#define PFMLIB_OPTIONS_H

#include <stdbool.h>

#include "pfmlib_model.h"

/* LIBPFM_VERBOSE, LIBPFM_DEBUG and LIBPFM_DEBUG_STDOUT; at initialisation. */
void pfmlib_read_options(void);

/*
 * LIBPFM_FORCE_PMU: "TYPE" or "TYPE,FAMILY,MODEL,STEPPING".  False if it is not
 * set or does not begin with a number; without a complete sub-model cpu is all
 * zeros.
 */
bool pfmlib_read_forced(int *type, struct pfmlib_cpu *cpu);

#endif /* PFMLIB_OPTIONS_H */

/* SPDX-License-Identifier: MIT */
/* What the environment tells the library (pfmlib_options.c). */
#ifndef PFMLIB_OPTIONS_H
#define PFMLIB_OPTIONS_H

#include <stdbool.h>

#include "pfmlib_model.h"

/* LIBPFM_VERBOSE, LIBPFM_DEBUG and LIBPFM_DEBUG_STDOUT; at initialisation. */
void pfmlib_read_options(void);

#endif /* PFMLIB_OPTIONS_H */

/* SPDX-License-Identifier: MIT */
/*
 * The event tables of the P6 family and the Core Duo.  libpfm4 has them only in its
 * package for i386, but the library needs them on every architecture.
 * lib/events/generator/ makes a C file of each, and events/tables_p6.c reads them.
 */
#ifndef PFMLIB_I386_TABLES_H
#define PFMLIB_I386_TABLES_H

#include "pmu/pfmlib_pmu.h"

struct pfmlib_i386_table {
	const struct pfmlib_event_desc *events;
	unsigned int num_events;
};

/* Named as in libpfm4. */
extern const struct pfmlib_i386_table pfmlib_i386_ppro;
extern const struct pfmlib_i386_table pfmlib_i386_pii;
extern const struct pfmlib_i386_table pfmlib_i386_p6;
extern const struct pfmlib_i386_table pfmlib_i386_pm;
extern const struct pfmlib_i386_table pfmlib_i386_coreduo;

#endif /* PFMLIB_I386_TABLES_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/* Symbols that are lists of addresses: of the kernel, and of what programs compile. */
#ifndef PFMON_ADDRESS_MAPS_H
#define PFMON_ADDRESS_MAPS_H

#include <sys/types.h>

#include "symbols/table.h"

/*
 * Functions of the running kernel: lines as in /proc/kallsyms, of which only those
 * with an address count. 0, or -1 without memory; the table is empty where the file
 * hides or nobody may read it.
 */
int address_maps_kernel(const char *path, struct symbol_table *table);

/*
 * /tmp/perf-PID.map, where programs that compile while they run write what they have
 * made: "START SIZE NAME", in hexadecimal. It is believed only if its owner is uid.
 */
int address_maps_program(const char *path, uid_t uid,
			 struct symbol_table *table);

#endif /* PFMON_ADDRESS_MAPS_H */

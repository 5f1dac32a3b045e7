/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The machine that was tested: what has to be known of it to make something of a
 * report. An object of strings and numbers, in the order in which it is printed.
 */
#ifndef PFMON_SELFTEST_INVENTORY_H
#define PFMON_SELFTEST_INVENTORY_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>

#include "counters.h"

/* Of the processor and the kernel. The caller has the reference. */
struct json_object *inventory_machine(void);

/* Adds what perfmon and libpfm make of it. */
void inventory_add_pmu(struct json_object *machine, const struct pmu *pmu);

/* Prints the members as comments of TAP. */
void inventory_print(struct json_object *machine, FILE *out);

/* Whether the processor is virtual, and whether it is one that QEMU emulates. */
bool inventory_hypervisor(void);
bool inventory_emulated(void);

/*
 * The first line of a file that has "key" in it, or the first of all if key is
 * NULL, from behind its colon on; false if there is no such line.
 */
bool inventory_line(const char *path, const char *key, char *line, int size);

#endif /* PFMON_SELFTEST_INVENTORY_H */

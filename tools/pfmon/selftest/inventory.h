/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The inventory: the properties of the machine that a reader of the report needs.
 * It is an object of strings and numbers, in the order of their printing.
 */
#ifndef PFMON_SELFTEST_INVENTORY_H
#define PFMON_SELFTEST_INVENTORY_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>

#include "counters.h"

/* Describes the processor and the kernel. The caller has the reference. */
struct json_object *inventory_machine(void);

/* Adds the PMU as perfmon and libpfm see it. */
void inventory_add_pmu(struct json_object *machine, const struct pmu *pmu);

/* Prints the members as comments of TAP. */
void inventory_print(struct json_object *machine, FILE *out);

/* True if the processor is virtual, and if QEMU emulates it. */
bool inventory_hypervisor(void);
bool inventory_emulated(void);

/*
 * Reads the first line of a file that begins with "key", from behind its colon on;
 * without a key, the whole first line. False if there is no such line.
 */
bool inventory_line(const char *path, const char *key, char *line, int size);

#endif /* PFMON_SELFTEST_INVENTORY_H */

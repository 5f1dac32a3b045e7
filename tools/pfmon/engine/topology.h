/* SPDX-License-Identifier: GPL-2.0-only */
/* Where a CPU is: its core, die, socket and node, as the kernel tells. */
#ifndef PFMON_TOPOLOGY_H
#define PFMON_TOPOLOGY_H

#include "request.h"

#define TOPOLOGY_PLACE 40

/* Where the kernel tells it; a test has another place. */
extern const char *topology_directory;

/*
 * Names the place of a CPU as perf does: "S0-D0-C1" for a core, "S0-D0" for a die, "S0"
 * for a socket, "N0" for a node; "" if the grouping is none of these. What the kernel does not
 * tell, of a CPU that is off above all, is -1.
 */
void topology_place(int cpu, enum grouping grouping,
		    char place[TOPOLOGY_PLACE]);

#endif /* PFMON_TOPOLOGY_H */

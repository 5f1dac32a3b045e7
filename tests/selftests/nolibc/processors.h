/* SPDX-License-Identifier: GPL-2.0-only */
/* What perfmon has to make of each processor of machine/cpus. */
#ifndef PFM_TEST_PROCESSORS_H
#define PFM_TEST_PROCESSORS_H

#include <stdbool.h>

struct processor {
	const char *name; /* as in machine/cpus */
	const char *driver; /* perfctr_cpu_name, which the kernel logs */
	const char *model; /* of pmu_desc/model */
	unsigned int programmable, fixed; /* counters */
	int width; /* of every counter, as published */
	bool no_tsc;
};

/* The row of a processor, NULL if it has none. */
const struct processor *processor_named(const char *name);

#endif

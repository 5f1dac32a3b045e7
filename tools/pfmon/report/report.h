/* SPDX-License-Identifier: GPL-2.0-only */
/* The report that pfmon writes when the command has ended, see pfmon(1). */
#ifndef PFMON_REPORT_H
#define PFMON_REPORT_H

#include <stdint.h>
#include <stdio.h>

enum report_format {
	REPORT_TABLE,
	REPORT_CSV,
	REPORT_JSON,
};

struct report_event {
	const char *name;
	const char *level;
	uint64_t count;
	unsigned int counter; /* number of the PMD */
	uint64_t selector;
};

struct report {
	char *const *command; /* ends with NULL */
	const char *model; /* of the register map */
	int exit_status; /* of the command */
	uint64_t elapsed_ns;
	int event_count;
	const struct report_event *events;
};

/* Returns 0, or -1 with errno if the report could not be written. */
int report_write(const struct report *report, enum report_format format,
		 FILE *out);

#endif /* PFMON_REPORT_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/* From what a measurement has found to a report of it. */
#ifndef PFMON_PRESENT_H
#define PFMON_PRESENT_H

#include "engine/measure.h"
#include "report/report.h"

/* A report, and what it points to. */
struct presented {
	struct report report;
	struct report_event *events;
	char (*names)[192]; /* of the events, if the user's are not told */
	struct report_row *rows;
	uint64_t *counts;
	bool *absent; /* NULL: no event is of a PMU outside the cores */
	struct estimate *estimates; /* NULL: all was counted all the time */
	struct utsname *host;
};

/*
 * Makes the report of the last run of the measurement. It is valid until the
 * next run; present_free() is to be called in any case. -1 after a message.
 */
int present(struct presented *presented, const struct measurement *measurement);
void present_free(struct presented *presented);

#endif /* PFMON_PRESENT_H */

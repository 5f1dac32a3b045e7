/* SPDX-License-Identifier: GPL-2.0-only */
/* The formats of a report of regions, which take the place of its rows. */
#ifndef PFMON_REPORT_REGIONS_H
#define PFMON_REPORT_REGIONS_H

#include <json-c/json.h>

#include "report/report.h"

void report_regions_text(const struct report *report,
			 const struct report_style *style, FILE *out);
void report_regions_csv(const struct report *report,
			const struct report_style *style, FILE *out);

/* Members of the object of the whole. */
void report_regions_json(const struct report *report, struct json_object *root);

/* Whether all of the regions were counted. */
bool report_regions_exact(const struct report *report);

#endif /* PFMON_REPORT_REGIONS_H */

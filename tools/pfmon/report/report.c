// SPDX-License-Identifier: GPL-2.0-only
/* Writes reports, see report.h. */
#include "report/report.h"

#include <errno.h>

#include "report/regions.h"

uint64_t report_time(const struct report *report)
{
	return report->elapsed_ns - report->begun_ns;
}

bool report_is_exact(const struct report *report)
{
	for (int row = 0; row < report->row_count; row++) {
		const struct estimate *estimates = report->rows[row].estimates;

		for (int i = 0; estimates && i < report->event_count; i++) {
			if (!estimate_is_exact(&estimates[i]))
				return false;
		}
	}
	if (report->regions && !report_regions_exact(report))
		return false;
	return coverage_is_exact(&report->coverage);
}

int report_write(const struct report *report, const struct report_style *style,
		 FILE *out)
{
	static void (*const formats[])(const struct report *,
				       const struct report_style *, FILE *) = {
		[REPORT_TABLE] = report_table,
		[REPORT_CSV] = report_csv,
		[REPORT_JSON] = report_json,
		[REPORT_STAT] = report_stat,
		[REPORT_SEPARATED] = report_separated,
		[REPORT_TEXTFILE] = report_textfile,
	};

	errno = 0;
	formats[style->format](report, style, out);
	if (fflush(out) || ferror(out)) {
		if (!errno)
			errno = EIO;
		return -1;
	}
	return 0;
}

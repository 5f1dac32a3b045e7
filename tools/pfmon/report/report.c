// SPDX-License-Identifier: GPL-2.0-only
/* Writes reports, see report.h. */
#include "report/report.h"

#include <errno.h>

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

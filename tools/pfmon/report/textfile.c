// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prometheus' text format, for the textfile collector of node_exporter. Its
 * parser wants all series of a name together and none of them twice.
 */
#include <inttypes.h>
#include <string.h>

#include "report/cells.h"

static void write_label(const char *name, const char *value, FILE *out)
{
	fprintf(out, "%s=\"", name);
	for (; *value; value++) {
		if (*value == '"' || *value == '\\')
			fputc('\\', out);
		if (*value == '\n')
			fputs("\\n", out);
		else
			fputc(*value, out);
	}
	fputc('"', out);
}

/* An event that is given twice has two counters and one series. */
static bool is_repeated(const struct report *report, int i)
{
	for (int j = 0; j < i; j++) {
		if (!strcmp(report->events[i].given, report->events[j].given) &&
		    !strcmp(report->events[i].level, report->events[j].level))
			return true;
	}
	return false;
}

/*
 * Rows are the parts of the whole: their sum and they would count twice. But no CPU has
 * what a PMU outside the cores counts, though one of them reads it: of CPUs the whole
 * alone has that.
 */
static bool is_wanted(const struct report *report, const struct report_row *row,
		      int i)
{
	bool of_cpus = report->rows[0].scope == SCOPE_CPU;

	if (!cell_is_own(report, row, i))
		return false;
	if (report->row_count == 1 || !of_cpus)
		return report->row_count == 1 || row->scope != SCOPE_TOTAL;
	return report->events[i].of_machine == (row->scope == SCOPE_TOTAL);
}

/* What a row is one of; NULL: of nothing. */
static const char *label_of(enum report_scope scope)
{
	switch (scope) {
	case SCOPE_CORE:
		return "core";
	case SCOPE_DIE:
		return "die";
	case SCOPE_SOCKET:
		return "socket";
	case SCOPE_NODE:
		return "node";
	default:
		return NULL;
	}
}

static void write_row(const struct report *report, const struct report_row *row,
		      FILE *out)
{
	const char *label = label_of(row->scope);
	char cpu[16];

	for (int i = 0; i < report->event_count; i++) {
		const struct report_event *event = &report->events[i];

		if (is_repeated(report, i) || !is_wanted(report, row, i))
			continue;
		fputs("pfmon_events_total{", out);
		write_label("event", event->given, out);
		fputc(',', out);
		write_label("level", event->level, out);
		fputc(',', out);
		write_label("scope", report->scope, out);
		if (row->scope == SCOPE_CPU) {
			snprintf(cpu, sizeof(cpu), "%d", row->cpu);
			fputc(',', out);
			write_label("cpu", cpu, out);
		}
		if (label) {
			fputc(',', out);
			write_label(label, row->place, out);
		}
		fprintf(out, "} %" PRIu64 "\n", row->counts[i]);
	}
}

static void write_gauge(const struct report *report, const char *name,
			const char *help, const char *value, FILE *out)
{
	fprintf(out, "# HELP %s %s\n# TYPE %s gauge\n%s{", name, help, name,
		name);
	write_label("scope", report->scope, out);
	fprintf(out, "} %s\n", value);
}

void report_textfile(const struct report *report,
		     const struct report_style *style, FILE *out)
{
	unsigned int permille = coverage_permille(&report->coverage);
	char value[32];

	(void)style;
	fputs("# HELP pfmon_events_total Events that pfmon has counted since its start.\n"
	      "# TYPE pfmon_events_total counter\n",
	      out);
	for (int i = 0; i < report->row_count; i++)
		write_row(report, &report->rows[i], out);
	snprintf(value, sizeof(value), "%u.%03u", permille / 1000,
		 permille % 1000);
	write_gauge(report, "pfmon_coverage_ratio",
		    "Part of the time that was counted.", value, out);
	write_gauge(report, "pfmon_exact",
		    "1 if all was counted that was to be.",
		    report_is_exact(report) ? "1" : "0", out);
	snprintf(value, sizeof(value), "%" PRIu64, report->started_s);
	write_gauge(report, "pfmon_start_time_seconds",
		    "When the counting began, since the epoch.", value, out);
}

// SPDX-License-Identifier: GPL-2.0-only
/* The parts of lines that several formats share, see cells.h. */
#include "report/cells.h"

#include <inttypes.h>
#include <string.h>

/* Marks between groups of three digits. No locale has a say in it. */
static void group(char *text, const char *digits, char mark)
{
	size_t len = strlen(digits);

	for (size_t i = 0; i < len; i++) {
		*text++ = digits[i];
		if ((len - i) % 3 == 1 && i + 1 < len)
			*text++ = mark;
	}
	*text = '\0';
}

char *cell_number(uint64_t number, enum report_digits digits,
		  char text[CELL_NUMBER])
{
	char plain[CELL_NUMBER];

	snprintf(plain, sizeof(plain),
		 digits == DIGITS_HEX ? "0x%" PRIx64 : "%" PRIu64, number);
	if (digits == DIGITS_COMMA || digits == DIGITS_POINT)
		group(text, plain, digits == DIGITS_COMMA ? ',' : '.');
	else
		strcpy(text, plain);
	return text;
}

char *cell_scope(const struct report *report, const struct report_row *row,
		 char *text, size_t size)
{
	switch (row->scope) {
	case SCOPE_TOTAL:
		snprintf(text, size, "%s", report->scope);
		break;
	case SCOPE_THREAD:
		snprintf(text, size, "thread:%d", row->tid);
		break;
	case SCOPE_PROCESS:
		snprintf(text, size, "process:%d", row->pid);
		break;
	case SCOPE_CPU:
		snprintf(text, size, "cpu:%d", row->cpu);
		break;
	case SCOPE_CORE:
		snprintf(text, size, "core:%s", row->place);
		break;
	case SCOPE_DIE:
		snprintf(text, size, "die:%s", row->place);
		break;
	case SCOPE_SOCKET:
		snprintf(text, size, "socket:%s", row->place);
		break;
	case SCOPE_NODE:
		snprintf(text, size, "node:%s", row->place);
		break;
	}
	return text;
}

char *cell_spread(const struct report *report, int i, char *text, size_t size)
{
	text[0] = '\0';
	if (!report->spreads)
		return text;
	if (spread_is_equal(&report->spreads[i]))
		snprintf(text, size, "=");
	else
		snprintf(text, size, "+-%.2f%%",
			 spread_percent(&report->spreads[i]));
	return text;
}

bool cell_is_own(const struct report *report, const struct report_row *row,
		 int i)
{
	const struct report_event *event = &report->events[i];
	/* What a thread has used is known when it has ended, not at each interval. */
	bool at_end = row->scope == SCOPE_THREAD || row->scope == SCOPE_PROCESS;

	if (row->absent && row->absent[i])
		return false;
	return row->scope == SCOPE_TOTAL || event->has_counter ||
	       (event->meaning == MEANS_TIME &&
		!(report->interval && at_end)) ||
	       (event->of_machine && row->absent);
}

bool cell_is_seen(const struct report_row *row, int i)
{
	return !row->estimates || estimate_is_seen(&row->estimates[i]);
}

char *cell_count(const struct report_row *row, int i, enum report_digits digits,
		 char text[CELL_NUMBER])
{
	return cell_is_seen(row, i) ?
		       cell_number(row->counts[i], digits, text) :
		       strcpy(text, "<not seen>");
}

char *cell_estimate(const struct report *report, const struct report_row *row,
		    int i, char *text, size_t size)
{
	const struct estimate *estimate = row->estimates + i;
	char interval[64] = "";

	text[0] = '\0';
	if (!row->estimates || !estimate_is_seen(estimate) ||
	    estimate_is_exact(estimate))
		return text;
	if (!report->spreads && estimate->bounded)
		snprintf(interval, sizeof(interval),
			 ", %" PRIu64 " to %" PRIu64, estimate->low,
			 estimate->high);
	else if (!report->spreads)
		snprintf(interval, sizeof(interval), ", at least %" PRIu64,
			 estimate->low);
	snprintf(text, size, "estimate, seen %.1f %%%s", 100 * estimate->seen,
		 interval);
	return text;
}

void cell_quoted(const char *text, const char *separator, FILE *out)
{
	if (!strpbrk(text, "\"\r\n") && !strstr(text, separator)) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

bool cell_per_cycle(const struct report *report, const struct report_row *row,
		    int i, double *value)
{
	const struct report_event *event = &report->events[i];

	if (event->meaning != MEANS_INSTRUCTIONS)
		return false;
	for (int j = 0; j < report->event_count; j++) {
		const struct report_event *other = &report->events[j];

		if (other->meaning != MEANS_CYCLES || !row->counts[j] ||
		    !cell_is_seen(row, i) || !cell_is_seen(row, j) ||
		    strcmp(other->level, event->level) != 0)
			continue;
		*value = (double)row->counts[i] / (double)row->counts[j];
		return true;
	}
	return false;
}

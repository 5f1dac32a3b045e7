// SPDX-License-Identifier: GPL-2.0-only
/* The formats of a report of regions, see regions.h. */
#include "report/regions.h"

#include <inttypes.h>
#include <string.h>

#include "regions/regions.h"
#include "report/cells.h"
#include "report/json_text.h"
#include "report/plain.h"

static const char *plural(unsigned int count, const char *one, const char *many)
{
	return count == 1 ? one : many;
}

bool report_regions_exact(const struct report *report)
{
	const struct regions *regions = report->regions;

	return !regions->uncounted && !regions->unmatched && !regions->open &&
	       !regions->broken;
}

/* What is not in the counts. */
static void write_losses(const struct regions *regions, FILE *out)
{
	if (regions->uncounted)
		fprintf(out,
			" NOT ALL COUNTED: %u of %u %s without counters: %s\n",
			regions->uncounted, regions->threads,
			plural(regions->threads, "thread", "threads"),
			strerror(regions->why));
	if (regions->open)
		fprintf(out, " NOT ALL COUNTED: %u %s not end\n", regions->open,
			plural(regions->open, "region did", "regions did"));
	if (regions->unmatched)
		fprintf(out,
			" NOT ALL COUNTED: %" PRIu64
			" marks without the other end of their region\n",
			regions->unmatched);
	if (regions->broken)
		fputs(" NOT ALL COUNTED: a process has written what is no record of regions\n",
		      out);
}

/* What a mark would add to the regions that it is in. */
static void write_costs(const struct report *report, FILE *out)
{
	const char *separator = " taken off for each mark: ";

	for (int i = 0; i < report->event_count; i++) {
		fprintf(out, "%s%" PRIu64 " %s", separator,
			report->regions->cost[i], report->events[i].name);
		separator = ", ";
	}
	fputc('\n', out);
}

static void write_head(const struct report *report, FILE *out)
{
	const struct regions *regions = report->regions;
	const char *means = "by instructions";

	if (regions->by_calls)
		means = regions->by_calls == regions->threads ?
				"by system calls" :
				"some by system calls";
	fprintf(out, " counted: regions of %u %s in %u %s, read %s\n",
		regions->threads - regions->uncounted,
		plural(regions->threads - regions->uncounted, "thread",
		       "threads"),
		regions->processes,
		plural(regions->processes, "process", "processes"), means);
	write_losses(regions, out);
	write_costs(report, out);
}

/* "" for all; a process or thread with its program. */
static const char *who(const struct region_row *row, char text[64])
{
	char comm[32];

	*text = '\0';
	if (row->pid)
		snprintf(text, 64, "%s-%u",
			 plain(row->comm, comm, sizeof(comm)),
			 row->tid ? row->tid : row->pid);
	return text;
}

static void write_row(const struct report *report, const struct region_row *row,
		      const struct report_style *style, FILE *out)
{
	char name[64], number[CELL_NUMBER];

	for (int i = 0; i < report->event_count; i++) {
		fprintf(out, "%-23s %-*s%9" PRIu64 " %13.6f %18s %s\n",
			row->name, row->pid ? 22 : 0, who(row, name),
			row->entries, (double)row->time_ns / 1e9,
			row->counted ? cell_number(row->counts[i],
						   style->digits, number) :
				       "<not counted>",
			report->events[i].name);
	}
}

void report_regions_text(const struct report *report,
			 const struct report_style *style, FILE *out)
{
	const struct regions *regions = report->regions;
	bool rows = regions->count && regions->rows->pid;

	write_head(report, out);
	fprintf(out, "%-23s %-*s%9s %13s %18s %s\n", "REGION", rows ? 22 : 0,
		rows ? "WHO" : "", "ENTRIES", "SECONDS", "COUNT", "EVENT");
	for (size_t i = 0; i < regions->count; i++)
		write_row(report, &regions->rows[i], style, out);
	fprintf(out, "%13.6f s elapsed%13.6f s user%13.6f s sys\n",
		(double)report->elapsed_ns / 1e9, (double)report->user_ns / 1e9,
		(double)report->sys_ns / 1e9);
}

void report_regions_csv(const struct report *report,
			const struct report_style *style, FILE *out)
{
	const struct regions *regions = report->regions;

	if (style->first)
		fputs("region,event,level,count,pid,tid,comm,threads,entries,"
		      "time_ns,native,cost\n",
		      out);
	for (size_t i = 0; i < regions->count; i++) {
		const struct region_row *row = &regions->rows[i];

		for (int e = 0; e < report->event_count; e++) {
			const struct report_event *event = &report->events[e];

			cell_quoted(row->name, ",", out);
			fputc(',', out);
			cell_quoted(event->name, ",", out);
			fprintf(out, ",%s,", event->level);
			if (row->counted)
				fprintf(out, "%" PRIu64, row->counts[e]);
			fprintf(out, ",%u,%u,", row->pid, row->tid);
			cell_quoted(row->comm, ",", out);
			fprintf(out, ",%u,%" PRIu64 ",%" PRIu64 ",",
				row->threads, row->entries, row->time_ns);
			cell_quoted(event->native, ",", out);
			fprintf(out, ",%" PRIu64 "\n", regions->cost[e]);
		}
	}
}

#define ADD(object, key, value) json_object_object_add(object, key, value)

/* null: not all of its threads were counted. */
static struct json_object *json_event(const struct report *report,
				      const struct region_row *row, int i)
{
	const struct report_event *event = &report->events[i];
	struct json_object *object = json_object_new_object();

	ADD(object, "event", json_text(event->name));
	ADD(object, "level", json_text(event->level));
	ADD(object, "count",
	    row->counted ? json_object_new_uint64(row->counts[i]) : NULL);
	ADD(object, "native", json_text(event->native));
	ADD(object, "cost", json_object_new_uint64(report->regions->cost[i]));
	return object;
}

static struct json_object *json_row(const struct report *report,
				    const struct region_row *row)
{
	struct json_object *object = json_object_new_object();
	struct json_object *events = json_object_new_array();

	ADD(object, "region", json_text(row->name));
	if (row->pid)
		ADD(object, "pid", json_object_new_int64(row->pid));
	if (row->tid)
		ADD(object, "tid", json_object_new_int64(row->tid));
	ADD(object, "comm", json_text(row->comm));
	ADD(object, "threads", json_object_new_int64(row->threads));
	ADD(object, "entries", json_object_new_uint64(row->entries));
	ADD(object, "time_ns", json_object_new_uint64(row->time_ns));
	for (int i = 0; i < report->event_count; i++)
		json_object_array_add(events, json_event(report, row, i));
	ADD(object, "events", events);
	return object;
}

void report_regions_json(const struct report *report, struct json_object *root)
{
	const struct regions *regions = report->regions;
	struct json_object *marks = json_object_new_object();
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < regions->count; i++)
		json_object_array_add(array,
				      json_row(report, &regions->rows[i]));
	ADD(root, "regions", array);
	ADD(marks, "processes", json_object_new_int64(regions->processes));
	ADD(marks, "threads", json_object_new_int64(regions->threads));
	ADD(marks, "by_calls", json_object_new_int64(regions->by_calls));
	ADD(marks, "uncounted", json_object_new_int64(regions->uncounted));
	ADD(marks, "unmatched", json_object_new_uint64(regions->unmatched));
	ADD(marks, "open", json_object_new_int64(regions->open));
	ADD(marks, "broken", json_object_new_boolean(regions->broken));
	ADD(root, "marks", marks);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfmon export perfdata: a file as of perf record, which perf report, perf annotate
 * and other tools read. It has neither the values of other counters nor blind times.
 */
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "export/formats.h"
#include "export/perf_records.h"

#define FEATURE_EVENT_DESC 12
#define FEATURE_BRANCH_STACK 15
#define FEATURE_WORDS 4

struct section {
	uint64_t offset, size;
};

struct file_header {
	char magic[8];
	uint64_t size, attr_size;
	struct section attrs, data, types;
	uint64_t features[FEATURE_WORDS];
};

struct file_attr {
	struct perf_event_attr attr;
	struct section ids;
};

/* What perf knows by these names. */
static void choose_event(const struct profile_event *event, unsigned int index,
			 struct perf_event_attr *attr)
{
	size_t length = strcspn(event->name, ":");

	attr->type = PERF_TYPE_HARDWARE;
	if (length == 12 && !strncmp(event->name, "instructions", length)) {
		attr->config = PERF_COUNT_HW_INSTRUCTIONS;
	} else if (length == 6 && !strncmp(event->name, "cycles", length)) {
		attr->config = PERF_COUNT_HW_CPU_CYCLES;
	} else {
		attr->type = PERF_TYPE_RAW;
		attr->config = index;
	}
}

static struct file_attr attr_of(const struct profile *profile,
				unsigned int index)
{
	const struct profile_event *event = &profile->events[index];
	struct file_attr row = { 0 };

	row.attr.size = sizeof(row.attr);
	row.attr.sample_type = PERF_RECORDS_SAMPLE_TYPE;
	if (profile->ip_count)
		row.attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
	if (profile->has_memory)
		row.attr.sample_type |= PERF_RECORDS_MEMORY_TYPE;
	if (profile->has_branches) {
		row.attr.sample_type |= PERF_SAMPLE_BRANCH_STACK;
		row.attr.branch_sample_type = PERF_SAMPLE_BRANCH_ANY |
					      PERF_SAMPLE_BRANCH_USER |
					      PERF_SAMPLE_BRANCH_KERNEL;
	}
	row.attr.sample_period = event->period;
	row.attr.sample_id_all = 1;
	row.attr.exclude_kernel = !strcmp(event->level, "user");
	row.attr.exclude_user = !strcmp(event->level, "kernel");
	row.attr.exclude_hv = 1;
	if (event->precise)
		row.attr.precise_ip = 2;
	row.attr.comm = row.attr.comm_exec = row.attr.task = !index;
	row.attr.mmap = row.attr.mmap2 = row.attr.build_id = !index;
	choose_event(event, index, &row.attr);
	return row;
}

/* The names of events: each with its numbers, as perf's feature has them. */
static void print_names(const struct profile *profile, FILE *out)
{
	const uint32_t count = profile->event_count;
	const uint32_t size = sizeof(struct perf_event_attr);

	fwrite(&count, sizeof(count), 1, out);
	fwrite(&size, sizeof(size), 1, out);
	for (unsigned int i = 0; i < count; i++) {
		const struct file_attr row = attr_of(profile, i);
		const char *name = profile->events[i].name;
		const uint32_t ids = 1;
		const uint32_t room = (uint32_t)(strlen(name) / 64 + 1) * 64;
		const uint64_t id = PERF_RECORDS_ID(i);

		fwrite(&row.attr, sizeof(row.attr), 1, out);
		fwrite(&ids, sizeof(ids), 1, out);
		fwrite(&room, sizeof(room), 1, out);
		fwrite(name, 1, strlen(name), out);
		for (size_t pad = strlen(name); pad < room; pad++)
			fputc(0, out);
		fwrite(&id, sizeof(id), 1, out);
	}
}

/* Tasks and mappings in the order of the file, then samples in that of time. */
static int print_records(struct view *view, FILE *out)
{
	const struct profile *profile = &view->profile;
	const struct profile_sample *sample;
	const struct place *place;
	size_t task = 0, map = 0;
	int ret;

	while (task < profile->task_count || map < profile->map_count) {
		if (map == profile->map_count ||
		    (task < profile->task_count &&
		     profile->tasks[task].order < profile->maps[map].order))
			perf_record_task(profile, &profile->tasks[task++], out);
		else
			perf_record_map(profile, &profile->maps[map++], out);
	}
	if (view_rewind(view))
		return -1;
	while ((ret = view_next(view, &sample, &place)) > 0) {
		struct profile_sample trusted = *sample;
		unsigned int depth = functions_depth(view->functions, sample);

		if (!depth)
			return -1;
		if (trusted.frames)
			trusted.frames = (uint16_t)depth;
		perf_record_sample(profile, &trusted, out);
	}
	return ret;
}

static void print_file(const struct profile *profile, const char *data,
		       size_t data_size, const char *names, size_t names_size,
		       FILE *out)
{
	const uint64_t count = profile->event_count;
	struct file_header header = { .magic = "PERFILE2" };
	/* The second one is of branches, and empty. */
	struct section sections[2] = { 0 };
	const size_t described =
		(profile->has_branches ? 2 : 1) * sizeof(sections[0]);

	header.size = sizeof(header);
	header.attr_size = sizeof(struct file_attr);
	header.attrs.offset = sizeof(header) + count * sizeof(uint64_t);
	header.attrs.size = count * sizeof(struct file_attr);
	header.data.offset = header.attrs.offset + header.attrs.size;
	header.data.size = data_size;
	header.features[0] = 1ULL << FEATURE_EVENT_DESC;
	if (profile->has_branches)
		header.features[0] |= 1ULL << FEATURE_BRANCH_STACK;
	sections[0].offset = header.data.offset + data_size + described;
	sections[0].size = names_size;
	sections[1].offset = sections[0].offset + names_size;

	fwrite(&header, sizeof(header), 1, out);
	for (unsigned int i = 0; i < count; i++) {
		const uint64_t id = PERF_RECORDS_ID(i);

		fwrite(&id, sizeof(id), 1, out);
	}
	for (unsigned int i = 0; i < count; i++) {
		struct file_attr row = attr_of(profile, i);

		row.ids.offset = sizeof(header) + i * sizeof(uint64_t);
		row.ids.size = sizeof(uint64_t);
		fwrite(&row, sizeof(row), 1, out);
	}
	fwrite(data, 1, data_size, out);
	fwrite(sections, 1, described, out);
	fwrite(names, 1, names_size, out);
}

int export_perfdata(struct view *view)
{
	char *data = NULL, *name = NULL;
	size_t data_size = 0, name_size = 0;
	FILE *records = open_memstream(&data, &data_size);
	FILE *names = open_memstream(&name, &name_size);
	int ret = -1;

	if (!records || !names) {
		diag("no memory for the records");
	} else {
		print_names(&view->profile, names);
		ret = print_records(view, records);
		if (fflush(records) || fflush(names))
			ret = diag("no memory for the records");
	}
	if (!ret)
		print_file(&view->profile, data, data_size, name, name_size,
			   view->output.stream);
	if (records)
		fclose(records);
	if (names)
		fclose(names);
	free(data);
	free(name);
	return ret;
}

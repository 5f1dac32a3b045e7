// SPDX-License-Identifier: GPL-2.0-only
/*
 * What processes have counted in their regions, see regions.h. The records come from
 * programs: nothing in them is believed.
 */
#include "regions/regions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "diag.h"

/* What is left of a record. */
struct bytes {
	const char *at;
	size_t left;
};

/* Copies the next ones. False if there are not so many. */
static bool take(struct bytes *bytes, void *to, size_t size)
{
	if (bytes->left < size)
		return false;
	memcpy(to, bytes->at, size);
	bytes->at += size;
	bytes->left -= size;
	return true;
}

static char *take_name(struct bytes *bytes, uint32_t length)
{
	size_t padded = MARK_PADDED((size_t)length);
	char *name;

	if (length >= MARK_NAME_MAX || bytes->left < padded)
		return NULL;
	name = strndup(bytes->at, length);
	bytes->at += padded;
	bytes->left -= padded;
	return name;
}

static struct region_row *add_row(struct regions *regions)
{
	size_t count = regions->count;
	struct region_row *rows = regions->rows;

	/* A power of two: there is no more room. */
	if (!(count & (count - 1))) {
		rows = realloc(rows, (count ? count * 2 : 1) * sizeof(*rows));
		if (!rows)
			return NULL;
		regions->rows = rows;
	}
	regions->count++;
	memset(&rows[count], 0, sizeof(*rows));
	return &rows[count];
}

/* A mark costs what an empty region has; a count is never below none. */
static uint64_t without_marks(uint64_t count, uint64_t marks, uint64_t cost)
{
	uint64_t all;

	if (__builtin_mul_overflow(marks, cost, &all) || all > count)
		return 0;
	return count - all;
}

/* False: not as they are written, or no memory. */
static bool take_region(struct regions *regions, struct bytes *bytes,
			const struct mark_process *process,
			const struct mark_thread *thread, const int *place,
			int event_count)
{
	struct region_row *row;
	struct mark_region words;
	char *name;

	if (!take(bytes, &words, sizeof(words)))
		return false;
	name = take_name(bytes, words.name_length);
	row = name ? add_row(regions) : NULL;
	if (!row) {
		free(name);
		return false;
	}
	*row = (struct region_row){
		.name = name,
		.pid = process->pid,
		.tid = thread->tid,
		.threads = 1,
		.counted = thread->means != MARK_UNCOUNTED,
		.entries = words.entries,
		.time_ns = words.time_ns,
	};
	memcpy(row->comm, process->comm, sizeof(process->comm));
	for (int i = 0; i < event_count; i++)
		row->counts[place[i]] = without_marks(
			words.counts[i], words.marks, thread->cost[i]);
	regions->open += words.open != 0;
	return true;
}

static void take_costs(struct regions *regions,
		       const struct mark_thread *thread, const int *place,
		       int event_count)
{
	for (int i = 0; i < event_count; i++) {
		if (thread->cost[i] > regions->cost[place[i]])
			regions->cost[place[i]] = thread->cost[i];
	}
}

static bool take_thread(struct regions *regions, struct bytes *bytes,
			const struct mark_process *process, const int *place,
			int event_count)
{
	struct mark_thread thread;

	if (!take(bytes, &thread, sizeof(thread)) || thread.means >= MARK_MEANS)
		return false;
	regions->threads++;
	regions->by_calls += thread.means == MARK_BY_CALLS;
	if (thread.means == MARK_UNCOUNTED) {
		regions->uncounted++;
		regions->why = (int)thread.why;
	}
	take_costs(regions, &thread, place, event_count);
	for (uint32_t i = 0; i < thread.regions; i++) {
		if (!take_region(regions, bytes, process, &thread, place,
				 event_count))
			return false;
	}
	return true;
}

static bool take_process(struct regions *regions, struct bytes *bytes,
			 const int *place, int event_count)
{
	struct mark_process process;
	struct bytes own = *bytes;

	if (!take(&own, &process, sizeof(process)) ||
	    process.magic != MARK_PROCESS_MAGIC ||
	    process.length < sizeof(process) || process.length > bytes->left)
		return false;
	own.left = (size_t)process.length - sizeof(process);
	bytes->at += process.length;
	bytes->left -= (size_t)process.length;
	regions->processes++;
	regions->unmatched += process.unmatched;
	for (uint32_t i = 0; i < process.threads; i++) {
		if (!take_thread(regions, &own, &process, place, event_count))
			return false;
	}
	return !own.left;
}

static enum regions_grouping order_by;

static int compare(const void *a, const void *b)
{
	const struct region_row *one = a, *other = b;
	int order = strcmp(one->name, other->name);

	if (order || order_by == REGIONS_ALL)
		return order;
	if (one->pid != other->pid)
		return one->pid < other->pid ? -1 : 1;
	if (order_by == REGIONS_PROCESSES || one->tid == other->tid)
		return 0;
	return one->tid < other->tid ? -1 : 1;
}

static void add(struct region_row *sum, struct region_row *row)
{
	sum->threads += row->threads;
	sum->counted &= row->counted;
	sum->entries += row->entries;
	sum->time_ns += row->time_ns;
	for (int i = 0; i < MARK_EVENTS_MAX; i++)
		sum->counts[i] += row->counts[i];
	if (strcmp(sum->comm, row->comm) != 0)
		sum->comm[0] = '\0';
	free(row->name);
}

/* Rows of the same region become one. */
static void put_together(struct regions *regions,
			 enum regions_grouping grouping)
{
	struct region_row *rows = regions->rows;
	size_t kept = 0;

	order_by = grouping;
	if (regions->count)
		qsort(rows, regions->count, sizeof(*rows), compare);
	for (size_t i = 0; i < regions->count; i++) {
		if (kept && !compare(&rows[kept - 1], &rows[i]))
			add(&rows[kept - 1], &rows[i]);
		else
			rows[kept++] = rows[i];
	}
	regions->count = kept;
	for (size_t i = 0; i < kept; i++) {
		if (grouping == REGIONS_ALL)
			rows[i].pid = 0;
		if (grouping != REGIONS_THREADS)
			rows[i].tid = 0;
	}
}

/* All of the file behind the setup, to be freed. NULL with errno. */
static char *read_records(int fd, size_t *size)
{
	const off_t begin = sizeof(struct mark_setup);
	struct stat status;
	char *records;
	ssize_t done;

	if (fstat(fd, &status))
		return NULL;
	*size = status.st_size > begin ? (size_t)(status.st_size - begin) : 0;
	records = malloc(*size + 1);
	if (!records)
		return NULL;
	done = pread(fd, records, *size, begin);
	if (done < 0) {
		free(records);
		return NULL;
	}
	*size = (size_t)done;
	return records;
}

int regions_read(struct regions *regions, int fd,
		 enum regions_grouping grouping, const int *place,
		 int event_count)
{
	struct bytes bytes;
	char *records;

	*regions = (struct regions){ 0 };
	records = read_records(fd, &bytes.left);
	if (!records)
		return diag("-m: cannot read the regions: %s", strerror(errno));
	bytes.at = records;
	while (bytes.left && !regions->broken)
		regions->broken =
			!take_process(regions, &bytes, place, event_count);
	free(records);
	put_together(regions, grouping);
	return 0;
}

void regions_free(struct regions *regions)
{
	for (size_t i = 0; i < regions->count; i++)
		free(regions->rows[i].name);
	free(regions->rows);
	*regions = (struct regions){ 0 };
}

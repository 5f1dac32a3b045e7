// SPDX-License-Identifier: GPL-2.0-only
/* Results of many files, see gather.h. */
#include "results/gather.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"

/* -1: none. */
static long rank_of(const struct results *file)
{
	return file->list[0].rank ? strtol(file->list[0].rank, NULL, 10) : -1;
}

/* By rank, then by host, then by name. */
static int compare_files(const void *one, const void *other)
{
	const struct results *a = one, *b = other;
	long first = rank_of(a), second = rank_of(b);
	int hosts;

	if (first != second)
		return first < second ? -1 : 1;
	hosts = strcmp(a->list[0].host, b->list[0].host);
	return hosts ? hosts : strcmp(a->file, b->file);
}

/* The event of a run, NULL: the run does not count, or has not seen it. */
static const struct result_event *seen_in(const struct results *file, int run,
					  const struct result_event *like)
{
	const struct result_event *event = result_find(&file->list[run], like);

	return event && event->seen && results_count(file, &file->list[run]) ?
		       event :
		       NULL;
}

/* Of several runs of a part the mean, as far as they have the event. */
static bool value_of(const struct results *file,
		     const struct result_event *like, uint64_t *value,
		     bool *estimated)
{
	uint64_t whole = 0, rest = 0, runs = 0;

	for (int i = 0; i < file->count; i++)
		runs += seen_in(file, i, like) != NULL;
	for (int i = 0; i < file->count; i++) {
		const struct result_event *event = seen_in(file, i, like);

		if (!event)
			continue;
		/* The sum may be above 64 bits. */
		whole += event->value / runs;
		rest += event->value % runs;
		*estimated |= !event->bounded || event->low != event->high;
	}
	if (runs)
		*value = whole + (rest + runs / 2) / runs;
	return runs;
}

static void add_part(struct gathered_event *event, uint64_t value,
		     const char *part)
{
	if (!event->parts || value < event->min) {
		event->min = value;
		event->min_part = part;
	}
	if (!event->parts || value > event->max) {
		event->max = value;
		event->max_part = part;
	}
	event->parts++;
	event->sum = event->sum + value < value ? UINT64_MAX :
						  event->sum + value;
	event->mean += ((double)value - event->mean) / event->parts;
}

static void gather_event(const struct gathered *gathered,
			 struct gathered_event *event)
{
	for (int i = 0; i < gathered->count; i++) {
		uint64_t value;

		if (value_of(&gathered->files[i], event->event, &value,
			     &event->estimated))
			add_part(event, value, gathered->names[i]);
	}
	if (event->mean > 0)
		event->imbalance = (double)event->max / event->mean;
}

static bool has_event(const struct gathered *gathered,
		      const struct result_event *like)
{
	for (int i = 0; i < gathered->event_count; i++) {
		const struct result_event *event = gathered->events[i].event;

		if (!strcmp(event->name, like->name) &&
		    !strcmp(event->level, like->level))
			return true;
	}
	return false;
}

static int add_event(struct gathered *gathered,
		     const struct result_event *event)
{
	struct gathered_event *grown;

	if (has_event(gathered, event))
		return 0;
	grown = reallocarray(gathered->events,
			     (size_t)gathered->event_count + 1, sizeof(*grown));
	if (!grown)
		return diag("out of memory");
	gathered->events = grown;
	grown[gathered->event_count] = (struct gathered_event){
		.event = event,
	};
	gather_event(gathered, &grown[gathered->event_count++]);
	return 0;
}

/* Several files of a host are told apart by their names. */
static bool is_of_one_host(const struct gathered *gathered, const char *host)
{
	int files = 0;

	for (int i = 0; i < gathered->count; i++)
		files += !strcmp(gathered->files[i].list[0].host, host);
	return files > 1;
}

static void name_part(const struct gathered *gathered, int part)
{
	const struct results *file = &gathered->files[part];
	const struct result *first = &file->list[0];
	char *name = gathered->names[part];

	if (first->rank)
		snprintf(name, 64, "rank %.19s", first->rank);
	else if (*first->host && !is_of_one_host(gathered, first->host))
		snprintf(name, 64, "%.63s", first->host);
	else
		snprintf(name, 64, "%.63s", file->file);
}

/* Two files of a rank are a mistake: its counts would be in the sum twice. */
static int check_ranks(const struct gathered *gathered)
{
	for (int i = 1; i < gathered->count; i++) {
		const struct results *before = &gathered->files[i - 1];
		const struct results *file = &gathered->files[i];

		if (rank_of(file) >= 0 && rank_of(file) == rank_of(before))
			return diag("%s: of rank %ld, as %s; give one of them",
				    file->file, rank_of(file), before->file);
	}
	return 0;
}

int gather_results(struct gathered *gathered, struct results *files, int count)
{
	*gathered = (struct gathered){ .files = files,
				       .count = count,
				       .exact = true };
	qsort(files, (size_t)count, sizeof(*files), compare_files);
	gathered->names = calloc((size_t)count + 1, sizeof(*gathered->names));
	if (!gathered->names)
		return diag("out of memory");
	if (check_ranks(gathered))
		return -1;
	for (int i = 0; i < count; i++) {
		name_part(gathered, i);
		for (int j = 0; j < files[i].count; j++)
			gathered->exact &= files[i].list[j].exact;
		if (files[i].list[0].ranks > gathered->ranks)
			gathered->ranks = files[i].list[0].ranks;
	}
	for (int i = 0; i < count; i++) {
		for (int j = 0; j < files[i].list[0].event_count; j++) {
			if (add_event(gathered, &files[i].list[0].events[j]))
				return -1;
		}
	}
	return 0;
}

int gather_read(struct gathered *gathered, char *const names[], int count)
{
	struct results *files = calloc((size_t)count + 1, sizeof(*files));
	int read = 0, ret = 0;

	*gathered = (struct gathered){ .files = files };
	if (!files)
		return diag("out of memory");
	while (!ret && read < count)
		ret = results_read(&files[read], names[read]), read++;
	gathered->count = read;
	return ret ? -1 : gather_results(gathered, files, count);
}

void gather_free(struct gathered *gathered)
{
	for (int i = 0; i < gathered->count; i++)
		results_free(&gathered->files[i]);
	free(gathered->files);
	free(gathered->events);
	free(gathered->names);
	*gathered = (struct gathered){ .files = NULL };
}

/* Those from first to before end. Returns how much was written. */
static size_t add_missing(char *text, size_t used, size_t size, long first,
			  long end)
{
	if (first >= end || used >= size)
		return used;
	used += (size_t)snprintf(text + used, size - used, "%s%ld",
				 used ? "," : "", first);
	if (end - first > 1 && used < size)
		used += (size_t)snprintf(text + used, size - used, "-%ld",
					 end - 1);
	return used;
}

/* The files are sorted; without a number of ranks, the last is the highest. */
char *gather_missing(const struct gathered *gathered, char *text, size_t size)
{
	size_t used = 0;
	long next = 0;

	text[0] = '\0';
	for (int i = 0; i < gathered->count; i++) {
		long rank = rank_of(&gathered->files[i]);

		if (rank < 0)
			continue;
		used = add_missing(text, used, size, next, rank);
		next = rank + 1;
	}
	if (next)
		add_missing(text, used, size, next, (long)gathered->ranks);
	return text;
}

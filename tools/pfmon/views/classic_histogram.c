// SPDX-License-Identifier: GPL-2.0-only
/* The module inst-hist: how many samples each address or function has. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "views/classic.h"

/* The name of a column is not cut. */
#define COUNT_WIDTH 10

struct row {
	const struct place *place;
	uint64_t address;
	uint32_t tgid; /* 0: of all */
	uint64_t *counts; /* of each event */
};

struct histogram {
	const struct view *view;
	const struct classic_wish *wish;
	struct row *rows;
	size_t count;
	uint64_t *counts; /* of all rows */
	uint64_t totals[PFM_MAX_PMDS];
};

/* Where its row has its address. */
static uint64_t address_of(const struct histogram *histogram,
			   const struct classic_hit *hit)
{
	const struct place *place = hit->place;

	if (histogram->wish->per_function && place->function->has_symbol)
		return hit->sample->ip -
		       (place->place - place->function->start);
	return hit->sample->ip;
}

static const struct histogram *sorted;

static unsigned int key_of(const struct place *place)
{
	return sorted->wish->per_function ? place->function->index :
					    place->index;
}

/* By what is in one row, then by address: the row has the lowest one. */
static int compare_keys(const void *one, const void *other)
{
	const struct row *a = one, *b = other;

	if (a->tgid != b->tgid)
		return a->tgid < b->tgid ? -1 : 1;
	if (key_of(a->place) != key_of(b->place))
		return key_of(a->place) < key_of(b->place) ? -1 : 1;
	return a->address < b->address ? -1 : a->address > b->address;
}

/* By samples of the first event, then of the others. */
static int compare_counts(const void *one, const void *other)
{
	const struct row *a = one, *b = other;

	for (unsigned int i = 0; i < sorted->view->profile.event_count; i++) {
		if (a->counts[i] != b->counts[i])
			return a->counts[i] > b->counts[i] ? -1 : 1;
	}
	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return a->tgid < b->tgid ? -1 : a->tgid > b->tgid;
}

/* One row for each sample, and then for each key. */
static int sum(struct histogram *histogram,
	       const struct classic_section *section)
{
	const struct classic_wish *wish = histogram->wish;
	const size_t events = histogram->view->profile.event_count;
	bool any_pid = wish->ignore_pids || (wish->aggregate && !section->cpu);
	size_t last = 0;

	histogram->rows = calloc(section->count + 1, sizeof(struct row));
	histogram->counts =
		calloc(section->count * events + 1, sizeof(uint64_t));
	if (!histogram->rows || !histogram->counts)
		return diag("no memory for the samples");
	for (size_t i = 0; i < section->count; i++) {
		const struct classic_hit *hit = &section->hits[i];
		struct row *row = &histogram->rows[i];

		row->place = hit->place;
		row->address = address_of(histogram, hit);
		row->tgid = any_pid ? 0 : hit->sample->tgid;
		row->counts = histogram->counts + i * events;
		row->counts[hit->sample->event] = 1;
		histogram->totals[hit->sample->event]++;
	}
	sorted = histogram;
	qsort(histogram->rows, section->count, sizeof(struct row),
	      compare_keys);
	for (size_t i = 1; i < section->count; i++) {
		struct row *kept = &histogram->rows[last];
		struct row *row = &histogram->rows[i];

		if (row->tgid != kept->tgid ||
		    key_of(row->place) != key_of(kept->place)) {
			histogram->rows[++last] = *row;
			continue;
		}
		for (size_t event = 0; event < events; event++)
			kept->counts[event] += row->counts[event];
	}
	histogram->count = section->count ? last + 1 : 0;
	qsort(histogram->rows, histogram->count, sizeof(struct row),
	      compare_counts);
	return 0;
}

static int width_of(const struct histogram *histogram)
{
	uint64_t most = 0;
	int width;

	for (size_t i = 0; i < histogram->count; i++) {
		for (unsigned int event = 0;
		     event < histogram->view->profile.event_count; event++) {
			if (histogram->rows[i].counts[event] > most)
				most = histogram->rows[i].counts[event];
		}
	}
	width = snprintf(NULL, 0, "%" PRIu64, most);
	return width > COUNT_WIDTH ? width : COUNT_WIDTH;
}

static void print_names(const struct histogram *histogram, int width, FILE *out)
{
	unsigned int events = histogram->view->profile.event_count;

	fputs("#\n#", out);
	for (unsigned int i = 0; i < events; i++)
		fprintf(out, "%*s%02u ", width + 14, "event", i);
	fputs("\n# ", out);
	for (unsigned int i = 0; i < events; i++)
		fprintf(out, "%*s   %%self    %%cum ", width, "counts");
	fprintf(out, "%18s%s\n", "code addr",
		histogram->wish->resolve ? " symbol" : "");
}

static double percent(uint64_t part, uint64_t all)
{
	return all ? 100.0 * (double)part / (double)all : 0;
}

static void print_row(const struct histogram *histogram, const struct row *row,
		      const uint64_t *sums, int width, FILE *out)
{
	fputs("  ", out);
	for (unsigned int i = 0; i < histogram->view->profile.event_count; i++)
		fprintf(out, "%*" PRIu64 " %6.2f%% %6.2f%% ", width,
			row->counts[i],
			percent(row->counts[i], histogram->totals[i]),
			percent(sums[i], histogram->totals[i]));
	fprintf(out, "0x%016" PRIx64, row->address);
	if (histogram->wish->resolve) {
		fputc(' ', out);
		classic_symbol(row->place, histogram->wish->per_function, out);
	}
	fputc('\n', out);
}

/* Up to the share of the first event that was asked for, and so many rows. */
static void print_rows(const struct histogram *histogram, int width, FILE *out)
{
	const struct classic_wish *wish = histogram->wish;
	size_t rows = wish->top && wish->top < histogram->count ?
			      wish->top :
			      histogram->count;
	uint64_t sums[PFM_MAX_PMDS] = { 0 };

	for (size_t i = 0; i < rows; i++) {
		const struct row *row = &histogram->rows[i];

		for (unsigned int event = 0;
		     event < histogram->view->profile.event_count; event++)
			sums[event] += row->counts[event];
		if (wish->cum_threshold &&
		    percent(sums[0], histogram->totals[0]) >
			    wish->cum_threshold)
			break;
		print_row(histogram, row, sums, width, out);
	}
}

int classic_histogram(const struct view *view, const struct classic_wish *wish,
		      const struct classic_section *section, FILE *out)
{
	struct histogram histogram = { .view = view, .wish = wish };
	int width, ret = sum(&histogram, section);

	if (!ret) {
		width = width_of(&histogram);
		print_names(&histogram, width, out);
		print_rows(&histogram, width, out);
	}
	free(histogram.rows);
	free(histogram.counts);
	return ret;
}

// SPDX-License-Identifier: GPL-2.0-only
/* The branches before samples, see branches.h. */
#include "views/branches.h"

#include <inttypes.h>
#include <search.h>
#include <stdlib.h>

#include "diag.h"
#include "report/plain.h"

#define CYCLES(info) (((info)&PFM_PRECISE_SMPL_BR_CYCLES) >> 16)

/* A line of the table. */
struct pair {
	const struct place *from, *to;
	uint64_t count;
	uint64_t known, mispredicted; /* branches whose prediction is known */
	uint64_t timed, cycles; /* branches whose cycles are */
};

struct table {
	struct pair **rows;
	size_t count;
	void *by_places; /* a tree of search.h */
	uint64_t samples, branches;
};

static int compare_places(const void *one, const void *other)
{
	const struct pair *a = one, *b = other;

	if (a->from->index != b->from->index)
		return a->from->index < b->from->index ? -1 : 1;
	if (a->to->index != b->to->index)
		return a->to->index < b->to->index ? -1 : 1;
	return 0;
}

/* Most often taken first, then by the first time. */
static int compare_rows(const void *one, const void *other)
{
	const struct pair *a = *(struct pair *const *)one;
	const struct pair *b = *(struct pair *const *)other;

	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return compare_places(a, b);
}

static struct pair *add_row(struct table *table, const struct pair *key)
{
	struct pair **grown = reallocarray(table->rows, table->count + 1,
					   sizeof(struct pair *));
	struct pair *pair = malloc(sizeof(*pair));

	if (grown)
		table->rows = grown;
	if (pair)
		*pair = *key;
	if (!grown || !pair ||
	    !tsearch(pair, &table->by_places, compare_places)) {
		free(pair);
		return NULL;
	}
	table->rows[table->count++] = pair;
	return pair;
}

/* An address of a branch, as if the sample had been there. */
static const struct place *place_of(const struct view *view,
				    const struct profile_sample *sample,
				    uint64_t address)
{
	struct profile_sample there = *sample;

	there.ip = address;
	return functions_at(view->functions, &there);
}

static int take_branch(const struct view *view, struct table *table,
		       const struct profile_sample *sample,
		       const struct pfm_precise_smpl_branch *branch)
{
	const uint64_t predicted = PFM_PRECISE_SMPL_BR_PREDICTED |
				   PFM_PRECISE_SMPL_BR_MISPREDICTED;
	struct pair key = { .from = place_of(view, sample, branch->from),
			    .to = place_of(view, sample, branch->to) };
	struct pair **node, *pair;

	if (!key.from || !key.to)
		return -1;
	node = tfind(&key, &table->by_places, compare_places);
	pair = node ? *node : add_row(table, &key);
	if (!pair)
		return diag("no memory for the report");
	pair->count++;
	pair->known += (branch->info & predicted) != 0;
	pair->mispredicted +=
		(branch->info & PFM_PRECISE_SMPL_BR_MISPREDICTED) != 0;
	pair->timed += CYCLES(branch->info) != 0;
	pair->cycles += CYCLES(branch->info);
	table->branches++;
	return 0;
}

static int take_sample(const struct view *view, struct table *table,
		       const struct profile_sample *sample)
{
	const struct pfm_precise_smpl_branch *branches =
		profile_branches(&view->profile, sample);

	table->samples++;
	for (unsigned int i = 0; i < sample->branch_count; i++)
		if (take_branch(view, table, sample, &branches[i]))
			return -1;
	return 0;
}

static void print_place(const struct place *place, FILE *out)
{
	const struct function *function = place->function;

	plain_write(function->name, 0, out);
	if (function->has_symbol)
		fprintf(out, "+0x%" PRIx64, place->place - function->start);
}

static void print_row(const struct table *table, const struct pair *pair,
		      FILE *out)
{
	fprintf(out, "%10" PRIu64 " %7.2f", pair->count,
		100.0 * (double)pair->count / (double)table->branches);
	if (pair->known)
		fprintf(out, " %8.2f",
			100.0 * (double)pair->mispredicted /
				(double)pair->known);
	else
		fprintf(out, " %8s", "-");
	if (pair->timed)
		fprintf(out, " %9.1f  ",
			(double)pair->cycles / (double)pair->timed);
	else
		fprintf(out, " %9s  ", "-");
	print_place(pair->from, out);
	fputs(" -> ", out);
	print_place(pair->to, out);
	if (*pair->from->function->file) {
		fputs("  ", out);
		plain_write(pair->from->function->file, 0, out);
	}
	fputc('\n', out);
}

static void print_table(const struct view *view, unsigned int event,
			struct table *table)
{
	FILE *out = view->output.stream;

	fprintf(out,
		"# %s: %" PRIu64 " samples, %" PRIu64 " branches before them\n",
		view->profile.events[event].name, table->samples,
		table->branches);
	fprintf(out, "%10s %7s %8s %9s  %s\n", "BRANCHES", "SHARE%", "MISPRED%",
		"CYCLES", "FROM -> TO");
	qsort(table->rows, table->count, sizeof(struct pair *), compare_rows);
	for (size_t i = 0; i < table->count; i++)
		print_row(table, table->rows[i], out);
}

static void keep(void *pair)
{
	(void)pair;
}

static void free_table(struct table *table)
{
	tdestroy(table->by_places, keep);
	for (size_t i = 0; i < table->count; i++)
		free(table->rows[i]);
	free(table->rows);
}

static int print_all(struct view *view, struct table *tables)
{
	const struct profile_sample *sample;
	const struct place *unused;
	uint64_t last = UINT64_MAX;
	bool first = true;
	int ret;

	while ((ret = view_next(view, &sample, &unused)) > 0) {
		/* Periods that were over with it have no branches of their own. */
		if (sample->order == last)
			continue;
		last = sample->order;
		if (take_sample(view, &tables[sample->event], sample))
			return -1;
	}
	for (unsigned int i = 0; !ret && i < view->profile.event_count; i++) {
		if (!tables[i].samples)
			continue;
		if (!first)
			fputc('\n', view->output.stream);
		print_table(view, i, &tables[i]);
		first = false;
	}
	if (!ret)
		view_tell_none(view);
	return ret;
}

int branches_report(struct view *view)
{
	unsigned int count = view->profile.event_count;
	struct table *tables;
	int ret;

	if (!view->profile.has_branches)
		return diag(
			"--branches: the samples have no branches; record them with -b");
	tables = calloc(count, sizeof(*tables));
	if (!tables)
		return diag("no memory for the report");
	ret = print_all(view, tables);
	for (unsigned int i = 0; i < count; i++)
		free_table(&tables[i]);
	free(tables);
	return ret;
}

int branches_print(const struct view *view, const struct profile_sample *sample)
{
	const struct pfm_precise_smpl_branch *branches =
		profile_branches(&view->profile, sample);
	FILE *out = view->output.stream;

	for (unsigned int i = 0; i < sample->branch_count; i++) {
		const struct place *from =
			place_of(view, sample, branches[i].from);
		const struct place *to = place_of(view, sample, branches[i].to);

		if (!from || !to)
			return -1;
		fprintf(out, "\tbranch %" PRIx64 " ", branches[i].from);
		print_place(from, out);
		fprintf(out, " -> %" PRIx64 " ", branches[i].to);
		print_place(to, out);
		if (branches[i].info & PFM_PRECISE_SMPL_BR_MISPREDICTED)
			fputs(" mispredicted", out);
		if (CYCLES(branches[i].info))
			fprintf(out, " cycles %" PRIu64,
				(uint64_t)CYCLES(branches[i].info));
		fputc('\n', out);
	}
	return 0;
}

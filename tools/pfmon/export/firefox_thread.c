// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread of a profile of the Firefox Profiler, see firefox_thread.h. Its tables are
 * columns. A function has one frame and one stack, so one number is all of them;
 * strings are names of functions, then those of their files.
 */
#include "export/firefox_thread.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "export/markup.h"

struct table {
	const struct function **functions; /* by number */
	size_t *numbers; /* by index of functions, SIZE_MAX: none yet */
	size_t count;
};

static int fill(struct table *table, const struct view *view,
		const struct firefox_sample *samples, size_t count)
{
	size_t all = functions_count(view->functions);

	table->functions = calloc(all + 1, sizeof(*table->functions));
	table->numbers = calloc(all + 1, sizeof(*table->numbers));
	if (!table->functions || !table->numbers)
		return diag("no memory for the functions");
	memset(table->numbers, 0xff, (all + 1) * sizeof(*table->numbers));
	for (size_t i = 0; i < count; i++) {
		const struct function *function = samples[i].place->function;

		if (table->numbers[function->index] != SIZE_MAX)
			continue;
		table->numbers[function->index] = table->count;
		table->functions[table->count++] = function;
	}
	return 0;
}

/* A column that has one value for all. */
static void same(const char *name, const char *value, size_t count, FILE *out)
{
	fprintf(out, ",\"%s\":[", name);
	for (size_t i = 0; i < count; i++)
		fprintf(out, "%s%s", i ? "," : "", value);
	fputc(']', out);
}

/* A column of 0, 1, 2... or of what they are behind. */
static void counted(const char *name, size_t first, size_t count, FILE *out)
{
	fprintf(out, ",\"%s\":[", name);
	for (size_t i = 0; i < count; i++)
		fprintf(out, "%s%zu", i ? "," : "", first + i);
	fputc(']', out);
}

static void categories(const struct table *table, FILE *out)
{
	fputs(",\"category\":[", out);
	for (size_t i = 0; i < table->count; i++)
		fprintf(out, "%s%d", i ? "," : "", table->functions[i]->kernel);
	fputc(']', out);
	same("subcategory", "0", table->count, out);
}

static void print_samples(const struct table *table,
			  const struct firefox_sample *samples, size_t count,
			  FILE *out)
{
	fprintf(out, ",\"samples\":{\"length\":%zu,\"weightType\":\"samples\"",
		count);
	fputs(",\"stack\":[", out);
	for (size_t i = 0; i < count; i++)
		fprintf(out, "%s%zu", i ? "," : "",
			table->numbers[samples[i].place->function->index]);
	fputs("],\"time\":[", out);
	/* Milliseconds. */
	for (size_t i = 0; i < count; i++)
		fprintf(out, "%s%" PRIu64 ".%06" PRIu64, i ? "," : "",
			samples[i].sample->time / 1000000,
			samples[i].sample->time % 1000000);
	fputc(']', out);
	same("weight", "1", count, out);
	fputc('}', out);
}

static void print_tables(const struct table *table, FILE *out)
{
	size_t count = table->count;

	fprintf(out, ",\"stackTable\":{\"length\":%zu", count);
	same("prefix", "null", count, out);
	counted("frame", 0, count, out);
	categories(table, out);
	fprintf(out, "},\"frameTable\":{\"length\":%zu", count);
	same("address", "-1", count, out);
	same("inlineDepth", "0", count, out);
	categories(table, out);
	counted("func", 0, count, out);
	same("nativeSymbol", "null", count, out);
	same("innerWindowID", "0", count, out);
	same("implementation", "null", count, out);
	same("line", "null", count, out);
	same("column", "null", count, out);
	fprintf(out, "},\"funcTable\":{\"length\":%zu", count);
	counted("name", 0, count, out);
	same("isJS", "false", count, out);
	same("relevantForJS", "false", count, out);
	same("resource", "-1", count, out);
	counted("fileName", count, count, out);
	same("lineNumber", "null", count, out);
	same("columnNumber", "null", count, out);
	fputs("},\"resourceTable\":{\"length\":0,\"lib\":[],\"name\":[],\"host\":[],"
	      "\"type\":[]},\"nativeSymbols\":{\"length\":0,\"libIndex\":[],"
	      "\"address\":[],\"name\":[],\"functionSize\":[]},\"markers\":{\"length\":0,"
	      "\"category\":[],\"data\":[],\"endTime\":[],\"name\":[],\"phase\":[],"
	      "\"startTime\":[]},\"stringArray\":[",
	      out);
	for (size_t i = 0; i < 2 * count; i++) {
		const struct function *function = table->functions[i % count];

		if (i)
			fputc(',', out);
		markup_json(i < count ? function->name : function->file, out);
	}
	fputc(']', out);
}

int firefox_thread(const struct view *view,
		   const struct firefox_sample *samples, size_t count,
		   FILE *out)
{
	const struct profile_sample *first = samples[0].sample;
	struct table table = { 0 };
	int ret = fill(&table, view, samples, count);

	if (!ret) {
		fputs("{\"processType\":\"default\",\"processStartupTime\":0,"
		      "\"processShutdownTime\":null,\"unregisterTime\":null,"
		      "\"pausedRanges\":[],\"showMarkersInTimeline\":false,\"name\":",
		      out);
		markup_json(functions_comm(view->functions, first), out);
		fprintf(out,
			",\"isMainThread\":%s,\"pid\":\"%" PRIu32
			"\",\"tid\":%" PRIu32 ",\"registerTime\":%" PRIu64
			".%06" PRIu64,
			first->tid == first->tgid ? "true" : "false",
			first->tgid, first->tid, first->time / 1000000,
			first->time % 1000000);
		print_samples(&table, samples, count, out);
		print_tables(&table, out);
		fputc('}', out);
	}
	free(table.functions);
	free(table.numbers);
	return ret;
}

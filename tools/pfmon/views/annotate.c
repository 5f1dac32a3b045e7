// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfmon annotate: functions by instruction and source line. The samples of a function
 * are all in its lines: one that is in the middle of an instruction is in its line.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"
#include "report/plain.h"
#include "views/code.h"
#include "views/rows.h"
#include "views/source.h"
#include "views/verbs.h"

static void usage(FILE *out)
{
	fputs("usage: pfmon annotate [OPTION...] [FILE] [SYMBOL]\n"
	      "\n"
	      "Shows the instructions of SYMBOL, or of all functions with samples, with the\n"
	      "samples of each and its share, and source lines where DWARF tells them. A\n"
	      "sample has the address that was interrupted: it is behind the instruction that\n"
	      "was counted last. A precise sample has the address of its own instruction.\n"
	      "\n",
	      out);
	fputs(view_usage, out);
}

static void print_source(struct source *source, struct elf_file *elf,
			 uint64_t place, int *last, FILE *out)
{
	const char *path, *base;
	int line;

	if (!elf || !elf_file_line(elf, place, &path, &line) || line == *last)
		return;
	*last = line;
	base = strrchr(path, '/');
	fprintf(out, "%18s  %s:%d  %s\n", "", base ? base + 1 : path, line,
		source_line(source, path, line));
}

static void print_row(uint64_t samples, uint64_t all, uint64_t address,
		      const char *text, FILE *out)
{
	if (samples)
		fprintf(out, "%10" PRIu64 " %7.2f", samples,
			100.0 * (double)samples / (double)all);
	else
		fprintf(out, "%18s", "");
	fprintf(out, "  %8" PRIx64 "  %s\n", address, text);
}

/* Samples of the function from a place on, of so many bytes. */
static uint64_t samples_at(const struct rows *rows,
			   const struct function *function, uint64_t place,
			   uint64_t size)
{
	uint64_t samples = 0;

	for (size_t i = 0; i < rows->count; i++) {
		const struct row *row = &rows->rows[i];

		if (row->function == function && row->place->place >= place &&
		    row->place->place - place < size)
			samples += row->samples;
	}
	return samples;
}

/* Without the file there are addresses alone, in their order. */
static void print_places(const struct rows *rows,
			 const struct function *function, uint64_t all,
			 FILE *out)
{
	uint64_t from = 0;

	for (;;) {
		const struct row *next = NULL;

		for (size_t i = 0; i < rows->count; i++) {
			const struct row *row = &rows->rows[i];

			if (row->function == function &&
			    row->place->place >= from &&
			    (!next || row->place->place < next->place->place))
				next = row;
		}
		if (!next)
			return;
		print_row(next->samples, all, next->place->ip, "", out);
		from = next->place->place + 1;
	}
}

static int print_function(const struct view *view, const struct rows *rows,
			  const struct row *sum, struct source *source)
{
	const struct function *function = sum->function;
	const struct image *image = function->image;
	FILE *out = view->output.stream;
	uint64_t left = sum->samples;
	struct code code;
	int last = 0;
	int ret = code_read(&code, function);

	if (ret)
		return ret;
	fputs("# ", out);
	plain_write(function->name, 0, out);
	fputs(" in ", out);
	plain_write(*function->file ? function->file : "-", 0, out);
	fprintf(out, ": %" PRIu64 " samples\n", sum->samples);
	fprintf(out, "%10s %7s  %8s  %s\n", "SAMPLES", "SELF%", "ADDRESS",
		"INSTRUCTION");
	if (!code.count)
		print_places(rows, function, sum->samples, out);
	for (size_t i = 0; i < code.count; i++) {
		const struct instruction *row = &code.rows[i];
		uint64_t samples =
			samples_at(rows, function, row->place, row->size);

		left -= samples;
		print_source(source, image->elf, row->place, &last, out);
		print_row(samples, sum->samples, row->address, row->text, out);
	}
	if (code.count && left)
		fprintf(out, "%10" PRIu64 "  behind what could be read\n",
			left);
	code_free(&code);
	return 0;
}

/* What a line with samples says of its instruction. */
static const char *exactness(const struct profile_event *event)
{
	if (!event->precise)
		return "";
	if (event->has_next)
		return ", precise: behind the instructions that were sampled";
	return event->inexact ?
		       ", precise but for some: the instructions that were sampled" :
		       ", precise: the instructions that were sampled";
}

static int print_event(struct view *view, unsigned int event,
		       const struct rows *functions, const struct rows *places,
		       const char *symbol, size_t *printed)
{
	struct source source = { 0 };
	int ret = 0;

	for (size_t i = 0; !ret && i < functions->count; i++) {
		const struct row *row = &functions->rows[i];

		if (symbol ? !function_is_named(row->function, symbol) :
			     !row->function->has_symbol)
			continue;
		if ((*printed)++)
			fputc('\n', view->output.stream);
		fprintf(view->output.stream, "# %s%s\n",
			view->profile.events[event].name,
			exactness(&view->profile.events[event]));
		ret = print_function(view, places, row, &source);
	}
	source_free(&source);
	return ret;
}
static int print_all(struct view *view, const char *symbol)
{
	struct rows *functions = rows_sum(view, ROWS_FUNCTION);
	struct rows *places = functions ? rows_sum(view, ROWS_PLACE) : NULL;
	size_t printed = 0;
	int ret = places ? 0 : -1;

	for (unsigned int i = 0; !ret && i < view->profile.event_count; i++)
		ret = print_event(view, i, &functions[i], &places[i], symbol,
				  &printed);
	if (!ret && !printed && symbol)
		ret = diag("annotate: %s: no function of this name has samples",
			   symbol);
	if (!ret)
		view_tell_none(view);
	rows_free(functions, view);
	rows_free(places, view);
	return ret;
}

/* One word is a file if there is one of this name. */
static int take_words(struct view *view, int argc, char **argv,
		      const char **symbol)
{
	int count = argc - optind;

	*symbol = NULL;
	if (count > 2)
		return diag(
			"annotate: takes a file and a symbol; see pfmon annotate --help");
	if (count == 2 ||
	    (count == 1 && !view->options.file && !access(argv[optind], F_OK)))
		view->options.file = argv[optind++];
	if (optind < argc)
		*symbol = argv[optind];
	return 0;
}

int verb_annotate(int argc, char **argv)
{
	const char *symbol, *obstacle;
	struct view view;
	int ret = view_parse(&view, argc, argv);

	if (ret > 0) {
		usage(stdout);
		return 0;
	}
	if (!ret)
		ret = take_words(&view, argc, argv, &symbol);
	obstacle = ret ? NULL : code_begin();
	if (obstacle)
		ret = diag("annotate: %s", obstacle);
	view.options.functions.inlined = false;
	if (!ret)
		ret = view_open(&view);
	if (!ret)
		ret = print_all(&view, symbol);
	return view_close(&view, ret);
}

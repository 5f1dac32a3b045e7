// SPDX-License-Identifier: GPL-2.0-only
/* The hottest places of the page of pfmon export html, see page.h. */
#include <inttypes.h>
#include <string.h>

#include "export/markup.h"
#include "export/page.h"
#include "views/code.h"

#define HOT_SPOTS 50

/* Rows of a table; "" where the file of a place is not there. */
struct spots {
	const struct row *rows;
	size_t count;
	uint64_t samples; /* of all places */
	char instructions[HOT_SPOTS][sizeof(((struct instruction *)0)->text)];
};

void page_cell(const char *text, FILE *out)
{
	fputs("<td>", out);
	markup_text(text, out);
	fputs("</td>", out);
}

void page_numbers(uint64_t samples, uint64_t all, FILE *out)
{
	fprintf(out,
		"<td class=\"n\">%" PRIu64 "</td><td class=\"n\">%.2f</td>",
		samples, all ? 100.0 * (double)samples / (double)all : 0);
}

static void copy_instruction(struct spots *spots, size_t spot,
			     const struct code *code)
{
	uint64_t place = spots->rows[spot].place->place;

	for (size_t i = 0; i < code->count; i++) {
		const struct instruction *row = &code->rows[i];

		if (place - row->place < row->size)
			memcpy(spots->instructions[spot], row->text,
			       sizeof(row->text));
	}
}

/* Reads the function of a spot for all spots of it from there on. */
static int read_function(struct spots *spots, size_t first)
{
	const struct function *function = spots->rows[first].function;
	struct code code;
	int ret = code_read(&code, function);

	for (size_t i = first; !ret && i < spots->count; i++)
		if (spots->rows[i].function == function)
			copy_instruction(spots, i, &code);
	code_free(&code);
	return ret;
}

static bool is_first_of_function(const struct spots *spots, size_t spot)
{
	for (size_t i = 0; i < spot; i++)
		if (spots->rows[i].function == spots->rows[spot].function)
			return false;
	return true;
}

static int read_instructions(struct spots *spots)
{
	for (size_t i = 0; i < spots->count; i++)
		if (is_first_of_function(spots, i) && read_function(spots, i))
			return -1;
	return 0;
}

static void print_line(const struct place *place, FILE *out)
{
	const char *source, *slash;
	int line;

	if (!place->image || !place->image->elf ||
	    !elf_file_line(place->image->elf, place->place, &source, &line)) {
		page_cell("", out);
		return;
	}
	slash = strrchr(source, '/');
	fputs("<td>", out);
	markup_text(slash ? slash + 1 : source, out);
	fprintf(out, ":%d</td>", line);
}

static void print_spot(const struct spots *spots, size_t i, bool instructions,
		       FILE *out)
{
	const struct row *row = &spots->rows[i];
	const struct place *place = row->place;
	char where[64] = "";

	fputs("<tr>", out);
	page_numbers(row->samples, spots->samples, out);
	page_cell(row->function->name, out);
	if (row->function->has_symbol)
		snprintf(where, sizeof(where), "+0x%" PRIx64,
			 place->place - row->function->start);
	page_cell(where, out);
	print_line(place, out);
	if (instructions)
		page_cell(spots->instructions[i], out);
	fputs("</tr>\n", out);
}

int page_spots(const struct rows *places, FILE *out)
{
	struct spots spots = {
		.rows = places->rows,
		.count = places->count < HOT_SPOTS ? places->count : HOT_SPOTS,
		.samples = places->samples,
	};
	bool instructions = !code_begin();

	if (instructions && read_instructions(&spots))
		return -1;
	fprintf(out,
		"<h2>Hot spots</h2>\n<table><thead><tr><th class=\"n\">samples</th>"
		"<th class=\"n\">self %%</th><th>symbol</th><th>offset</th>"
		"<th>line</th>%s</tr></thead>\n<tbody>\n",
		instructions ? "<th>instruction</th>" : "");
	for (size_t i = 0; i < spots.count; i++)
		print_spot(&spots, i, instructions, out);
	fputs("</tbody></table>\n", out);
	return 0;
}

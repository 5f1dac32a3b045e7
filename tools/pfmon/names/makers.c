// SPDX-License-Identifier: GPL-2.0-only
/* The manufacturers' names of events, see makers.h. */
#include "names/makers.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "names/makers_table.h"

#define OFFCORE "OFFCORE_RESPONSE."
#define OCR "OCR."

/* The bit of the file of a processor, 0: it has none. */
static uint64_t file_of(const struct processor *processor, bool atom)
{
	for (unsigned int i = 0; i < makers_model_count; i++) {
		const struct makers_model *row = &makers_models[i];

		if (row->vendor == processor->vendor &&
		    row->family == processor->family &&
		    processor->model >= row->first_model &&
		    processor->model <= row->last_model &&
		    processor->stepping >= row->first_stepping &&
		    processor->stepping <= row->last_stepping)
			return UINT64_C(1)
			       << (atom ? row->atom_file : row->file);
	}
	return 0;
}

static int compare_names(const void *name, const void *row)
{
	return strcmp(name, ((const struct makers_row *)row)->name);
}

/* The first row of a name, NULL: there is none. */
static const struct makers_row *first_row(const char *name)
{
	const struct makers_row *row = bsearch(name, makers_rows,
					       makers_row_count, sizeof(*row),
					       compare_names);

	while (row && row > makers_rows && !strcmp(row[-1].name, name))
		row--;
	return row;
}

static bool find_plain(const char *name, uint64_t file, struct coding *coding)
{
	const struct makers_row *row = first_row(name);
	const struct makers_row *end = makers_rows + makers_row_count;

	for (; row && row < end && !strcmp(row->name, name); row++) {
		if (!(row->files & file))
			continue;
		*coding = (struct coding){
			.selector = row->selector,
			.value = row->value,
			.kind = (enum coding_kind)row->kind,
			.fixed = row->fixed,
		};
		return true;
	}
	return false;
}

static int compare_words(const void *text, const void *word)
{
	return strcmp(text, ((const struct offcore_word *)word)->text);
}

static int place_of(const char *text, const struct offcore_word *words,
		    unsigned int count)
{
	const struct offcore_word *word =
		bsearch(text, words, count, sizeof(*word), compare_words);

	return word ? (int)(word - words) : -1;
}

static int compare_rows(const void *wanted, const void *row)
{
	const struct offcore_row *a = wanted, *b = row;

	return a->request != b->request ? (int)a->request - (int)b->request :
					  (int)a->response - (int)b->response;
}

/* The file's row among those of a request and a response, NULL: there is none. */
static const struct offcore_row *offcore_row_of(struct offcore_row wanted,
						uint64_t file)
{
	const struct offcore_row *row = bsearch(&wanted, offcore_rows,
						offcore_row_count, sizeof(*row),
						compare_rows);
	const struct offcore_row *end = offcore_rows + offcore_row_count;

	while (row && row > offcore_rows && !compare_rows(&wanted, row - 1))
		row--;
	for (; row && row < end && !compare_rows(&wanted, row); row++)
		if (row->is_ocr == wanted.is_ocr && row->files & file)
			return row;
	return NULL;
}

/* name: may be changed. */
static bool find_offcore(char *name, uint64_t file, struct coding *coding)
{
	bool is_ocr = !strncmp(name, OCR, strlen(OCR));
	char *request = name + strlen(is_ocr ? OCR : OFFCORE), *dot;
	const struct offcore_row *row;
	int place, response;

	if (!is_ocr && strncmp(name, OFFCORE, strlen(OFFCORE)) != 0)
		return false;
	dot = strchr(request, '.');
	if (!dot)
		return false;
	*dot = '\0';
	place = place_of(request, offcore_requests, offcore_request_count);
	response = place_of(dot + 1, offcore_responses, offcore_response_count);
	if (place < 0 || response < 0)
		return false;
	row = offcore_row_of((struct offcore_row){ .request = (uint8_t)place,
						   .response =
							   (uint8_t)response,
						   .is_ocr = is_ocr },
			     file);
	if (row)
		*coding = (struct coding){
			.selector = row->selector,
			.value = row->value,
			.kind = (enum coding_kind)row->kind,
		};
	return row;
}

bool makers_find(const char *name, size_t len,
		 const struct processor *processor, bool atom,
		 struct coding *coding, char canonical[MAKERS_NAME_MAX])
{
	uint64_t file = file_of(processor, atom);
	char copy[MAKERS_NAME_MAX];

	if (!file || len >= MAKERS_NAME_MAX)
		return false;
	for (size_t i = 0; i < len; i++)
		canonical[i] = (char)toupper((unsigned char)name[i]);
	canonical[len] = '\0';
	if (find_plain(canonical, file, coding))
		return true;
	strcpy(copy, canonical);
	return find_offcore(copy, file, coding);
}

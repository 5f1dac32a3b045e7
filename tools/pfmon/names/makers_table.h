/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The events of the manufacturers' event files, as checks/makers_events.py takes them
 * from the source of Linux: makers_table.c and offcore_table.c. Names are in capitals,
 * as in the code; without pointers, so that nothing has to be relocated.
 */
#ifndef PFMON_MAKERS_TABLE_H
#define PFMON_MAKERS_TABLE_H

#include <stdint.h>

#include "names/coding.h"
#include "names/processor.h"

/* Sorted by name; of one name rows differ in the files. */
struct makers_row {
	char name[64];
	uint64_t selector, value; /* as in struct coding */
	uint64_t files; /* bit n: file n has it */
	uint8_t kind, fixed; /* as in struct coding */
};

/* Which file a processor has; the first row that fits counts. */
struct makers_model {
	uint8_t vendor; /* enum processor_vendor */
	uint8_t family;
	uint8_t first_model, last_model;
	uint8_t first_stepping, last_stepping;
	uint8_t file, atom_file; /* the same unless it has two kinds of core */
};

/*
 * Names of off-core events, OFFCORE_RESPONSE.REQUEST.RESPONSE or OCR instead, are made
 * of few words. Rows are sorted by request and response, words as names.
 */
struct offcore_word {
	char text[48];
};

struct offcore_row {
	uint8_t request, response; /* place of the word */
	uint8_t is_ocr;
	uint8_t kind;
	uint16_t selector;
	uint64_t value, files;
};

extern const struct makers_row makers_rows[];
extern const unsigned int makers_row_count;
extern const struct makers_model makers_models[];
extern const unsigned int makers_model_count;
extern const struct offcore_word offcore_requests[];
extern const unsigned int offcore_request_count;
extern const struct offcore_word offcore_responses[];
extern const unsigned int offcore_response_count;
extern const struct offcore_row offcore_rows[];
extern const unsigned int offcore_row_count;

#endif /* PFMON_MAKERS_TABLE_H */

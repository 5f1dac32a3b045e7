/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events by name, from the tables of libpfm. The events are those of one
 * model, that of the running processor or the one that the user named.
 */
#ifndef PFMON_TABLES_H
#define PFMON_TABLES_H

#include <perfmon/pfmlib.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "names/processor.h"

/* The numbers of models (PFMLIB_*_PMU) end here. */
#define TABLES_LAST_TYPE 255

/*
 * Chooses the model: by its name, or by its number with or without a sub-model
 * ("16,23,1,0"); that of this processor if NULL. A processor without a
 * model is no error here. Returns 0, or -1 after a message.
 */
int tables_init(const char *pmu);

/* The name of the model, NULL if there is none, and its number. */
const char *tables_pmu(void);
int tables_type(void);

/* The processor that has the model's events. */
const struct processor *tables_processor(void);

/*
 * Looks "NAME[:UNIT_MASK...]" up and gives its full name (to be freed). The
 * messages name the event as the user wrote it. Returns 0, or -1 after one.
 */
int tables_find(const char *event, const char *as_written,
		pfmlib_event_t *found, char **full_name);

/* The full name, to be freed; NULL if there is none, or no memory. */
char *tables_full_name(pfmlib_event_t *event);

/* Whether the model has an event of this name, without unit masks. */
bool tables_has_event(const char *event);

/* Whether the event has a unit mask of this name, of len characters. */
bool tables_has_mask(const char *event, const char *mask, size_t len);

/*
 * The counters for the value of an event select register, bit n for PMD n: those
 * of the event that the model has by this number and unit mask, or of all events
 * with the number; all counters if it has none.
 */
uint32_t tables_raw_counters(uint64_t selector);

/* Whether the value needs the counter behind its own as well (AMD's FLOPs). */
bool tables_raw_is_pair(uint64_t selector);

/*
 * Lists the events of the model that match an extended regular expression (case
 * ignored, NULL: all). Returns 0, or -1 after a message.
 */
int tables_list_events(const char *pattern, FILE *out);
/* The same as an array of JSON, with names and descriptions. */
int tables_list_json(const char *pattern, FILE *out);
int tables_list_pmus(FILE *out);

#endif /* PFMON_TABLES_H */

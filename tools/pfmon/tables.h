/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tables of event names: what pfmon takes from libpfm4. One table is in
 * use, that of the running processor or the one that the user named.
 */
#ifndef PFMON_TABLES_H
#define PFMON_TABLES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Chooses the table: NAME, or that of this processor if NULL. That there is
 * none for this processor is no error here. Returns 0, or -1 after a message.
 */
int tables_init(const char *name);

/* The name of the table in use, NULL if there is none. */
const char *tables_pmu(void);

/*
 * Looks an event up, "NAME[:UNIT_MASK...][:MODIFIER...]", and gives its event
 * select value and its full name (to be freed). The levels apply unless the
 * event chooses its own. Returns 0, or -1 after a message.
 */
int tables_encode(const char *event, bool user, bool kernel, uint64_t *selector,
		  char **full_name);

/*
 * Lists the events of the table that match an extended regular expression
 * (case ignored, NULL: all). Returns 0, or -1 after a message.
 */
int tables_list_events(const char *pattern, FILE *out);
int tables_list_pmus(FILE *out);

#endif /* PFMON_TABLES_H */

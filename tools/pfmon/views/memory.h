/* SPDX-License-Identifier: GPL-2.0-only */
/* pfmon report --mem: loads and stores by where the data were, by code, and by data. */
#ifndef PFMON_MEMORY_VIEW_H
#define PFMON_MEMORY_VIEW_H

#include "views/view.h"

/* What a line of the table is. */
enum memory_by {
	MEMORY_NONE, /* there is no table */
	MEMORY_SOURCE,
	MEMORY_FUNCTION,
	MEMORY_LINE, /* of the cache */
	MEMORY_DATA, /* objects of programs */
};

/* The word for it behind --mem=, MEMORY_NONE: there is none. */
enum memory_by memory_by_word(const char *word);

/* Prints the tables of all events. 0, or -1 after a message. */
int memory_report(struct view *view, enum memory_by by);

#endif /* PFMON_MEMORY_VIEW_H */

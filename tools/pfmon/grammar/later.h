/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Options that are known and refused: each by its name, with the reason, so
 * that none is ever ignored.
 */
#ifndef PFMON_LATER_H
#define PFMON_LATER_H

#include <getopt.h>

struct later {
	const char *name; /* long name, NULL: the letter alone */
	char letter; /* 0: none */
	int has_arg;
	const char *why;
};

/* Ends with a row of zeros. */
extern const struct later later_classic[];
extern const struct later later_stat[];
extern const struct later later_record[];

/* Above all letters and all options of a grammar. */
#define OPT_LATER 1024

/* Room for a grammar's options and those that it refuses. */
#define LATER_OPTIONS_MAX 128

/*
 * Puts the options of a grammar (ending with zeros), those that both have and
 * those that it refuses into all. Of one name the grammar's own counts.
 */
void later_join(struct option all[LATER_OPTIONS_MAX], const struct option *own,
		const struct later *refused);

/* Prints that option is refused (value of getopt_long). Returns -1. */
int later_refuse(int option, const struct later *refused);

/* Whether it is one of them. */
int later_is(int option, const struct later *refused);

#endif /* PFMON_LATER_H */

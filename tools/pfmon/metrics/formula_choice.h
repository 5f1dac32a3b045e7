/* SPDX-License-Identifier: GPL-2.0-only */
/* Metrics of the metric files beside the metrics of groups. */
#ifndef PFMON_FORMULA_CHOICE_H
#define PFMON_FORMULA_CHOICE_H

#include "metrics/formula_set.h"
#include "metrics/groups.h"

/*
 * Adds a metric, or all of a group of the files that can be computed here. 1: there is
 * none of this name; -1 after a message.
 */
int formula_choose(struct group_choice *choice, const char *name);

/*
 * Lists the metrics of the model whose name, or one of whose groups, matches a pattern,
 * an extended regular expression; NULL: all. -1 after a message, also if there is none.
 */
int formula_list(const char *pattern, FILE *out);

#endif /* PFMON_FORMULA_CHOICE_H */

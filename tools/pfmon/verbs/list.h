/* SPDX-License-Identifier: GPL-2.0-only */
/* pfmon list: which events there are. */
#ifndef PFMON_LIST_H
#define PFMON_LIST_H

#include <stdio.h>

/* argv[0] is "list". Returns the exit status of pfmon. */
int verb_list(int argc, char **argv);

/*
 * Describes an event of the model and its unit masks, line by line. 0, or -1
 * after a message.
 */
int list_describe(const char *event, FILE *out);

#endif /* PFMON_LIST_H */

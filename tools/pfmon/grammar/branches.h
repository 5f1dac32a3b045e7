/* SPDX-License-Identifier: GPL-2.0-only */
/* Which branches pfmon record records: the words of perf's -j. */
#ifndef PFMON_GRAMMAR_BRANCHES_H
#define PFMON_GRAMMAR_BRANCHES_H

#include "request.h"

/* All of them: perf's -b. */
void branches_take_all(struct sample_wish *wish);

/* A list of words, like any_call,u. 0, or -1 after a message. */
int branches_take(struct sample_wish *wish, const char *list);

#endif /* PFMON_GRAMMAR_BRANCHES_H */

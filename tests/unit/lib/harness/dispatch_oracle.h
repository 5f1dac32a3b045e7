/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether a list of events can be assigned to counters at all, found by trying
 * everything; for the random test of pfm_dispatch_events().
 */
#ifndef DISPATCH_ORACLE_H
#define DISPATCH_ORACLE_H

#include <stdbool.h>

#include <perfmon/pfmlib.h>

/* Learns the current model. */
void oracle_learn(void);

/* Why the model may answer NOASSIGN; NULL if an assignment exists. */
const char *oracle_no_assignment(const pfmlib_input_param_t *in);

/* Whether the event can be counted there, with these registers unavailable. */
bool oracle_legal(const pfmlib_input_param_t *in, unsigned int i,
		  unsigned int pmd);

/* Whether the event takes the counter behind its own as well. */
bool oracle_is_pair(unsigned int event);

/* The PMC without which a counter does not count; -1 if it needs none. */
int oracle_control(unsigned int pmd);

#endif /* DISPATCH_ORACLE_H */

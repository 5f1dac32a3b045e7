/* SPDX-License-Identifier: GPL-2.0-only */
/* Samples that have the branches before them: pfmon record -b. */
#ifndef PFMON_RECORD_BRANCHES_H
#define PFMON_RECORD_BRANCHES_H

#include "engine/measure.h"

/*
 * If the request wants branches, puts the register that lets the processor record them into
 * the plan. 0, or -1 after a message: it cannot have them.
 */
int branches_program(struct measurement *m);

#endif /* PFMON_RECORD_BRANCHES_H */

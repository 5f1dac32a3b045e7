/* SPDX-License-Identifier: MIT */
/* As ../program.h, for the v2.81 calls; self.c has it in full. */
#ifndef EXAMPLES_V281_PROGRAM_H
#define EXAMPLES_V281_PROGRAM_H

#include <perfmon/perfmon.h>

/*
 * Writes the control registers for count events into an event set of a context,
 * and tells in pmds, which has count elements, where the counts will be. Says
 * what is wrong and exits if that is not possible.
 */
void program_events(int fd, unsigned int set, const char *const *events,
		    unsigned int count, pfarg_pmd_t *pmds);

#endif /* EXAMPLES_V281_PROGRAM_H */

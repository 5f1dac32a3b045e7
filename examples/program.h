/* SPDX-License-Identifier: MIT */
/*
 * The step that all examples share and that is not what they are about; self.c
 * has it in full.
 */
#ifndef EXAMPLES_PROGRAM_H
#define EXAMPLES_PROGRAM_H

#include <perfmon/perfmon.h>

/*
 * Writes the control registers for count events into an event set of a session,
 * and tells in pmds, which has count elements, where the counts will be. Says
 * what is wrong and exits if that is not possible.
 */
void program_events(int fd, unsigned int set, const char *const *events,
		    unsigned int count, pfarg_pmr_t *pmds);

#endif /* EXAMPLES_PROGRAM_H */

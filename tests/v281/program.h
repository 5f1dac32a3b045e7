/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events into a context, for the programs of the v2.81 calls beside this file,
 * which tests/tools/examples_run runs.
 */
#ifndef TESTS_V281_PROGRAM_H
#define TESTS_V281_PROGRAM_H

#include <perfmon/perfmon.h>

/*
 * Writes the control registers for count events into an event set of a context,
 * and names their counters in pmds, which has count elements. Prints the
 * reason and exits if that is not possible.
 */
void program_events(int fd, unsigned int set, const char *const *events,
		    unsigned int count, pfarg_pmd_t *pmds);

#endif /* TESTS_V281_PROGRAM_H */

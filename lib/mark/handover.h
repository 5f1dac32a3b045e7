/* SPDX-License-Identifier: MIT */
/* The file that pfmon has given to its command: the setup, and the records. */
#ifndef MARK_HANDOVER_H
#define MARK_HANDOVER_H

#include "mark/thread.h"

/* Reads the setup. Returns 0; -1 if pfmon does not count regions of this program. */
int handover_open(struct mark_setup *setup);

/*
 * Writes the threads' counts that were not written yet. Does nothing if the program has
 * closed the file.
 */
void handover_write(struct thread *threads);

#endif /* MARK_HANDOVER_H */

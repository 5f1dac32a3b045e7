/* SPDX-License-Identifier: MIT */
/* The file that pfmon has given to its command: what it asks for, and the records. */
#ifndef MARK_HANDOVER_H
#define MARK_HANDOVER_H

#include "mark/thread.h"

/* Reads what is to be counted. 0, or -1: pfmon does not run this program so. */
int handover_open(struct mark_setup *setup);

/*
 * Writes what the threads have counted and was not told yet; then it is. Nothing
 * happens if the program has closed the file.
 */
void handover_write(struct thread *threads);

#endif /* MARK_HANDOVER_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The errors that pfmon prints: one line each,
 * "pfmon: SUBJECT: reason; what to do", and the exit statuses that go with it.
 */
#ifndef PFMON_DIAG_H
#define PFMON_DIAG_H

#include <stdbool.h>

/* As env(1) and time(1); otherwise the status is the command's own. */
#define STATUS_FAILED 125 /* pfmon itself failed */
#define STATUS_NOT_EXECUTABLE 126
#define STATUS_NOT_FOUND 127
#define STATUS_SIGNAL 128 /* plus the number of the signal */

/*
 * Begins and ends trying something, where lines are dropped; a trial may be part
 * of another.
 */
void diag_quiet(bool quiet);

/*
 * Shows on stderr, which has to be a terminal, how far something is: without an end of
 * line, and in place of what was shown before. The next message takes it away, and so
 * does diag_progress_end().
 */
void diag_progress(const char *format, ...)
	__attribute__((format(printf, 1, 2)));
void diag_progress_end(void);

/* Prints the line to stderr. Returns -1, so that callers can return it. */
int diag(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif /* PFMON_DIAG_H */

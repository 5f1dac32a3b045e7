// SPDX-License-Identifier: GPL-2.0-only
/* One-line messages, see diag.h. */
#include "diag.h"

#include <stdarg.h>
#include <stdio.h>

/* What terminals understand by it: to the end of the line. */
#define REST_ERASED "\033[K"

/* How many have asked for it. */
static int quiet_for;

/* The line of the terminal says how far something is. */
static bool in_progress;

void diag_quiet(bool quiet)
{
	quiet_for += quiet ? 1 : -1;
}

void diag_progress(const char *format, ...)
{
	va_list args;

	if (quiet_for)
		return;
	va_start(args, format);
	flockfile(stderr);
	fputs("\rpfmon: ", stderr);
	vfprintf(stderr, format, args);
	fputs(REST_ERASED, stderr);
	fflush(stderr);
	in_progress = true;
	funlockfile(stderr);
	va_end(args);
}

void diag_progress_end(void)
{
	if (in_progress)
		fputs("\r" REST_ERASED, stderr);
	in_progress = false;
}

int diag(const char *format, ...)
{
	va_list args;

	if (quiet_for)
		return -1;
	va_start(args, format);
	flockfile(stderr);
	diag_progress_end();
	fputs("pfmon: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	funlockfile(stderr);
	va_end(args);
	return -1;
}

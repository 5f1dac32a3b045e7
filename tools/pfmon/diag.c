// SPDX-License-Identifier: GPL-2.0-only
/* One-line messages, see diag.h. */
#include "diag.h"

#include <stdarg.h>
#include <stdio.h>

/* How many have asked for it. */
static int quiet_for;

void diag_quiet(bool quiet)
{
	quiet_for += quiet ? 1 : -1;
}

int diag(const char *format, ...)
{
	va_list args;

	if (quiet_for)
		return -1;
	va_start(args, format);
	flockfile(stderr);
	fputs("pfmon: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	funlockfile(stderr);
	va_end(args);
	return -1;
}

// SPDX-License-Identifier: GPL-2.0-only
/* One-line messages, see diag.h. */
#include "diag.h"

#include <stdarg.h>
#include <stdio.h>

static bool is_quiet;

void diag_quiet(bool quiet)
{
	is_quiet = quiet;
}

int diag(const char *format, ...)
{
	va_list args;

	if (is_quiet)
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

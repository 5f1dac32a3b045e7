// SPDX-License-Identifier: GPL-2.0-only
/* One-line messages, see diag.h. */
#include "diag.h"

#include <stdarg.h>
#include <stdio.h>

int diag(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	flockfile(stderr);
	fputs("pfmon: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	funlockfile(stderr);
	va_end(args);
	return -1;
}

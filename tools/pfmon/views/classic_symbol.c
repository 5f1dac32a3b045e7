// SPDX-License-Identifier: GPL-2.0-only
/* Symbols of classic samples, see classic.h. */
#include <inttypes.h>
#include <string.h>

#include "views/classic.h"

void classic_symbol(const struct place *place, bool whole, FILE *out)
{
	const struct function *function = place->function;
	const char *base = strrchr(function->file, '/');
	int length;

	if (!function->has_symbol) {
		fputs(function->name, out);
		return;
	}
	base = base ? base + 1 : function->file;
	/* The kernel and its modules are in brackets. */
	length = (int)strlen(base) - 2 * (base[0] == '[');
	fputs(function->name, out);
	if (!whole)
		fprintf(out, "+0x%" PRIx64, place->place - function->start);
	fprintf(out, "<%.*s>", length, base + (base[0] == '['));
}

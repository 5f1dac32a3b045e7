// SPDX-License-Identifier: MIT
/* Comparing names, for building tables and for programs' texts. */
#include "pfmlib_events.h"

bool pfmlib_is_name(const char *name, const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++) {
		if (!name[i] || pfmlib_upper(name[i]) != pfmlib_upper(text[i]))
			return false;
	}
	return !name[len];
}

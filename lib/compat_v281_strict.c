// SPDX-License-Identifier: MIT
/*
 * Strict mode of the v2.81 interface refuses a call without an exact equivalent
 * in v3.0, like the first library that translated calls.
 */
#include <errno.h>
#include <perfmon/perfmon.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "compat_v281.h"

/* The mode can be set until it is first read; from then on it is fixed. */
enum {
	UNSET,
	SET_LAX,
	SET_STRICT,
	FIXED_LAX,
	FIXED_STRICT,
};

static atomic_int mode = UNSET;

static int set_by_environment(void)
{
	const char *value = getenv("PFM_V281_STRICT");

	return value && *value && strcmp(value, "0") != 0 ? SET_STRICT :
							    SET_LAX;
}

bool pfmlib_v281_strict(void)
{
	int old = atomic_load_explicit(&mode, memory_order_relaxed);
	int new;

	while (old < FIXED_LAX) {
		new = old == UNSET ? set_by_environment() : old;
		new = new == SET_STRICT ? FIXED_STRICT : FIXED_LAX;
		if (atomic_compare_exchange_weak(&mode, &old, new))
			old = new;
	}
	return old == FIXED_STRICT;
}

os_err_t pfm_v281_set_strict(int strict)
{
	int old = atomic_load_explicit(&mode, memory_order_relaxed);

	do {
		if (old >= FIXED_LAX) {
			errno = EBUSY;
			return -1;
		}
	} while (!atomic_compare_exchange_weak(&mode, &old,
					       strict ? SET_STRICT : SET_LAX));
	return 0;
}

void pfmlib_v281_forget_strict(void)
{
	atomic_store(&mode, UNSET);
}

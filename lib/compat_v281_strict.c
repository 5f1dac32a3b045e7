// SPDX-License-Identifier: MIT
/*
 * Strict mode of the v2.81 interface: whether what has no exact equivalent in
 * v3.0 is refused, as in the first library that translated.
 */
#include <errno.h>
#include <perfmon/perfmon.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "compat_v281.h"

/* What has been said is kept until it is first asked for; then it is fixed. */
enum {
	NOT_SAID,
	SAID_LAX,
	SAID_STRICT,
	FIXED_LAX,
	FIXED_STRICT,
};

static atomic_int mode = NOT_SAID;

static int said_by_environment(void)
{
	const char *value = getenv("PFM_V281_STRICT");

	return value && *value && strcmp(value, "0") != 0 ? SAID_STRICT :
							    SAID_LAX;
}

bool pfmlib_v281_strict(void)
{
	int old = atomic_load_explicit(&mode, memory_order_relaxed);
	int new;

	while (old < FIXED_LAX) {
		new = old == NOT_SAID ? said_by_environment() : old;
		new = new == SAID_STRICT ? FIXED_STRICT : FIXED_LAX;
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
	} while (!atomic_compare_exchange_weak(
		&mode, &old, strict ? SAID_STRICT : SAID_LAX));
	return 0;
}

void pfmlib_v281_forget_strict(void)
{
	atomic_store(&mode, NOT_SAID);
}

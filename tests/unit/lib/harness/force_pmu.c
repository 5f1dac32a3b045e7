// SPDX-License-Identifier: GPL-2.0-only
/* See force_pmu.h. */
#include "force_pmu.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "pmu/pfmlib_pmu.h"

void force_pmu(const char *pmu)
{
	int ret;

	assert_int_equal(setenv("LIBPFM_FORCE_PMU", pmu, 1), 0);
	ret = pfm_initialize();
	unsetenv("LIBPFM_FORCE_PMU");
	if (ret != PFMLIB_SUCCESS)
		fail_msg("LIBPFM_FORCE_PMU=%s: %s", pmu, pfm_strerror(ret));
}

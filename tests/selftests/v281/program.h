/* SPDX-License-Identifier: GPL-2.0-only */
/* shim.h for the source file with the tests: tells the shim which one runs. */
#ifndef PFM_TEST_V281_PROGRAM_H
#define PFM_TEST_V281_PROGRAM_H

#include "../pfm_test.h"
#include "shim.h"

/* The harness has results for one test at a time. */
static struct v281_test v281_find_running(void)
{
	struct __fixture_metadata *fixture;
	struct __test_metadata *test;

	for (fixture = __fixture_list; fixture; fixture = fixture->next)
		for (test = fixture->tests; test; test = test->next)
			if (test->results)
				return (struct v281_test){
					test->name, test->results->reason,
					sizeof(test->results->reason)
				};
	return (struct v281_test){ "", NULL, 0 };
}

static void __attribute__((constructor)) v281_tell_shim(void)
{
	v281_running_test = v281_find_running;
}

#endif

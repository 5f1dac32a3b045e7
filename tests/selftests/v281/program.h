/* SPDX-License-Identifier: GPL-2.0-only */
/* shim.h for the source file with the tests: tells the shim which one runs. */
#ifndef PFM_TEST_V281_PROGRAM_H
#define PFM_TEST_V281_PROGRAM_H

#include "pfm_test.h"
#include "shim.h"
#include "skips.h"

/* The harness has results for one test at a time. */
static struct v281_test v281_find_running(void)
{
	struct __fixture_metadata *fixture;
	struct __test_metadata *test;

	for (fixture = __fixture_list; fixture; fixture = fixture->next)
		for (test = fixture->tests; test; test = test->next)
			if (test->results)
				return (struct v281_test){
					test->name,
					test->exit_code == KSFT_FAIL,
					test->results->reason,
					sizeof(test->results->reason)
				};
	return (struct v281_test){ "", false, NULL, 0 };
}

/* Runs instead of a test that can only be told by its name. */
static void v281_skip_test(struct __test_metadata *_metadata,
			   struct __fixture_variant_metadata *variant)
{
	size_t i;

	(void)variant;
	for (i = 0; i < sizeof(v281_skips) / sizeof(v281_skips[0]); i++)
		if (strcmp(_metadata->name, v281_skips[i].test) == 0)
			SKIP(return, "%s", v281_skips[i].reason);
}

/* What main() calls. */
static int v281_harness_run(int argc, char **argv)
{
	struct __fixture_metadata *fixture;
	struct __test_metadata *test;
	size_t i;

	for (fixture = __fixture_list; fixture; fixture = fixture->next)
		for (test = fixture->tests; test; test = test->next)
			for (i = 0;
			     i < sizeof(v281_skips) / sizeof(v281_skips[0]);
			     i++)
				if (strcmp(test->name, v281_skips[i].test) == 0)
					test->fn = v281_skip_test;
	return test_harness_run(argc, argv);
}
#define test_harness_run v281_harness_run

static void __attribute__((constructor)) v281_tell_shim(void)
{
	v281_running_test = v281_find_running;
}

#endif

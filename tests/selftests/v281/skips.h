/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tests that mean nothing for v2.81 although each of their calls has a form
 * there.
 */
#ifndef PFM_TEST_V281_SKIPS_H
#define PFM_TEST_V281_SKIPS_H

static const struct {
	const char *test;
	const char *reason;
} v281_skips[] = {
	{ "C008_permission_is_checked_before_the_format_name",
	  "without a name v2.81 creates a session without a format" },
	{ "C044_results_need_writable_memory",
	  "the library itself writes results" },
	{ "C044_unwritable_memory_outweighs_a_bad_element",
	  "the library itself writes results" },
};

#endif

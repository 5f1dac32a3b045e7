// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests that are skipped before and after a comparison has failed, through the
 * harness or, with the v2.81 shim, by a call that v2.81 has no form for.
 * check-late-skip runs them and looks at their results.
 */
#include "pfm_test.h"

#ifdef PFM_TEST_V281
#define LEAVE() pfm_stop_session(-1, 1)
#else
#define LEAVE() SKIP(return, "no reason")
#endif

TEST(nothing_compared)
{
	LEAVE();
}

TEST(a_comparison_held)
{
	EXPECT_EQ(0, 0);
	LEAVE();
}

TEST(a_comparison_failed)
{
	EXPECT_EQ(0, 1);
	LEAVE();
}

FIXTURE(fixture){};

FIXTURE_SETUP(fixture)
{
}

FIXTURE_TEARDOWN(fixture)
{
}

TEST_F(fixture, a_comparison_held)
{
	EXPECT_EQ(0, 0);
	LEAVE();
}

TEST_F(fixture, a_comparison_failed)
{
	EXPECT_EQ(0, 1);
	LEAVE();
}

TEST_HARNESS_MAIN

/* SPDX-License-Identifier: GPL-2.0-only */
/* Tests that an administrator writes 0 to enabled in: it is on afterwards. */
#ifndef PFM_TEST_ENABLED_FIXTURE_H
#define PFM_TEST_ENABLED_FIXTURE_H

#include "attr.h"
#include "pfm_test.h"
#include "sessions.h"

/* On again for the next test, come what may. */
FIXTURE(administrator)
{
	int unused;
};

FIXTURE_SETUP(administrator)
{
	self->unused = 0;
	ASSERT_EQ(1, attr_number("enabled"));
}

FIXTURE_TEARDOWN_PARENT(administrator)
{
	EXPECT_EQ(0, attr_write("enabled", "1"));
	EXPECT_TRUE(nothing_is_left());
}

static inline void expect_pmu_free(struct __test_metadata *_metadata)
{
	char owner[64];

	ASSERT_EQ(0, attr_read("pmu_owner", owner, sizeof(owner)));
	EXPECT_STREQ("none\n", owner);
}

#endif

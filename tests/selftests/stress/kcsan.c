// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel that looks for data races (make check-kcsan) finds one that was
 * planted, in a module. From then on it looks for others, in what the programs
 * after this one do: it comes first in its boot.
 */
#include <unistd.h>

#include "attr.h"
#include "kmsg.h"
#include "machine.h"
#include "module.h"
#include "pfm_test.h"

#define KCSAN "/sys/kernel/debug/kcsan"

#define PLANTED "BUG: KCSAN: data-race in planted_increment"

#define PATIENCE_MS 20000
#define INTERVAL_MS 20

static bool is_reported(int kmsg)
{
	int waited;

	for (waited = 0; waited < PATIENCE_MS; waited += INTERVAL_MS) {
		if (kmsg_says(kmsg, PLANTED))
			return true;
		usleep(INTERVAL_MS * 1000);
	}
	return false;
}

TEST(a_planted_race_is_seen)
{
	int kmsg = kmsg_open();

	ASSERT_LE(0, kmsg);
	ASSERT_LE(2, cpus_online());
	ASSERT_EQ(0, file_write(KCSAN, "on"));
	ASSERT_EQ(0, module_load("planted_race", ""));
	EXPECT_TRUE(is_reported(kmsg));
	EXPECT_EQ(0, module_unload("planted_race"));
}

TEST_HARNESS_MAIN

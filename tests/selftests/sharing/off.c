// SPDX-License-Identifier: GPL-2.0-only
/*
 * A kernel that was booted with perfmon=off behaves as one without perfmon:
 * conformance case C019. Skipped on any other kernel.
 */
#include <sys/syscall.h>

#include "attr.h"
#include "perf.h"
#include "pfm_test.h"
#include "pmrs.h"

/* The numbers are not published now, but are those of every other boot. */
#define FIRST_CALL 500

FIXTURE(off)
{
	char cmdline[2048];
};

FIXTURE_SETUP(off)
{
	ASSERT_EQ(0, file_read("/proc/cmdline", self->cmdline,
			       sizeof(self->cmdline)));
	if (!strstr(self->cmdline, "perfmon=off"))
		SKIP(return, "not booted with perfmon=off");
}

FIXTURE_TEARDOWN(off)
{
}

TEST_F(off, C019_every_system_call_is_absent)
{
	int i;

	for (i = 0; i < PFM_NR_CALLS; i++) {
		EXPECT_EQ(ENOSYS, ERRNO(syscall(FIRST_CALL + i, 0, 0, 0, 0)));
		/* Also before any look at the arguments. */
		EXPECT_EQ(ENOSYS,
			  ERRNO(syscall(FIRST_CALL + i, -1, -1, -1, -1)));
	}
}

TEST_F(off, C019_every_function_of_the_library_fails)
{
	struct pfarg_setdesc desc = { .set_id = 0 };
	struct pfarg_setinfo info = { .set_id = 0 };
	uint64_t value;

	EXPECT_EQ(ENOSYS, ERRNO(pfm_create_session(0)));
	EXPECT_EQ(ENOSYS, ERRNO(write_pmd(0, 0, 0)));
	EXPECT_EQ(ENOSYS, ERRNO(read_pmd(0, 0, &value)));
	EXPECT_EQ(ENOSYS, ERRNO(attach_self(0)));
	EXPECT_EQ(ENOSYS, ERRNO(pfm_detach_session(0, 0)));
	EXPECT_EQ(ENOSYS, ERRNO(pfm_detach_session(0, 1)));
	EXPECT_EQ(ENOSYS, ERRNO(pfm_start_session(0, 0)));
	EXPECT_EQ(ENOSYS, ERRNO(pfm_stop_session(0, 0)));
	EXPECT_EQ(ENOSYS, ERRNO(pfm_create_sets(0, 0, &desc, 1)));
	EXPECT_EQ(ENOSYS, ERRNO(pfm_getinfo_sets(0, 0, &info, 1)));
}

TEST_F(off, C019_nothing_is_to_be_seen_in_sysfs)
{
	EXPECT_EQ(ENOENT, ERRNO(access("/sys/kernel/perfmon", F_OK)));
	EXPECT_EQ(ENOENT, ERRNO(access("/sys/kernel/debug/perfmon", F_OK)));
}

TEST_F(off, C019_perf_works_as_ever)
{
	if (ERRNO(perf_open_instructions()) == ENOENT)
		SKIP(return, "perf_event does not drive this processor");
	EXPECT_STREQ("", perf_trouble());
}

TEST_HARNESS_MAIN

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sampling formats that are modules: which the kernel accepts, where it shows
 * them and how long it holds them. What becomes of their callbacks is the
 * subject of callbacks.c. The module is tests/modules/perfmon_histogram.c.
 */
#include <signal.h>
#include <sys/mman.h>

#include "attr.h"
#include "child.h"
#include "machine.h"
#include "module.h"
#include "perfmon_histogram.h"
#include "pfm_test.h"

#define MODULE "perfmon_histogram"
#define FORMAT "histogram"

/* The module does not outlive the test, even if that was killed. */
FIXTURE(registration)
{
	int unused;
};

FIXTURE_SETUP(registration)
{
	self->unused = 0;
}

FIXTURE_TEARDOWN_PARENT(registration)
{
	module_unload(MODULE);
}

static bool exists(const char *path)
{
	return !access(path, F_OK);
}

TEST_F(registration, a_format_is_shown_with_its_version)
{
	char text[32];

	EXPECT_FALSE(exists(PERFMON_SYSFS "formats/" FORMAT));
	ASSERT_EQ(0, module_load(MODULE, ""));
	ASSERT_EQ(0,
		  attr_read("formats/" FORMAT "/version", text, sizeof(text)));
	EXPECT_STREQ("2.7\n", text);
	ASSERT_EQ(0, attr_read("formats/default/version", text, sizeof(text)));
	EXPECT_STREQ("1.0\n", text);
	ASSERT_EQ(0, module_unload(MODULE));
	EXPECT_FALSE(exists(PERFMON_SYSFS "formats/" FORMAT));

	ASSERT_EQ(0, module_load(MODULE, "name=other version=0xffff0000"));
	EXPECT_FALSE(exists(PERFMON_SYSFS "formats/" FORMAT));
	ASSERT_EQ(0, attr_read("formats/other/version", text, sizeof(text)));
	EXPECT_STREQ("65535.0\n", text);
}

TEST_F(registration, a_name_is_taken_only_once)
{
	char text[32];

	EXPECT_EQ(EBUSY, module_load(MODULE, "name=default"));
	ASSERT_EQ(0, attr_read("formats/default/version", text, sizeof(text)));
	EXPECT_STREQ("1.0\n", text);
}

TEST_F(registration, a_format_that_breaks_a_rule_is_refused)
{
	static const char *const bad[] = {
		"name=",	 "name=a/b",	   "name=.",
		"name=..",	 "arg_size=65536", "flags=8",
		"queue_depth=9", "no_handler=1",   "no_owner=1",
	};
	char name[300] = "name=";
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_EQ(EINVAL, module_load(MODULE, bad[i]))
		{
			TH_LOG("%s", bad[i]);
			module_unload(MODULE);
		}
	}
	memset(name + 5, 'a', 256);
	EXPECT_EQ(EINVAL, module_load(MODULE, name));
	name[5 + 255] = '\0';
	EXPECT_EQ(0, module_load(MODULE, name));
	EXPECT_EQ(0, module_unload(MODULE));
	/* What was refused has left nothing behind. */
	EXPECT_EQ(0, module_load(MODULE, "queue_depth=8"));
}

static int read_versions(void *arg)
{
	char text[32];

	(void)arg;
	for (;;)
		if (attr_read("formats/default/version", text, sizeof(text)))
			return 1;
}

TEST_F(registration, a_version_can_be_read_while_formats_come_and_go)
{
	pid_t reader = child_start(read_versions, NULL);
	long i, times = repetitions(20);

	for (i = 0; i < times; i++) {
		ASSERT_EQ(0, module_load(MODULE, ""));
		ASSERT_EQ(0, module_unload(MODULE));
	}
	EXPECT_EQ(0, kill(reader, 0));
	child_kill(reader);
}

TEST_F(registration, a_session_holds_the_module)
{
	struct histogram_arg arg = { .buckets = 64 };
	const struct histogram_buffer *hist;
	int fd, copy;

	ASSERT_EQ(0, module_load(MODULE, ""));
	fd = pfm_create_session(PFM_FL_SMPL_FMT, FORMAT, &arg, sizeof(arg));
	copy = dup(fd);
	ASSERT_LE(0, copy);
	EXPECT_EQ(EAGAIN, module_unload(MODULE));
	close(fd);
	EXPECT_EQ(EAGAIN, module_unload(MODULE));
	/* The buffer is the kernel's and needs no module. */
	hist = mmap(NULL, sizeof(*hist), PROT_READ, MAP_PRIVATE, copy, 0);
	ASSERT_NE(MAP_FAILED, hist);
	close(copy);
	EXPECT_EQ(0, module_unload(MODULE));
	EXPECT_EQ(64, hist->arg.buckets);
	EXPECT_EQ(EINVAL, ERRNO(pfm_create_session(PFM_FL_SMPL_FMT, FORMAT,
						   &arg, sizeof(arg))));
}

TEST_HARNESS_MAIN

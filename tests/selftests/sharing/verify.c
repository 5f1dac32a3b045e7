// SPDX-License-Identifier: GPL-2.0-only
/*
 * Somebody else writes the PMU while perfmon has it: the file "verify" in
 * debugfs says so, and the log when the PMU is given back. The other one is this
 * test, with /dev/cpu/0/msr.
 */
#include <fcntl.h>
#include <time.h>

#include "attr.h"
#include "event_set.h"
#include "kmsg.h"
#include "loop.h"
#include "machine.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"

#define VERIFY PERFMON_DEBUGFS "verify"

/* The PMU may stay perfmon's for a second after the last session. */
#define PATIENCE_MS 3000

FIXTURE(verify)
{
	int fd;
	int msr;
	int kmsg;
	unsigned int selector; /* its MSR */
	uint64_t value;
};

FIXTURE_SETUP(verify)
{
	const struct pmu_counter *counter = pmu_first();
	struct pmu_reg reg;

	if (access(VERIFY, F_OK))
		SKIP(return, "this kernel has no debugfs");
	if (!counter || !pmu_reg(PMU_PMC, counter->pmc, &reg))
		SKIP(return, "no counter that can be programmed");
	self->selector = (unsigned int)reg.addr;
	self->kmsg = kmsg_open();
	ASSERT_EQ(0, pin_to_cpu(0));
	self->msr = open("/dev/cpu/0/msr", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->msr);
	self->fd = pmu_session(0);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, set_make_counting(self->fd, 0, 0, 0));
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	ASSERT_EQ((ssize_t)sizeof(self->value),
		  pread(self->msr, &self->value, sizeof(self->value),
			self->selector));
	ASSERT_NE(0, self->value);
}

FIXTURE_TEARDOWN(verify)
{
	if (self->fd >= 0)
		close(self->fd);
	close(self->msr);
	close(self->kmsg);
}

static void write_selector(struct __test_metadata *_metadata,
			   const FIXTURE_DATA(verify) * self, uint64_t value)
{
	ASSERT_EQ((ssize_t)sizeof(value),
		  pwrite(self->msr, &value, sizeof(value), self->selector));
}

static void expect_verified(struct __test_metadata *_metadata,
			    const char *expected)
{
	char text[128];

	ASSERT_EQ(0, file_read(VERIFY, text, sizeof(text)));
	EXPECT_STREQ(expected, text);
}

static bool is_free_soon(void)
{
	const struct timespec ms = { .tv_nsec = 1000000 };
	char text[128];
	int i;

	for (i = 0; i < PATIENCE_MS; i++) {
		if (!file_read(VERIFY, text, sizeof(text)) &&
		    strcmp(text, "free\n") == 0)
			return true;
		nanosleep(&ms, NULL);
	}
	return false;
}

TEST_F(verify, what_perfmon_writes_is_as_it_should_be)
{
	expect_verified(_metadata, "ok\n");
	counted_loop(100000);
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	expect_verified(_metadata, "ok\n");
	close(self->fd);
	self->fd = -1;
	EXPECT_TRUE(is_free_soon());
	EXPECT_FALSE(kmsg_says(self->kmsg, "somebody else"));
}

TEST_F(verify, what_others_write_is_told_with_register_and_both_values)
{
	char expected[128];

	snprintf(expected, sizeof(expected),
		 "CPU 0: MSR %#x is 0x0, not %#llx\n", self->selector,
		 (unsigned long long)self->value);
	write_selector(_metadata, self, 0);
	expect_verified(_metadata, expected);
	/* Reading repairs nothing. */
	expect_verified(_metadata, expected);
	write_selector(_metadata, self, self->value);
	expect_verified(_metadata, "ok\n");
}

TEST_F(verify, what_others_wrote_is_logged_when_the_pmu_is_given_back)
{
	char expected[128];

	snprintf(expected, sizeof(expected),
		 "CPU 0: MSR %#x is 0x0, not %#llx: somebody else",
		 self->selector, (unsigned long long)self->value);
	write_selector(_metadata, self, 0);
	close(self->fd);
	self->fd = -1;
	ASSERT_TRUE(is_free_soon());
	EXPECT_TRUE(kmsg_says(self->kmsg, expected));
}

TEST_HARNESS_MAIN

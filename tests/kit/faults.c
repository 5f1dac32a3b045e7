// SPDX-License-Identifier: GPL-2.0-only
/* The kernel's fault injection. What it does, it writes to its log. */
#include "faults.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "array_size.h"
#include "attr.h"
#include "kmsg.h"

#define DEBUGFS "/sys/kernel/debug/"
#define PAGES DEBUGFS "fail_page_alloc/"
#define FAIL_NTH "/proc/thread-self/fail-nth"
#define FAIL_THREAD "/proc/thread-self/make-it-fail"

/*
 * No whole pages fail, unless pages_fail_after() is asked to: smaller objects
 * are made of some now and then, and places would have other numbers each time.
 * Verbosity 1 is a line in the log, 2 is a call trace, which looks like trouble.
 */
static const struct knob {
	const char *path;
	const char *value;
	const char *usual;
} knobs[] = {
	{ DEBUGFS "failslab/ignore-gfp-wait", "N", "Y" },
	{ PAGES "min-order", "100", "1" },
	{ DEBUGFS "failslab/verbose", "1", "2" },
	{ DEBUGFS "fail_usercopy/verbose", "1", "2" },
};

static const char *const names[FAULT_QUIET] = {
	[FAULT_SLAB] = "name failslab",
	[FAULT_COPY] = "name fail_usercopy",
};

static int kmsg[FAULT_QUIET];

int faults_start(void)
{
	unsigned int i;

	if (access(FAIL_NTH, F_OK))
		return -1;
	for (i = 0; i < ARRAY_SIZE(knobs); i++)
		if (file_write(knobs[i].path, knobs[i].value))
			return -1;
	for (i = 0; i < FAULT_QUIET; i++) {
		kmsg[i] = kmsg_open();
		if (kmsg[i] < 0)
			return -1;
	}
	return 0;
}

void faults_end(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(knobs); i++)
		file_write(knobs[i].path, knobs[i].usual);
}

int fault_after(int n)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", n);
	return file_write(FAIL_NTH, text);
}

/* If one is left it may hit the opening of this file, which then has no 0. */
bool fault_pending(void)
{
	return file_number(FAIL_NTH) != 0;
}

static enum fault fault_logged(void)
{
	enum fault fault, seen = FAULT_QUIET;

	for (fault = 0; fault < FAULT_QUIET; fault++)
		if (kmsg_says(kmsg[fault], names[fault]))
			seen = fault;
	return seen;
}

/*
 * A reader of the log does not see beyond a message that another CPU is about to
 * write, which was not there yet when ours was.
 */
enum fault fault_seen(void)
{
	enum fault seen = fault_logged();

	if (seen != FAULT_QUIET)
		return seen;
	usleep(2000);
	return fault_logged();
}

/* Pages of buffers may be high memory and may be waited for. */
static const struct knob page_knobs[] = {
	{ PAGES "task-filter", "Y", "N" },
	{ PAGES "ignore-gfp-wait", "N", "Y" },
	{ PAGES "ignore-gfp-highmem", "N", "Y" },
	{ PAGES "verbose", "0", "2" },
	{ PAGES "times", "-1", "1" },
	{ PAGES "min-order", "0", "100" },
	{ PAGES "probability", "100", "0" },
};

/* Open while pages fail: to open it might need one. */
static int fail_thread = -1;

int pages_fail_after(int n)
{
	char text[16];
	unsigned int i;
	int err;

	fail_thread = open(FAIL_THREAD, O_WRONLY | O_CLOEXEC);
	if (fail_thread < 0)
		return errno;
	for (i = 0; i < ARRAY_SIZE(page_knobs); i++) {
		err = file_write(page_knobs[i].path, page_knobs[i].value);
		if (err)
			return err;
	}
	/* One more than may be had. */
	snprintf(text, sizeof(text), "%d", n + 1);
	err = file_write(PAGES "space", text);
	if (!err && write(fail_thread, "1", 1) < 0)
		err = errno;
	return err;
}

void pages_end(void)
{
	unsigned int i;

	if (write(fail_thread, "0", 1) != 1)
		perror(FAIL_THREAD);
	close(fail_thread);
	for (i = ARRAY_SIZE(page_knobs); i-- > 0;)
		file_write(page_knobs[i].path, page_knobs[i].usual);
}

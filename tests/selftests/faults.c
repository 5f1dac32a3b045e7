// SPDX-License-Identifier: GPL-2.0-only
/* The kernel's fault injection. What it does, it writes to its log. */
#include "faults.h"

#include <stdio.h>
#include <unistd.h>

#include "attr.h"
#include "kmsg.h"

#define DEBUGFS "/sys/kernel/debug/"
#define FAIL_NTH "/proc/thread-self/fail-nth"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof(*(array)))

/*
 * No whole pages fail: smaller objects are made of some now and then, and places
 * would have other numbers each time. Verbosity 1 is a line in the log, 2 is a
 * call trace, which looks like trouble.
 */
static const struct knob {
	const char *path;
	const char *value;
	const char *usual;
} knobs[] = {
	{ DEBUGFS "failslab/ignore-gfp-wait", "N", "Y" },
	{ DEBUGFS "fail_page_alloc/min-order", "100", "1" },
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

enum fault fault_seen(void)
{
	enum fault fault, seen = FAULT_QUIET;

	for (fault = 0; fault < FAULT_QUIET; fault++)
		if (kmsg_says(kmsg[fault], names[fault]))
			seen = fault;
	return seen;
}

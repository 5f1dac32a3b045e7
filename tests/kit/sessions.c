// SPDX-License-Identifier: GPL-2.0-only
/* The number of attached sessions. */
#include "sessions.h"

#include <string.h>
#include <time.h>

#include "attr.h"

long sessions_attached(void)
{
	return (long)attr_number("task_sessions_count");
}

long cpu_sessions_attached(void)
{
	return (long)attr_number("sys_sessions_count");
}

bool sessions_attached_becomes(long count)
{
	const struct timespec ms = { .tv_nsec = 1000000 };
	int i;

	for (i = 0; i < 1000 && sessions_attached() != count; i++)
		nanosleep(&ms, NULL);
	return sessions_attached() == count;
}

/* Attached sessions, their buffers, and perfmon's hold of the PMU. */
static bool nothing_is_left_now(void)
{
	char owner[64];

	return !sessions_attached() && !cpu_sessions_attached() &&
	       !attr_number("smpl_buffer_mem_cur") &&
	       !attr_read("pmu_owner", owner, sizeof(owner)) &&
	       !strcmp(owner, "none\n");
}

bool nothing_is_left(void)
{
	const struct timespec ms = { .tv_nsec = 1000000 };
	int i;

	for (i = 0; i < 2000 && !nothing_is_left_now(); i++)
		nanosleep(&ms, NULL);
	return nothing_is_left_now();
}

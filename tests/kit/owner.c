// SPDX-License-Identifier: GPL-2.0-only
/* The files in debugfs and sysfs about the owner of the PMU. */
#include "owner.h"

#include <string.h>

#include "attr.h"

int linger_set(const char *ms)
{
	return file_write(PERFMON_DEBUGFS "linger_ms", ms);
}

int hooks_enabled(void)
{
	return (int)file_number(PERFMON_DEBUGFS "hooks_enabled");
}

int64_t pmu_taken(void)
{
	return file_number(PERFMON_DEBUGFS "pmu_taken_count");
}

bool pmu_owner_is(const char *name)
{
	char text[64];

	if (attr_read("pmu_owner", text, sizeof(text)))
		return false;
	text[strcspn(text, "\n")] = '\0';
	return !strcmp(text, name);
}

// SPDX-License-Identifier: GPL-2.0-only
/* What the administrator does meanwhile. */
#include <fcntl.h>
#include <unistd.h>

#include "calls.h"

#define ENABLED "/sys/kernel/perfmon/enabled"

static int set_enabled(const char *value)
{
	int fd = open(ENABLED, O_WRONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -1;
	n = write(fd, value, 1);
	close(fd);
	return n == 1 ? 0 : -1;
}

/*
 * Takes the PMU back from all sessions, which are ended by that, and lets new
 * ones be created again. The others go on meanwhile with those that there were.
 */
const char *fuzz_take_back(struct fuzzer *f)
{
	TELL(f, "the end of all sessions");
	if (set_enabled("0"))
		return "the sessions cannot be ended";
	TELL(f, "permission for new ones");
	return set_enabled("1") ? "it cannot be enabled again" : NULL;
}

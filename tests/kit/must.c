// SPDX-License-Identifier: GPL-2.0-only
/* Calls that a test cannot go on without. */
#include "must.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kselftest.h"

void must(int rc, const char *what)
{
	if (!rc)
		return;
	printf("# %s: %s\n", what, strerror(errno));
	fflush(stdout);
	_exit(KSFT_FAIL);
}

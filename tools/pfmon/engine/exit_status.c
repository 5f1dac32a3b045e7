// SPDX-License-Identifier: GPL-2.0-only
/* What pfmon exits with when a command has ended, see measure.h. */
#include <sys/wait.h>

#include "diag.h"
#include "engine/measure.h"

int measure_exit_status(int wait_status)
{
	if (WIFSIGNALED(wait_status))
		return STATUS_SIGNAL + WTERMSIG(wait_status);
	return WEXITSTATUS(wait_status);
}

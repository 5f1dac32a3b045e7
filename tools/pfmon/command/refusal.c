// SPDX-License-Identifier: GPL-2.0-only
/*
 * One voice for two ways of launching: with ptrace pfmon itself attaches to the
 * command, without it the child does and sends the errno through a pipe.
 */
#include "command/refusal.h"

#include <errno.h>
#include <string.h>

#include "diag.h"

int refusal_of_command(int error)
{
	const char *why = strerror(error);

	if (error == EEXIST)
		why = "another session counts it already";
	else if (error == EBUSY)
		why = "a system-wide session is active; end it first";
	else if (error == ENOMEM)
		why = "no memory for what children inherit; raise ulimit -l, or use --follow=ptrace";
	return diag("cannot count the command: %s", why);
}

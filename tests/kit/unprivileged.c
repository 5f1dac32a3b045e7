// SPDX-License-Identifier: GPL-2.0-only
/* Gives up all privileges in a child and runs a function there. */
#include "unprivileged.h"

#include <grp.h>
#include <unistd.h>

#include "child.h"

struct call {
	gid_t group;
	int (*fn)(void *arg);
	void *arg;
};

#define CANNOT_DROP 255

static int drop_and_call(void *arg)
{
	const struct call *call = arg;

	if (setgroups(call->group == NO_GROUP ? 0 : 1, &call->group) ||
	    setresgid(NOBODY, NOBODY, NOBODY) ||
	    setresuid(NOBODY, NOBODY, NOBODY))
		return CANNOT_DROP;
	return call->fn(call->arg);
}

int unprivileged(gid_t group, int (*fn)(void *arg), void *arg)
{
	struct call call = { .group = group, .fn = fn, .arg = arg };
	int status = child_wait(child_start(drop_and_call, &call));

	return status == CANNOT_DROP ? -1 : status;
}

// SPDX-License-Identifier: GPL-2.0-only
/* Children by vfork() and by posix_spawn(), each of which is this program again. */
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "truth.h"

extern char **environ;

WORK(by_vfork, 300000)
WORK(by_spawn, 700000)

static pid_t start(char *self, int i)
{
	char *vforked[] = { self, "v", NULL }, *spawned[] = { self, "s", NULL };
	pid_t pid;

	if (i % 2)
		return posix_spawn(&pid, self, NULL, NULL, spawned, environ) ?
			       -1 :
			       pid;
	pid = vfork();
	if (!pid) {
		execv(self, vforked);
		_exit(127);
	}
	return pid;
}

int main(int argc, char **argv)
{
	int status = 0;

	if (argc > 1) {
		if (*argv[1] == 'v')
			by_vfork();
		else
			by_spawn();
		return 0;
	}
	for (int i = 0; i < 40 && !status; i++) {
		if (waitpid(start(argv[0], i), &status, 0) < 0)
			return 1;
	}
	return status != 0;
}

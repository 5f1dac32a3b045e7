// SPDX-License-Identifier: GPL-2.0-only
/* Children one after the other, each of which is shorter than a default period. */
#include <sys/wait.h>
#include <unistd.h>

#include "truth.h"

WORK(in_child, 40000)
WORK(in_parent, 10000)

int main(void)
{
	for (int i = 0; i < 300; i++) {
		pid_t pid = fork();

		if (pid < 0)
			return 1;
		if (!pid) {
			in_child();
			_exit(0);
		}
		in_parent();
		if (waitpid(pid, NULL, 0) != pid)
			return 1;
	}
	return 0;
}

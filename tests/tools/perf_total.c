// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf_total COMMAND WORD...: the user instructions of a command with all threads and
 * children, from its execve() on, as perf_event counts them with inheritance of its
 * own. A judge of what pfmon counts, which the kernel brings; perfmon gives it the PMU
 * when nobody has a session.
 */
#include <linux/perf_event.h>

/* The declarations are those of nolibc.h, see mk/nolibc.mk. */
static int count_instructions(int pid)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.disabled = 1,
		.inherit = 1,
		.enable_on_exec = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	return (int)my_syscall5(__NR_perf_event_open, &attr, pid, -1, -1, 0);
}

/* The command, once it is counted. */
static int become(int go, char **argv)
{
	char byte;

	if (read(go, &byte, 1) == 1)
		execve(argv[0], argv, environ);
	return 127;
}

int main(int argc, char **argv)
{
	unsigned long long count = 0;
	int go[2], event, child, status = -1;

	if (argc < 2 || my_syscall2(__NR_pipe2, go, 0))
		return 125;
	child = fork();
	if (!child)
		return become(go[0], argv + 1);
	event = count_instructions(child);
	if (event < 0 || write(go[1], "", 1) != 1)
		return 125;
	waitpid(child, &status, 0);
	if (status || read(event, &count, sizeof(count)) != sizeof(count))
		return 125;
	printf("%llu\n", count);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts a command from its first instruction to its last, with the v2.81 calls.
 *
 *	task [COMMAND [ARGUMENT...]]
 *
 * Without a command it counts itself with two loops, of which the second is
 * longer by a known number of instructions.
 */
#include <err.h>
#include <inttypes.h>
#include <perfmon/perfmon.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "program.h"
#include "tracee.h"
#include "work.h"

/* How much two starts of one program may differ, because of addresses. */
#define START_DIFFERS 10000

static const char *const events[] = { "instructions", "cycles" };

/* Counts the command; returns the instructions. */
static uint64_t count_command(char **argv)
{
	pfarg_pmd_t pmds[2];
	pfarg_msg_t msg;
	pfarg_ctx_t ctx = { 0 };
	pfarg_load_t load = { 0 };
	pid_t child;
	int fd = pfm_create_context(&ctx, NULL, NULL, 0);

	if (fd < 0)
		err(1, "cannot create a context");
	program_events(fd, 0, events, 2, pmds);
	if (pfm_write_pmds(fd, pmds, 2))
		err(1, "cannot clear the counters");

	child = start_command(argv);
	load.load_pid = (uint32_t)child;
	if (pfm_load_context(fd, &load) || pfm_start(fd, NULL))
		err(1, "cannot count %s", argv[0]);
	release_thread(child);

	/* The context outlives the thread, and tells of its end. */
	if (read(fd, &msg, sizeof(msg)) != sizeof(msg) ||
	    msg.type != PFM_MSG_END)
		errx(1, "a message, and not of the end");
	if (pfm_read_pmds(fd, pmds, 2))
		err(1, "cannot read the counters");
	if (!wait_for_child(child))
		warnx("%s has failed", argv[0]);
	close(fd);

	printf("%" PRIu64 " instructions, %" PRIu64 " cycles: %s\n",
	       pmds[0].reg_value, pmds[1].reg_value, argv[0]);
	return pmds[0].reg_value;
}

static uint64_t count_loop(const char *passes)
{
	char *argv[] = { "/proc/self/exe", "--loop", strdup(passes), NULL };

	return count_command(argv);
}

int main(int argc, char **argv)
{
	int64_t difference;

	if (argc == 3 && !strcmp(argv[1], "--loop")) {
		work(strtoul(argv[2], NULL, 0));
		return 0;
	}
	if (argc > 1) {
		count_command(argv + 1);
		return 0;
	}

	difference = (int64_t)(count_loop("3000000") - count_loop("1000000"));
	printf("%" PRId64 " instructions more\n", difference);
	difference -= (int64_t)(2000000 * WORK_INSTRUCTIONS);
	if (llabs(difference) > START_DIFFERS)
		errx(1, "%llu expected", 2000000 * WORK_INSTRUCTIONS);
	return 0;
}

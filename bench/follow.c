// SPDX-License-Identifier: GPL-2.0-only
/*
 * What pfmon adds to each thread and each child of a command that it follows: by
 * the kernel's inheritance and by ptrace, with one event and with six. All
 * instructions of the machine, of pfmon, the command and the kernel, whose ticks
 * are among them. Prints a line for each; the status is 1 if one is dearer than it
 * may be.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "array_size.h"
#include "meter.h"
#include "pmu.h"

#define CROWD "/tests/tools/crowd"
#define FEW "16"
#define MANY "272"
#define MORE 256
#define ROUNDS 3

static const char *const modes[] = { "threads", "forks" };

/* Six that every processor can count at once, whatever they mean there. */
static const char *const events[] = {
	"instructions",
	"instructions,cycles,rc2,rc3,rc4,rc5",
};

static const struct {
	const char *name;
	const char *follow;
	/* Instructions that each member of modes[] may cost. */
	uint64_t limit[ARRAY_SIZE(modes)];
} means[] = {
	{ "kernel", "--follow=kernel", { 5000, 6000 } },
	{ "ptrace", "--follow=ptrace", { 25000, 32000 } },
};

/* Runs a command that says nothing; false if it fails. */
static bool run(const char *const *words)
{
	posix_spawn_file_actions_t actions;
	int status = -1;
	pid_t child;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null",
					 O_WRONLY, 0);
	if (!posix_spawnp(&child, words[0], &actions, NULL,
			  (char *const *)words, environ))
		waitpid(child, &status, 0);
	posix_spawn_file_actions_destroy(&actions);
	return !status;
}

/* The instructions of one command, the least of a few runs; 0 if it fails. */
static uint64_t least_run(const char *const *words)
{
	struct cost least = DEAREST;
	struct meter meter;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		meter_start(&meter);
		if (!run(words))
			return 0;
		keep_least(&least, meter_stop(&meter));
	}
	return least.instructions;
}

/* What each member of a crowd costs; 0 if something fails. */
static uint64_t each_member(const char *mode, const char *follow,
			    const char *list)
{
	const char *words[] = { "pfmon", "stat", follow, "-e", list,
				CROWD,	 mode,	 FEW,	 "1",  NULL };
	const char *const *command = words + (follow ? 0 : 5);
	uint64_t few = least_run(command), many;

	words[7] = MANY;
	many = least_run(command);
	return few && many > few ? (many - few) / MORE : 0;
}

static bool print_mode(unsigned int mode)
{
	uint64_t base = each_member(modes[mode], NULL, NULL);
	unsigned int m, e;
	bool good = base > 0;

	printf("%-8s %-8s %6s %8llu\n", modes[mode], "none", "-",
	       (unsigned long long)base);
	for (m = 0; m < ARRAY_SIZE(means); m++)
		for (e = 0; e < ARRAY_SIZE(events); e++) {
			uint64_t limit = means[m].limit[mode];
			uint64_t all = each_member(modes[mode], means[m].follow,
						   events[e]);
			bool kept = all > base && all - base <= limit;

			printf("%-8s %-8s %6d %8llu %8llu%s\n", modes[mode],
			       means[m].name, e ? 6 : 1,
			       (unsigned long long)(all - base),
			       (unsigned long long)limit, kept ? "" : "  OVER");
			good &= kept;
		}
	return good;
}

int main(void)
{
	unsigned int mode;
	bool good = true;

	if (!pmu_get() || meter_open()) {
		fprintf(stderr, "follow: not the test machine\n");
		return 1;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("# %s: what following adds to each member of a crowd\n",
	       pmu_get()->model);
	printf("# made     means    events  instructions, at most\n");
	for (mode = 0; mode < ARRAY_SIZE(modes); mode++)
		good &= print_mode(mode);
	if (!good)
		printf("# a way to follow is too dear\n");
	return !good;
}

// SPDX-License-Identifier: GPL-2.0-only
/* Many sessions: the instructions that create them and the memory they take. */
#include "crowd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <perfmon/perfmon.h>

#include "machine.h"
#include "msr.h"

/* Descriptors of the process besides the sessions. */
#define OTHER_FDS 100

static int allow_fds(unsigned int n)
{
	struct rlimit limit = { .rlim_cur = n + OTHER_FDS,
				.rlim_max = n + OTHER_FDS };

	return setrlimit(RLIMIT_NOFILE, &limit);
}

/*
 * Bytes of the kernel's objects: sessions are nothing else. Free memory would
 * also tell what others do with theirs.
 */
static uint64_t object_memory(void)
{
	char line[128];
	unsigned long long kilobytes = 0;
	FILE *file = fopen("/proc/meminfo", "r");

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "Slab: %llu", &kilobytes) == 1)
			break;
	if (file)
		fclose(file);
	return kilobytes * 1024;
}

static int create_all(struct crowd *crowd, int msr)
{
	uint64_t before = 0, cost = 0;
	unsigned int i;

	for (i = 0; i < crowd->n; i++) {
		if (msr >= 0)
			before = msr_stat(msr, PMU_STAT_INSNS);
		crowd->fds[i] = pfm_create_session(0);
		if (crowd->fds[i] < 0)
			return -1;
		if (msr >= 0)
			cost = msr_stat(msr, PMU_STAT_INSNS) - before;
		/* The warm-up has left memory for those before. */
		if (i >= CROWD_ENDS && i < 2 * CROWD_ENDS)
			crowd->first += cost;
		if (i >= crowd->n - CROWD_ENDS)
			crowd->last += cost;
	}
	crowd->first /= CROWD_ENDS;
	crowd->last /= CROWD_ENDS;
	return 0;
}

static void close_sessions(struct crowd *crowd)
{
	unsigned int i;

	for (i = 0; i < crowd->n && crowd->fds[i] >= 0; i++)
		close(crowd->fds[i]);
}

/* Those that begin the measured crowd do not pay for the first use of it all. */
static int warm_up(void)
{
	int fds[CROWD_ENDS];
	struct crowd some = { .fds = fds, .n = CROWD_ENDS };

	memset(fds, -1, sizeof(fds));
	if (create_all(&some, -1))
		return -1;
	close_sessions(&some);
	return 0;
}

int crowd_create(struct crowd *crowd, unsigned int n)
{
	uint64_t before;
	int msr, rc;

	*crowd = (struct crowd){ .n = n, .fds = malloc(n * sizeof(int)) };
	if (!crowd->fds)
		return -1;
	memset(crowd->fds, -1, n * sizeof(int));
	if (pin_to_cpu(0) || allow_fds(n) || warm_up())
		return -1;
	msr = msr_open(0);
	object_memory();
	before = object_memory();
	rc = create_all(crowd, msr);
	crowd->bytes = (object_memory() - before) / n;
	if (msr >= 0)
		close(msr);
	return rc;
}

void crowd_close(struct crowd *crowd)
{
	if (!crowd->fds)
		return;
	close_sessions(crowd);
	free(crowd->fds);
}

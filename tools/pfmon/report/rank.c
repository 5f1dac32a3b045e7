// SPDX-License-Identifier: GPL-2.0-only
/* The place in a parallel job, see rank.h. */
#include "report/rank.h"

#include <stdlib.h>
#include <string.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* A rank is part of names of files. */
static const char *number(const char *name)
{
	const char *text = getenv(name);

	if (!text || !*text || strlen(text) > 19 ||
	    text[strspn(text, "0123456789")])
		return NULL;
	return text;
}

static const char *first(const char *const names[], size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *text = number(names[i]);

		if (text)
			return text;
	}
	return NULL;
}

const char *rank_own(void)
{
	static const char *const names[] = {
		"PMIX_RANK",   "OMPI_COMM_WORLD_RANK", "PMI_RANK",
		"PALS_RANKID", "MV2_COMM_WORLD_RANK",
	};
	const char *rank = first(names, ARRAY_SIZE(names));

	/* A batch script has the second as well, without being a rank. */
	if (!rank && getenv("SLURM_STEP_ID"))
		rank = number("SLURM_PROCID");
	return rank;
}

unsigned int rank_count(void)
{
	static const char *const names[] = {
		"OMPI_COMM_WORLD_SIZE",
		"PMI_SIZE",
		"MV2_COMM_WORLD_SIZE",
		"SLURM_STEP_NUM_TASKS",
	};
	const char *count = rank_own() ? first(names, ARRAY_SIZE(names)) : NULL;
	unsigned long ranks = count ? strtoul(count, NULL, 10) : 0;

	return ranks < 100000000 ? (unsigned int)ranks : 0;
}

const char *rank_job(void)
{
	static const char *const names[] = { "SLURM_JOB_ID", "PBS_JOBID",
					     "LSB_JOBID" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const char *job = getenv(names[i]);

		/* It becomes part of a file's name. */
		if (job && *job && strlen(job) < 64 && !strchr(job, '/'))
			return job;
	}
	return NULL;
}

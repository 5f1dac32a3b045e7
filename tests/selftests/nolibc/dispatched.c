// SPDX-License-Identifier: GPL-2.0-only
/*
 * dispatched PROCESSOR: does the kernel accept what the library says for cycles
 * and instructions, and do the counters count them exactly? Does it accept the
 * other events? For processors on
 * which programs with a C library do not run; byname.c is the test of others.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "counter_check.h"
#include "dispatched.h"
#include "pmrs.h"
#include "pmu.h"

static bool any_level(uint16_t pmd)
{
	const struct pmu *pmu = pmu_all();
	unsigned int i;

	for (i = 0; pmu && i < pmu->counters; i++)
		if (pmu->counter[i].pmd == pmd)
			return pmu->counter[i].known &&
			       pmu->counter[i].known->any_level;
	return false;
}

static int session(const struct dispatched *values)
{
	int fd = pfm_create_session(0);
	unsigned int i;

	for (i = 0; fd >= 0 && i < values->num_pmcs; i++)
		if (write_pmc(fd, values->pmcs[i].num, values->pmcs[i].value)) {
			printf("# pmc%u = 0x%llx: error %d\n",
			       values->pmcs[i].num,
			       (unsigned long long)values->pmcs[i].value,
			       errno);
			close(fd);
			return -1;
		}
	if (fd >= 0 && attach_self(fd)) {
		close(fd);
		return -1;
	}
	return fd;
}

static bool counts(const struct dispatched *values)
{
	int fd = session(values);
	bool exact;

	if (fd < 0)
		return false;
	exact = counts_exactly(fd, values->pmd, values->num, values->den,
			       any_level(values->pmd));
	close(fd);
	return exact;
}

static bool accepts(const struct dispatched *values)
{
	int fd = session(values);

	if (fd >= 0)
		close(fd);
	else
		printf("# %s is refused\n", values->event);
	return fd >= 0;
}

int main(int argc, char **argv)
{
	unsigned int number = 0, failures = 0, accepted = 0, refused = 0;
	const struct dispatched *values;
	bool passed;

	for (values = dispatched_values; values->processor; values++) {
		if (argc < 2 || strcmp(values->processor, argv[1]))
			continue;
		passed = accepts(values);
		accepted += passed;
		refused += !passed;
		if (!values->num)
			continue;
		passed = counts(values);
		printf("%s %u - %s counts exactly\n", passed ? "ok" : "not ok",
		       ++number, values->event);
		failures += !passed;
	}
	if (!number) {
		printf("Bail out! no values of this processor\n");
		return 1;
	}
	printf("%s %u - the kernel accepts every event, %u of %u\n",
	       refused ? "not ok" : "ok", ++number, accepted,
	       accepted + refused);
	printf("1..%u\n", number);
	return failures || refused;
}

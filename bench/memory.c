// SPDX-License-Identifier: GPL-2.0-only
/*
 * What ten thousand sessions cost: the kernel's memory for one of them, and the
 * instructions that create the first and the last hundred.
 */
#include <stdio.h>

#include "crowd.h"
#include "pmu.h"

#define SESSIONS 10000

int main(void)
{
	struct crowd crowd;

	if (!pmu_get() || crowd_create(&crowd, SESSIONS)) {
		perror("memory: cannot create the sessions");
		return 1;
	}
	printf("%s: %u detached sessions at once\n", pmu_get()->model, crowd.n);
	printf("%8llu bytes for each\n", (unsigned long long)crowd.bytes);
	printf("%8llu instructions to create one of the first %d\n",
	       (unsigned long long)crowd.first, CROWD_ENDS);
	printf("%8llu instructions to create one of the last %d\n",
	       (unsigned long long)crowd.last, CROWD_ENDS);
	crowd_close(&crowd);
	return 0;
}

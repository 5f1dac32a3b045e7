// SPDX-License-Identifier: GPL-2.0-only
/* Works for moments, and sleeps between them. */
#include <time.h>

#include "truth.h"

WORK(awake, 75000)
WORK(dozing, 25000)

int main(void)
{
	const struct timespec pause = { .tv_nsec = 1000000 };

	for (int i = 0; i < 100; i++) {
		awake();
		nanosleep(&pause, NULL);
		dozing();
	}
	return 0;
}

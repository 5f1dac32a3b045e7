// SPDX-License-Identifier: GPL-2.0-only
/* Threads that end before the first tick, and before the first period. */
#include <pthread.h>
#include <stddef.h>

#include "truth.h"

WORK(glimpse, 20000)

static void *run(void *arg)
{
	glimpse();
	return arg;
}

int main(void)
{
	for (int i = 0; i < 300; i++) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, run, NULL) ||
		    pthread_join(thread, NULL))
			return 1;
	}
	return 0;
}

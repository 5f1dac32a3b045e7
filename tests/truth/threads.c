// SPDX-License-Identifier: GPL-2.0-only
/* Eight threads at once, of which each does more than the one before it. */
#include <pthread.h>
#include <stdint.h>

#include "truth.h"

FUNCTION static void work(unsigned long passes)
{
	SPIN(passes);
}

static void *run(void *arg)
{
	work((uintptr_t)arg * 250000);
	return NULL;
}

int main(void)
{
	pthread_t threads[8];

	for (uintptr_t i = 0; i < 8; i++) {
		if (pthread_create(&threads[i], NULL, run, (void *)(i + 1)))
			return 1;
	}
	for (int i = 0; i < 8; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

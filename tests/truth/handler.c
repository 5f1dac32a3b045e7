// SPDX-License-Identifier: GPL-2.0-only
/* Half of the work is done in a signal handler. */
#include <signal.h>

#include "truth.h"

WORK(handled, 50000)
WORK(interrupted, 50000)

static void handler(int signal)
{
	(void)signal;
	handled();
	__asm__ volatile("");
}

int main(void)
{
	signal(SIGUSR1, handler);
	for (int i = 0; i < 100; i++) {
		interrupted();
		raise(SIGUSR1);
	}
	return 0;
}

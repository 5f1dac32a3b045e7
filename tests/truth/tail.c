// SPDX-License-Identifier: GPL-2.0-only
/* A function whose last call is a jump: it is gone while the callee runs. */
#include "truth.h"

WORK(own_part, 20000)
WORK(callee, 80000)

FUNCTION static void jumps(void)
{
	own_part();
	callee();
}

int main(void)
{
	for (int i = 0; i < 100; i++) {
		jumps();
		__asm__ volatile("");
	}
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * 200 rounds of about 200013 instructions: half of a round is 100006, a fifth of the
 * default period is 200001, so that samples of equal periods keep step with it.
 */
#include "truth.h"

WORK(hot50, 50000)
WORK(mid30, 30000)
WORK(low20, 20000)

FUNCTION static void outer(void)
{
	hot50();
	mid30();
	__asm__ volatile("");
}

int main(void)
{
	for (int i = 0; i < 200; i++) {
		outer();
		low20();
	}
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/* Three phases, each of which is over before the next one begins. */
#include "truth.h"

WORK(first, 10000000)
WORK(second, 6000000)
WORK(third, 4000000)

int main(void)
{
	first();
	second();
	third();
	return 0;
}

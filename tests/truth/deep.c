// SPDX-License-Identifier: GPL-2.0-only
/* Twenty calls, each with so much on the stack that no copy of it has them all. */
#include "truth.h"

WORK(bottom, 1000000)

FUNCTION static int deeper(int left)
{
	volatile char room[4096];
	int ret = 1;

	room[0] = (char)left;
	if (left)
		ret += deeper(left - 1);
	else
		bottom();
	return ret + room[0] - room[0];
}

int main(void)
{
	int sum = 0;

	for (int i = 0; i < 10; i++)
		sum += deeper(19);
	return sum != 200;
}

// SPDX-License-Identifier: GPL-2.0-only
/* A function that calls itself ten times; all of the work is at the bottom. */
#include "truth.h"

WORK(bottom, 100000)

FUNCTION static int deeper(int left)
{
	int ret = 1;

	if (left)
		ret += deeper(left - 1);
	else
		bottom();
	__asm__ volatile("" : "+r"(ret));
	return ret;
}

int main(void)
{
	int sum = 0;

	for (int i = 0; i < 100; i++)
		sum += deeper(9);
	return sum != 1000;
}

// SPDX-License-Identifier: GPL-2.0-only
/* Goes on in the background, after the program that was started has ended. */
#include <unistd.h>

#include "truth.h"

WORK(foreground, 1000000)
WORK(background, 9000000)

int main(void)
{
	foreground();
	if (fork())
		return 0;
	setsid();
	if (fork())
		return 0;
	background();
	return 0;
}

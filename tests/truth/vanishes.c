// SPDX-License-Identifier: GPL-2.0-only
/* Removes its own file before it works, as test programs and compilers do. */
#include <unistd.h>

#include "truth.h"

WORK(still_here, 8000000)
WORK(remembered, 2000000)

int main(int argc, char **argv)
{
	if (argc != 1 || unlink(argv[0]))
		return 1;
	still_here();
	remembered();
	return 0;
}

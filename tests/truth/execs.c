// SPDX-License-Identifier: GPL-2.0-only
/* One process that becomes another program three times. */
#include <unistd.h>

#include "truth.h"

WORK(stage_1, 5000000)
WORK(stage_2, 3000000)
WORK(stage_3, 2000000)

int main(int argc, char **argv)
{
	char *next[] = { argv[0], argc > 1 ? "3" : "2", argc > 1 ? "" : NULL,
			 NULL };

	if (argc == 1)
		stage_1();
	else if (argc == 2)
		stage_2();
	else
		stage_3();
	if (argc < 3)
		execv(argv[0], next);
	return argc < 3;
}

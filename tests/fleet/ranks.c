// SPDX-License-Identifier: GPL-2.0-only
/*
 * ranks PASSES: a program of MPI whose ranks do unequal, known work. Rank N runs a loop
 * of two instructions N + 1 times PASSES times in its region "work", one more
 * instruction before it; then rank 0 is told by all what they did, and prints the sum.
 */
#include <stdio.h>
#include <stdlib.h>

#include <mpi.h>
#include <pfmon-mark.h>

static __attribute__((noipa)) void loop(unsigned long passes)
{
	unsigned long left;

	PFMON_REGION_BEGIN("work");
	__asm__ volatile("mov %1, %0\n\t"
			 "1: dec %0\n\t"
			 "jnz 1b"
			 : "=&r"(left)
			 : "m"(passes)
			 : "cc");
	PFMON_REGION_END("work");
	/* Else its last instructions would be before the call, in the region. */
	__asm__ volatile("");
}

int main(int argc, char **argv)
{
	unsigned long passes, sum;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	passes = argc > 1 ?
			 strtoul(argv[1], NULL, 0) * ((unsigned int)rank + 1) :
			 0;
	if (!passes) {
		fprintf(stderr, "usage: ranks PASSES\n");
		MPI_Abort(MPI_COMM_WORLD, 2);
	}
	loop(passes);
	MPI_Reduce(&passes, &sum, 1, MPI_UNSIGNED_LONG, MPI_SUM, 0,
		   MPI_COMM_WORLD);
	if (!rank)
		printf("%lu\n", sum);
	MPI_Finalize();
	return 0;
}

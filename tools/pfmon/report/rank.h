/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a launcher (mpirun, srun and others) has told a process of its place in a
 * parallel job: in the environment. Nothing is linked, nobody is asked.
 */
#ifndef PFMON_RANK_H
#define PFMON_RANK_H

/* The rank as text, NULL: started by no launcher. */
const char *rank_own(void);

/* How many ranks there are, 0: not told. */
unsigned int rank_count(void);

/* The number of the job, NULL: not in one. */
const char *rank_job(void);

#endif /* PFMON_RANK_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The verbs that read files of samples are another program: counting shall not pay
 * for their libraries.
 */
#ifndef PFMON_PROFILE_H
#define PFMON_PROFILE_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

#define PROFILE_PATH_MAX (PATH_MAX + 64)

/*
 * Executes the verb argv[0] there, in place of this program. Returns the status
 * after a message if that cannot be.
 */
int verb_profile(int argc, char **argv);

/* Whether one of the words is the name of a file of samples. */
bool profile_has_samples(int argc, char **argv);

/* The same for pfmon top, which has a program of its own. */
int verb_top(int argc, char **argv);

/*
 * Where it is. 0, or -1 with errno.
 */
int profile_program(char path[PROFILE_PATH_MAX]);

/*
 * Starts the program words[0] with no signal blocked. The descriptors become its
 * standard input, output and errors; of -1 it has pfmon's. 0, or an error number.
 */
int profile_spawn(char *const words[], const int standard[3], pid_t *pid);

/* Prints what that program was built with. The status. */
int profile_libraries(void);

#endif /* PFMON_PROFILE_H */

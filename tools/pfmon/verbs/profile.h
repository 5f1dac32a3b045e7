/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The verbs that read files of samples are another program: counting shall not pay
 * for their libraries.
 */
#ifndef PFMON_PROFILE_H
#define PFMON_PROFILE_H

/*
 * Executes the verb argv[0] there, in place of this program. Returns the status
 * after a message if that cannot be.
 */
int verb_profile(int argc, char **argv);

/* Prints what that program was built with. The status. */
int profile_libraries(void);

#endif /* PFMON_PROFILE_H */

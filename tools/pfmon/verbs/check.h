/* SPDX-License-Identifier: GPL-2.0-only */
/* pfmon check: what works here. */
#ifndef PFMON_CHECK_H
#define PFMON_CHECK_H

/*
 * argv[0] is "check". Returns 0 if user-level counting works, 1 if not, and 125
 * after a message.
 */
int verb_check(int argc, char **argv);

#endif /* PFMON_CHECK_H */

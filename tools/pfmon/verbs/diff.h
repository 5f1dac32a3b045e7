/* SPDX-License-Identifier: GPL-2.0-only */
/* pfmon diff: two results, and what is different between them. */
#ifndef PFMON_DIFF_H
#define PFMON_DIFF_H

/* argv[0] is "diff". Returns the exit status. */
int verb_diff(int argc, char **argv);

#endif /* PFMON_DIFF_H */

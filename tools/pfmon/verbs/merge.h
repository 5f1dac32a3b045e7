/* SPDX-License-Identifier: GPL-2.0-only */
/* pfmon merge: the results of many ranks, hosts or runs as one. */
#ifndef PFMON_MERGE_H
#define PFMON_MERGE_H

/* argv[0] is "merge". Returns the exit status. */
int verb_merge(int argc, char **argv);

#endif /* PFMON_MERGE_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/* The verbs that read files of samples. */
#ifndef PFMON_VIEW_VERBS_H
#define PFMON_VIEW_VERBS_H

/* Each takes its name and its words, and returns the status. */
int verb_annotate(int argc, char **argv);
int verb_export(int argc, char **argv);
int verb_diff_samples(int argc, char **argv);
int verb_merge_samples(int argc, char **argv);
int verb_report(int argc, char **argv);
int verb_script(int argc, char **argv);

/* Of pfmon, not of people: prints samples of the classic command line. */
int verb_classic(int argc, char **argv);

/* Of pfmon, too: prints where a function of a program begins. */
int verb_address(int argc, char **argv);

/* Of pfmon record, not of people: writes the chunks of SYMBOLS of a file. */
int verb_symbols(int argc, char **argv);

/* Likewise: finds the callers of samples that it is given. */
int verb_unwind(int argc, char **argv);

#endif /* PFMON_VIEW_VERBS_H */

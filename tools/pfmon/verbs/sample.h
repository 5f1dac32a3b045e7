/* SPDX-License-Identifier: GPL-2.0-only */
/* Samples of the classic command line, which are printed at the end. */
#ifndef PFMON_SAMPLE_H
#define PFMON_SAMPLE_H

#include "grammar/options.h"

/* argv is the command line. Returns the exit status of pfmon. */
int sample(struct options *options, char *const argv[]);

#endif /* PFMON_SAMPLE_H */

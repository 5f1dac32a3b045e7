/* SPDX-License-Identifier: GPL-2.0-only */
/* The first chunk of a file of samples: what was recorded, where and how. */
#ifndef PFMON_META_H
#define PFMON_META_H

#include "record/recording.h"

/* Writes it; argv is pfmon's command line. -1 with errno. */
int meta_write(struct recording *recording, char *const argv[]);

#endif /* PFMON_META_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/* A flame graph: thread, file and function, one above the other, as wide as their samples. */
#ifndef PFMON_FLAME_H
#define PFMON_FLAME_H

#include "export/folds.h"

/* Writes an element <svg>, with all that it needs. */
void flame_print(const struct folds *folds, const char *title, FILE *out);

#endif /* PFMON_FLAME_H */

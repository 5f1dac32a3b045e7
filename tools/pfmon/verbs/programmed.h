/* SPDX-License-Identifier: GPL-2.0-only */
/* What -v tells: the registers, before anything is counted. */
#ifndef PFMON_PROGRAMMED_H
#define PFMON_PROGRAMMED_H

#include "engine/measure.h"

/* On standard error. */
void programmed_print(const struct measurement *measurement);

#endif /* PFMON_PROGRAMMED_H */

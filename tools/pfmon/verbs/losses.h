/* SPDX-License-Identifier: GPL-2.0-only */
/* What is said of samples that a recording does not have. */
#ifndef PFMON_LOSSES_H
#define PFMON_LOSSES_H

#include "record/recording.h"

/* Prints a line for each reason. */
void losses_tell(const struct recording *recording);

#endif /* PFMON_LOSSES_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/* Counting: executes a request and reports what it found. */
#ifndef PFMON_COUNT_H
#define PFMON_COUNT_H

#include "request.h"

/* Returns the exit status of pfmon. */
int count(const struct request *request);

#endif /* PFMON_COUNT_H */

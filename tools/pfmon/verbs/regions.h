/* SPDX-License-Identifier: GPL-2.0-only */
/* pfmon stat -m: a command counts the regions that it has marked. */
#ifndef PFMON_VERB_REGIONS_H
#define PFMON_VERB_REGIONS_H

#include "request.h"

/* Executes the request. Returns the exit status of pfmon. */
int count_regions(const struct request *request);

#endif /* PFMON_VERB_REGIONS_H */

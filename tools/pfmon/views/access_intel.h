/* SPDX-License-Identifier: GPL-2.0-only */
/* What sampled instructions did in memory, by what processors of Intel say (PEBS). */
#ifndef PFMON_ACCESS_INTEL_H
#define PFMON_ACCESS_INTEL_H

#include "views/access.h"

/*
 * kind: what records of the event say. False: nothing of memory.
 */
bool access_decode_intel(const struct profile_processor *processor,
			 enum profile_access kind,
			 const struct profile_memory *memory,
			 struct access *access);

#endif /* PFMON_ACCESS_INTEL_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files that pfmon record has held open since it saw them mapped, for the program that
 * looks for their symbols: it has inherited the descriptors, and reads these rows.
 */
#ifndef PFMON_KEPT_H
#define PFMON_KEPT_H

#include "profile/pfmd.h"

struct kept_file {
	uint8_t build_id[PFMD_BUILD_ID_SIZE]; /* zeros: it has none */
	int32_t fd;
	struct pfmd_file file; /* if it has no build-id */
};

#endif /* PFMON_KEPT_H */

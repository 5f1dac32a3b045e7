/* SPDX-License-Identifier: GPL-2.0-only */
/* The build-id of an ELF file: a note of the linker that names its contents. */
#ifndef PFMON_BUILD_ID_H
#define PFMON_BUILD_ID_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/pfmd.h"

/* Of an open file. False if it has none; the id is all zeros then. */
bool build_id_read(int fd, uint8_t id[PFMD_BUILD_ID_SIZE]);

#endif /* PFMON_BUILD_ID_H */

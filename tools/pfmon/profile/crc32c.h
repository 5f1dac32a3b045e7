/* SPDX-License-Identifier: GPL-2.0-only */
/* The checksum of files of samples: CRC-32C, as iSCSI and ext4 have it. */
#ifndef PFMON_CRC32C_H
#define PFMON_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/*
 * The checksum of all before, which was crc (0: nothing), and of these bytes.
 */
uint32_t crc32c(uint32_t crc, const void *bytes, size_t size);

/* The same as processors without an instruction for it compute it. */
uint32_t crc32c_by_table(uint32_t crc, const void *bytes, size_t size);

#endif /* PFMON_CRC32C_H */

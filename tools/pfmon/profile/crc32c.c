// SPDX-License-Identifier: GPL-2.0-only
/*
 * CRC-32C, see crc32c.h: four bytes at a time, since samples come by the
 * hundred thousand each second.
 */
#include "profile/crc32c.h"

#include <string.h>

/* Castagnoli's polynomial, lowest bit first. */
#define POLYNOMIAL 0x82f63b78u

#define LANES 4

/* What a byte adds that is followed by so many others of its word. */
static uint32_t table[LANES][256];

static void make_table(void)
{
	for (uint32_t byte = 0; byte < 256; byte++) {
		uint32_t value = byte;

		for (int bit = 0; bit < 8; bit++)
			value = value >> 1 ^ (value & 1 ? POLYNOMIAL : 0);
		table[0][byte] = value;
	}
	for (int lane = 1; lane < LANES; lane++) {
		for (int byte = 0; byte < 256; byte++) {
			uint32_t value = table[lane - 1][byte];

			table[lane][byte] = value >> 8 ^ table[0][value & 0xff];
		}
	}
}

uint32_t crc32c(uint32_t crc, const void *bytes, size_t size)
{
	const unsigned char *byte = bytes;

	if (!table[0][1])
		make_table();
	crc = ~crc;
	for (; size >= LANES; size -= LANES, byte += LANES) {
		uint32_t word;

		memcpy(&word, byte, sizeof(word));
		crc ^= word;
		crc = table[3][crc & 0xff] ^ table[2][crc >> 8 & 0xff] ^
		      table[1][crc >> 16 & 0xff] ^ table[0][crc >> 24];
	}
	for (; size; size--, byte++)
		crc = crc >> 8 ^ table[0][(crc ^ *byte) & 0xff];
	return ~crc;
}

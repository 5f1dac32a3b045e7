// SPDX-License-Identifier: GPL-2.0-only
/*
 * CRC-32C, see crc32c.h: by the instruction of SSE4.2, and where there is none four
 * bytes at a time, since samples come by the hundred thousand each second.
 */
#include "profile/crc32c.h"

#include <stdbool.h>
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

#ifdef __x86_64__
static bool has_instruction(void)
{
	return __builtin_cpu_supports("sse4.2");
}

__attribute__((target("sse4.2"))) static uint32_t
by_instruction(uint32_t crc, const unsigned char *byte, size_t size)
{
	uint64_t wide = crc;

	for (; size >= sizeof(uint64_t);
	     size -= sizeof(uint64_t), byte += sizeof(uint64_t)) {
		uint64_t word;

		memcpy(&word, byte, sizeof(word));
		wide = __builtin_ia32_crc32di(wide, word);
	}
	crc = (uint32_t)wide;
	for (; size; size--, byte++)
		crc = __builtin_ia32_crc32qi(crc, *byte);
	return crc;
}
#else
static bool has_instruction(void)
{
	return false;
}

static uint32_t by_instruction(uint32_t crc, const unsigned char *byte,
			       size_t size)
{
	(void)byte;
	(void)size;
	return crc;
}
#endif

static uint32_t by_table(uint32_t crc, const unsigned char *byte, size_t size)
{
	if (!table[0][1])
		make_table();
	for (; size >= LANES; size -= LANES, byte += LANES) {
		uint32_t word;

		memcpy(&word, byte, sizeof(word));
		crc ^= word;
		crc = table[3][crc & 0xff] ^ table[2][crc >> 8 & 0xff] ^
		      table[1][crc >> 16 & 0xff] ^ table[0][crc >> 24];
	}
	for (; size; size--, byte++)
		crc = crc >> 8 ^ table[0][(crc ^ *byte) & 0xff];
	return crc;
}

uint32_t crc32c(uint32_t crc, const void *bytes, size_t size)
{
	return ~(has_instruction() ? by_instruction(~crc, bytes, size) :
				     by_table(~crc, bytes, size));
}

uint32_t crc32c_by_table(uint32_t crc, const void *bytes, size_t size)
{
	return ~by_table(~crc, bytes, size);
}

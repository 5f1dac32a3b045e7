// SPDX-License-Identifier: GPL-2.0-only
/* Calls in the code of x86, see call_code.h. */
#include "symbols/call_code.h"

#include <string.h>

/*
 * Bytes of opcode 0xff with this ModRM byte, 0: it is no call. /2 is a near call, /3 a
 * far one, which goes through memory only.
 */
static size_t indirect_size(uint8_t modrm, uint8_t sib)
{
	unsigned int mode = modrm >> 6, kind = modrm >> 3 & 7, base = modrm & 7;
	size_t size = 2;

	if (kind != 2 && (kind != 3 || mode == 3))
		return 0;
	if (mode == 3)
		return size;
	if (base == 4) {
		size++;
		base = sib & 7;
		if (mode == 0 && base == 5)
			return size + 4;
	} else if (mode == 0 && base == 5) {
		return size + 4;
	}
	return size + (mode == 1 ? 1 : mode == 2 ? 4 : 0);
}

static bool is_indirect(const uint8_t *end, size_t length)
{
	const uint8_t *call = end - length;

	return call[0] == 0xff &&
	       indirect_size(call[1], length > 2 ? call[2] : 0) == length;
}

bool call_code_before(const uint8_t *bytes, size_t size, int bits,
		      int32_t *direct)
{
	const uint8_t *end = bytes + size;

	*direct = 0;
	for (size_t length = 2; length <= size && length <= CALL_CODE_MAX;
	     length++) {
		if (is_indirect(end, length))
			return true;
	}
	if (size >= 5 && end[-5] == 0xe8) {
		memcpy(direct, end - 4, sizeof(*direct));
		return true;
	}
	/* Far, with the address in the code. */
	return bits == 32 && size >= 7 && end[-7] == 0x9a;
}

bool call_code_is_signal(const uint8_t *bytes, size_t size)
{
	static const struct {
		uint8_t size, bytes[CALL_CODE_SIGNAL];
	} known[] = {
		/* mov $15, %rax or %eax; syscall */
		{ 9, { 0x48, 0xc7, 0xc0, 15, 0, 0, 0, 0x0f, 0x05 } },
		{ 7, { 0xb8, 15, 0, 0, 0, 0x0f, 0x05 } },
		/* pop %eax; mov $119, %eax; int $0x80, and without pop of 173 */
		{ 8, { 0x58, 0xb8, 119, 0, 0, 0, 0xcd, 0x80 } },
		{ 7, { 0xb8, 173, 0, 0, 0, 0xcd, 0x80 } },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (size >= known[i].size &&
		    !memcmp(bytes, known[i].bytes, known[i].size))
			return true;
	}
	return false;
}

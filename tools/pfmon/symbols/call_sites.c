// SPDX-License-Identifier: GPL-2.0-only
/* Whether a call can have been made from a place, see call_sites.h. */
#include "symbols/call_sites.h"

#include <sys/mman.h>

#include "profile/read_places.h"
#include "symbols/call_code.h"

/* No call returns to the address behind the place: its code says so. */
static bool returns_nowhere(const struct elf_file *elf, uint64_t place)
{
	const uint8_t *code = NULL;
	size_t size = CALL_CODE_SIGNAL;
	int32_t direct = 0;

	code = elf_file_code(elf, place + 1, &size);
	if (code && call_code_is_signal(code, size))
		return false;
	/* The section may begin with the call. */
	for (size_t before = CALL_CODE_MAX; before > 1; before--) {
		size = before;
		code = place + 1 < before ?
			       NULL :
			       elf_file_code(elf, place + 1 - before, &size);
		if (code)
			break;
	}
	if (!code || !call_code_before(code, size, elf_file_bits(elf), &direct))
		return true;
	size = 1;
	return direct &&
	       !elf_file_code(elf, place + 1 + (uint64_t)direct, &size);
}

bool call_site_is_possible(const struct image *image,
			   const struct profile_map *map, uint64_t place,
			   uint64_t ip)
{
	const struct elf_file *elf = image ? image->elf : NULL;

	if (ip >= PLACES_KERNEL_START)
		return true;
	if (!map || !(map->prot & PROT_EXEC))
		return false;
	return !elf || !elf_file_has_code(elf) || !returns_nowhere(elf, place);
}

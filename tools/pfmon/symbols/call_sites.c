// SPDX-License-Identifier: GPL-2.0-only
/* Whether a call can have been made from a place, see call_sites.h. */
#include "symbols/call_sites.h"

#include <sys/mman.h>

#include "profile/read_places.h"
#include "symbols/call_code.h"

static bool returns_from_signal(const struct elf_file *elf, uint64_t place)
{
	size_t size = CALL_CODE_SIGNAL;
	const uint8_t *code = elf_file_code(elf, place + 1, &size);

	return code && call_code_is_signal(code, size);
}

/* No call returns to the address behind the place: its code says so. */
static bool returns_nowhere(const struct elf_file *elf, uint64_t place)
{
	const uint8_t *code = NULL;
	int32_t direct = 0;
	size_t size;

	if (returns_from_signal(elf, place))
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

bool call_site_is_signal(const struct image *image, uint64_t place)
{
	return image->elf && elf_file_has_code(image->elf) &&
	       returns_from_signal(image->elf, place);
}

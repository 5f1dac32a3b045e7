// SPDX-License-Identifier: GPL-2.0-only
/*
 * The object of a program that an address of data is in, see data_objects.h. Mappings of
 * code are recorded, and others are not: the code of a file says where its data are.
 */
#include "views/data_objects.h"

#include <inttypes.h>

#include "profile/read_places.h"

/* The object at the address, of the image that is mapped there. */
static bool find_in(struct images *images, const struct profile_map *map,
		    uint64_t address, struct elf_object *object,
		    const char **file)
{
	struct image *image = images_of(images, map, map->addr);
	struct image_symbol unused;
	uint64_t start;

	if (!image || image->kind != IMAGE_FILE)
		return false;
	/* Which looks for the file. */
	image_symbol(image, 0, &unused);
	*file = image->path;
	return image->elf && elf_file_address(image->elf, map->pgoff, &start) &&
	       elf_file_object(image->elf, address - (map->addr - start),
			       object);
}

/* First the file of the instruction, then the others of its process. */
static bool find(const struct view *view, const struct profile_sample *sample,
		 const struct place *place, uint64_t address,
		 struct elf_object *object, const char **file)
{
	const struct profile *profile = &view->profile;

	if (place->map &&
	    find_in(view->images, place->map, address, object, file))
		return true;
	for (size_t i = 0; i < profile->map_count; i++) {
		const struct profile_map *map = &profile->maps[i];

		if (map->tgid == sample->tgid && map->time <= sample->time &&
		    find_in(view->images, map, address, object, file))
			return true;
	}
	return false;
}

void data_object_name(const struct view *view,
		      const struct profile_sample *sample,
		      const struct place *place, uint64_t address,
		      bool with_offset, char *name, size_t size)
{
	struct elf_object object;
	const char *file;

	if (address >= PLACES_KERNEL_START)
		snprintf(name, size, "[kernel]");
	else if (!find(view, sample, place, address, &object, &file))
		snprintf(name, size, "[stack, heap or another mapping]");
	else if (with_offset && object.offset)
		snprintf(name, size, "%s+0x%" PRIx64 "  %s", object.name,
			 object.offset, file);
	else
		snprintf(name, size, "%s  %s", object.name, file);
}

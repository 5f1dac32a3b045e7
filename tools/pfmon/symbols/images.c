// SPDX-License-Identifier: GPL-2.0-only
/* What was mapped, see images.h: which image a mapping is of, and its sources. */
#include "symbols/images.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "diag.h"
#include "profile/read_places.h"
#include "symbols/image_parts.h"

#define KERNEL_PATH "[kernel]"

static bool is_this_machine(const struct profile *profile)
{
	const char *host = profile_meta(profile, "host");
	const char *kernel = profile_meta(profile, "kernel");
	struct utsname name;

	return host && kernel && !uname(&name) &&
	       !strcmp(host, name.nodename) && !strcmp(kernel, name.release);
}

struct images *images_new(const struct profile *profile,
			  const struct image_options *options)
{
	struct images *images = calloc(1, sizeof(*images));

	if (!images) {
		diag("%s: no memory for it", profile->name);
		return NULL;
	}
	if (!options->debuginfod)
		unsetenv("DEBUGINFOD_URLS");
	images->profile = profile;
	images->options = options;
	images->is_this_machine = is_this_machine(profile);
	elf_file_root(options->symfs);
	if (!options->symbol_file)
		return images;
	images->symbol_file = elf_file_open(options->symbol_file);
	if (images->symbol_file)
		return images;
	diag("--symbol-file: %s: not a file of symbols that can be read",
	     options->symbol_file);
	free(images);
	return NULL;
}

static void free_image(struct image *image)
{
	struct image_source *next;

	for (struct image_source *source = image->sources; source;
	     source = next) {
		next = source->next;
		table_free(&source->table);
		free(source);
	}
	elf_file_close(image->elf);
	free(image);
}

void images_free(struct images *images)
{
	struct image *next;

	if (!images)
		return;
	for (struct image *image = images->first; image; image = next) {
		next = image->next;
		free_image(image);
	}
	elf_file_close(images->symbol_file);
	free(images);
}

const char *image_base(const struct image *image)
{
	const char *slash = strrchr(image->path, '/');

	return slash && slash[1] ? slash + 1 : image->path;
}

static enum image_kind kind_of(const struct profile_map *map)
{
	if (!map || map->tgid == PFMD_KERNEL)
		return IMAGE_KERNEL;
	if (!strcmp(map->path, "[vdso]"))
		return IMAGE_VDSO;
	if (*map->path != '/' || !strncmp(map->path, "//", 2) ||
	    !strncmp(map->path, "/memfd:", 7) ||
	    !strncmp(map->path, "/dev/zero", 9))
		return IMAGE_PROGRAM;
	return IMAGE_FILE;
}

static const char *path_of(const struct profile_map *map)
{
	if (!map)
		return KERNEL_PATH;
	return *map->path ? map->path : "[anonymous]";
}

static bool is_image_of(const struct image *image,
			const struct profile_map *map)
{
	if (image->kind != kind_of(map) ||
	    strcmp(image->path, path_of(map)) != 0)
		return false;
	if (image->kind == IMAGE_PROGRAM)
		return image->map->tgid == map->tgid;
	if (!map)
		return true;
	if (memcmp(image->build_id, map->build_id, sizeof(image->build_id)) !=
	    0)
		return false;
	return map->has_build_id || !image->map ||
	       sources_same_file(&image->map->file, image->map->has_file,
				 &map->file, map->has_file);
}

struct image *images_of(struct images *images, const struct profile_map *map,
			uint64_t ip)
{
	struct image *image;

	if (!map && ip < PLACES_KERNEL_START)
		return NULL;
	for (image = images->first; image; image = image->next) {
		if (is_image_of(image, map))
			return image;
	}
	image = calloc(1, sizeof(*image));
	if (!image)
		return NULL;
	image->images = images;
	image->kind = kind_of(map);
	image->path = path_of(map);
	image->map = map;
	if (map) {
		image->has_build_id = map->has_build_id;
		memcpy(image->build_id, map->build_id, sizeof(map->build_id));
	}
	image->next = images->first;
	images->first = image;
	return image;
}

uint64_t image_place(const struct image *image, const struct profile_map *map,
		     uint64_t ip)
{
	if (image->kind == IMAGE_FILE || image->kind == IMAGE_VDSO)
		return ip - map->addr + map->pgoff;
	return ip;
}

uint64_t image_address_of_zero(const struct image *image)
{
	return image->kind == IMAGE_KERNEL && image->map ?
		       image->map->addr - image->map->pgoff :
		       0;
}

uint64_t image_offset(const struct image *image, uint64_t place)
{
	return place - image_address_of_zero(image);
}

bool image_symbol(struct image *image, uint64_t place,
		  struct image_symbol *symbol)
{
	if (!image->looked)
		sources_find(image);
	image->looked = true;
	for (const struct image_source *source = image->sources; source;
	     source = source->next) {
		const struct symbol *row = table_find(&source->table, place);

		if (!row)
			continue;
		*symbol = (struct image_symbol){
			.name = row->name,
			.start = row->start,
			.size = row->size,
		};
		return true;
	}
	return false;
}

/* Why nobody knows symbols of a file. */
static const char *reason_of(const struct image *image)
{
	if (image->reasons & PFMD_SYMBOLS_GONE)
		return "removed (or replaced) before its symbols could be read";
	if (image->reasons & PFMD_SYMBOLS_DENIED || image->denied)
		return "its symbols cannot be read: Permission denied";
	if (image->reasons & PFMD_SYMBOLS_LIMIT)
		return "reading its symbols took too much time or memory";
	if (image->changed)
		return "not the file that was sampled, and its symbols were not recorded";
	return "not here, and its symbols were not recorded";
}

void image_explain(struct image *image)
{
	if (image->kind != IMAGE_FILE || image->explained || image->elf ||
	    image->recorded || !elf_file_built_in())
		return;
	image->explained = true;
	diag("note: %s: %s", image->path, reason_of(image));
}

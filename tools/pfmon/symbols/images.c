// SPDX-License-Identifier: GPL-2.0-only
/* What was mapped, see images.h: which image a mapping is of, and its sources. */
#include "symbols/images.h"

#include <elf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "diag.h"
#include "profile/read_parts.h"
#include "profile/read_places.h"
#include "symbols/address_maps.h"
#include "symbols/table.h"

#define KERNEL_PATH "[kernel]"
#define DEBUG_DIRECTORY "/usr/lib/debug/.build-id"
#define NAME_MAX_SIZE 4096

/* One after the other, in the order in which they are asked. */
struct image_source {
	struct image_source *next;
	const struct profile_symbols *embedded; /* NULL: the table */
	struct symbol_table table;
};

struct images {
	const struct profile *profile;
	const struct image_options *options;
	struct image *first;
	struct elf_file *symbol_file;
	bool is_this_machine; /* and the same start of it, as far as one knows */
};

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

/* Behind those that are there. NULL without memory. */
static struct image_source *add_source(struct image *image)
{
	struct image_source **end = &image->sources;

	while (*end)
		end = &(*end)->next;
	*end = calloc(1, sizeof(**end));
	return *end;
}

static void add_elf(struct image *image, struct elf_file *elf)
{
	struct image_source *source = elf ? add_source(image) : NULL;

	if (source && !elf_file_symbols(elf, &source->table))
		table_finish(&source->table);
}

static bool same_id(const struct image *image,
		    const uint8_t build_id[PFMD_BUILD_ID_SIZE])
{
	return !memcmp(image->build_id, build_id, PFMD_BUILD_ID_SIZE);
}

static void add_embedded(struct image *image, const struct profile *profile)
{
	for (size_t i = 0; i < profile->symbol_count; i++) {
		const struct profile_symbols *symbols = &profile->symbols[i];
		struct image_source *source;

		if (symbols->has_build_id && image->has_build_id ?
			    !same_id(image, symbols->build_id) :
			    strcmp(symbols->path, image->path) != 0)
			continue;
		source = add_source(image);
		if (source)
			source->embedded = symbols;
	}
}

const char *image_base(const struct image *image)
{
	const char *slash = strrchr(image->path, '/');

	return slash && slash[1] ? slash + 1 : image->path;
}

/* Of which program --symbol-file is: of the same build, or of the same name. */
static void add_symbol_file(struct images *images, struct image *image)
{
	const char *name = images->options->symbol_file;
	uint8_t build_id[PFMD_BUILD_ID_SIZE];
	const char *base;

	if (!images->symbol_file)
		return;
	base = strrchr(name, '/');
	base = base ? base + 1 : name;
	if (elf_file_build_id(images->symbol_file, build_id) &&
			    image->has_build_id ?
		    !same_id(image, build_id) :
		    strcmp(base, image_base(image)) != 0)
		return;
	add_elf(image, images->symbol_file);
}

/* Without a build-id, what was written later is another file. */
static bool is_unchanged(const struct image *image, const char *path,
			 const struct elf_file *elf)
{
	uint8_t build_id[PFMD_BUILD_ID_SIZE];
	struct stat status;

	if (image->has_build_id)
		return elf_file_build_id(elf, build_id) &&
		       same_id(image, build_id);
	if (!image->map->has_file || stat(path, &status))
		return true;
	return image->map->file.size == (uint64_t)status.st_size &&
	       image->map->file.mtime_ns ==
		       (uint64_t)status.st_mtim.tv_sec * 1000000000 +
			       (uint64_t)status.st_mtim.tv_nsec;
}

/* The file by its name; else what Debian's packages of debug files have. */
static void find_file(struct images *images, struct image *image)
{
	const char *root = images->options->symfs;
	char path[NAME_MAX_SIZE];
	int used;

	if (snprintf(path, sizeof(path), "%s%s", root ? root : "",
		     image->path) >= (int)sizeof(path))
		return;
	image->elf = elf_file_open(path);
	if (image->elf && !is_unchanged(image, path, image->elf)) {
		image->changed = true;
		elf_file_close(image->elf);
		image->elf = NULL;
	}
	if (image->elf || !image->has_build_id)
		return;
	used = snprintf(path, sizeof(path), "%s" DEBUG_DIRECTORY "/%02x/",
			root ? root : "", image->build_id[0]);
	if (used + 2 * PFMD_BUILD_ID_SIZE + 8 > (int)sizeof(path))
		return;
	for (int i = 1; i < PFMD_BUILD_ID_SIZE; i++)
		used += sprintf(path + used, "%02x", image->build_id[i]);
	strcpy(path + used, ".debug");
	image->elf = elf_file_open(path);
	if (image->elf)
		image->changed = false;
}

/* That of this process is that of all on this kernel. */
static void find_vdso(struct images *images, struct image *image)
{
	const Elf64_Ehdr *vdso = (const void *)getauxval(AT_SYSINFO_EHDR);
	uint8_t build_id[PFMD_BUILD_ID_SIZE];

	if (!vdso || sizeof(long) != 8)
		return;
	/* The headers of its sections are the last of it. */
	image->elf = elf_file_open_memory(
		vdso,
		vdso->e_shoff + (size_t)vdso->e_shnum * vdso->e_shentsize);
	if (!image->elf)
		return;
	if (image->has_build_id ? elf_file_build_id(image->elf, build_id) &&
					  same_id(image, build_id) :
				  images->is_this_machine)
		return;
	elf_file_close(image->elf);
	image->elf = NULL;
}

/* Whose map in /tmp is believed: the process's user, or who asks for the report. */
static uid_t owner_of(const struct images *images, uint32_t tgid)
{
	struct stat status;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%" PRIu32, tgid);
	if (images->is_this_machine && !stat(path, &status))
		return status.st_uid;
	return geteuid();
}

static void find_program_map(struct images *images, struct image *image)
{
	const char *directory = images->options->map_dir;
	struct image_source *source = add_source(image);
	uint32_t tgid = image->map->tgid;
	char path[NAME_MAX_SIZE];

	if (!source)
		return;
	snprintf(path, sizeof(path), "%s/perf-%" PRIu32 ".map",
		 directory ? directory : "/tmp", tgid);
	if (!address_maps_program(path, owner_of(images, tgid), &source->table))
		table_finish(&source->table);
}

static void find_kernel(struct images *images, struct image *image)
{
	const char *path = images->options->kallsyms;
	struct image_source *source;

	if (!path && !images->is_this_machine)
		return;
	source = add_source(image);
	if (source && !address_maps_kernel(path ? path : "/proc/kallsyms",
					   &source->table))
		table_finish(&source->table);
}

static void find_sources(struct images *images, struct image *image)
{
	/* What a process made has no name by which it could be found there. */
	if (image->kind != IMAGE_PROGRAM)
		add_embedded(image, images->profile);
	add_symbol_file(images, image);
	switch (image->kind) {
	case IMAGE_FILE:
		find_file(images, image);
		break;
	case IMAGE_VDSO:
		find_vdso(images, image);
		break;
	case IMAGE_PROGRAM:
		find_program_map(images, image);
		break;
	case IMAGE_KERNEL:
		find_kernel(images, image);
		break;
	}
	add_elf(image, image->elf);
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
	return !map ||
	       !memcmp(image->build_id, map->build_id, sizeof(image->build_id));
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
	image->kind = kind_of(map);
	image->path = path_of(map);
	image->map = map;
	if (map) {
		image->has_build_id = map->has_build_id;
		memcpy(image->build_id, map->build_id, sizeof(map->build_id));
	}
	image->next = images->first;
	images->first = image;
	find_sources(images, image);
	return image;
}

uint64_t image_place(const struct image *image, const struct profile_map *map,
		     uint64_t ip)
{
	if (image->kind == IMAGE_FILE || image->kind == IMAGE_VDSO)
		return ip - map->addr + map->pgoff;
	return ip;
}

/* Places of the kernel are addresses; symbols are kept by what mappings say. */
static uint64_t address_of_zero(const struct image *image)
{
	return image->kind == IMAGE_KERNEL && image->map ?
		       image->map->addr - image->map->pgoff :
		       0;
}

uint64_t image_offset(const struct image *image, uint64_t place)
{
	return place - address_of_zero(image);
}

/* The last that covers it: only what samples were in is there. */
static bool find_embedded(const struct image *image,
			  const struct profile_symbols *symbols, uint64_t place,
			  struct image_symbol *symbol)
{
	uint64_t zero = address_of_zero(image);

	place -= zero;
	for (uint32_t i = symbols->count; i--;) {
		const struct pfmd_symbol *row = &symbols->rows[i];

		if (place < row->offset || place - row->offset >= row->size)
			continue;
		*symbol = (struct image_symbol){
			.name = symbols->names + row->name,
			.start = row->offset + zero,
			.size = row->size,
		};
		return true;
	}
	return false;
}

bool image_symbol(const struct image *image, uint64_t place,
		  struct image_symbol *symbol)
{
	for (const struct image_source *source = image->sources; source;
	     source = source->next) {
		const struct symbol *row;

		if (source->embedded) {
			if (find_embedded(image, source->embedded, place,
					  symbol))
				return true;
			continue;
		}
		row = table_find(&source->table, place);
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

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who knows the symbols of an image, see images.h. Of a file, the file itself knows
 * them best, if it is the one that was mapped; of what changes with each start, as code
 * that programs make and the kernel, it is what was recorded.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbols/address_maps.h"
#include "symbols/image_parts.h"

#define DEBUG_DIRECTORY "/usr/lib/debug/.build-id"
#define NAME_MAX_SIZE 4096

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

	if (!source)
		return;
	if (elf_file_symbols(elf, &source->table) ||
	    table_finish(&source->table))
		image->short_of_memory = true;
}

static bool same_id(const struct image *image,
		    const uint8_t build_id[PFMD_BUILD_ID_SIZE])
{
	return !memcmp(image->build_id, build_id, PFMD_BUILD_ID_SIZE);
}

bool sources_same_file(const struct pfmd_file *one, bool has_one,
		       const struct pfmd_file *other, bool has_other)
{
	return !has_one || !has_other || !memcmp(one, other, sizeof(*one));
}

/* Whether the symbols that were recorded are those of the image. */
static bool are_of(const struct profile_symbols *symbols,
		   const struct image *image)
{
	char name[32];

	if (image->kind == IMAGE_PROGRAM) {
		snprintf(name, sizeof(name), PFMD_PROGRAM_MAP,
			 image->map->tgid);
		return !strcmp(symbols->path, name);
	}
	if (symbols->has_build_id != image->has_build_id)
		return false;
	if (image->has_build_id)
		return same_id(image, symbols->build_id);
	return !strcmp(symbols->path, image->path) &&
	       (!image->map ||
		sources_same_file(&symbols->file,
				  symbols->flags & PFMD_SYMBOLS_FILE,
				  &image->map->file, image->map->has_file));
}

static void add_rows(struct image *image, const struct profile_symbols *symbols)
{
	struct image_source *source = add_source(image);
	uint64_t zero = image_address_of_zero(image);

	for (uint32_t i = 0; source && i < symbols->count; i++) {
		const struct pfmd_symbol *row = &symbols->rows[i];
		const struct symbol symbol = {
			.start = row->offset + zero,
			.size = row->size,
			.limit = row->offset + zero,
			.name = (char *)(uintptr_t)symbols->names + row->name,
		};

		if (row->size && table_add(&source->table, &symbol))
			return;
	}
	if (source)
		table_finish(&source->table);
}

static void add_recorded(struct image *image)
{
	const struct profile *profile = image->images->profile;

	for (size_t i = 0; i < profile->symbol_count; i++) {
		const struct profile_symbols *symbols = &profile->symbols[i];

		if (!are_of(symbols, image))
			continue;
		image->reasons |= symbols->flags;
		image->recorded |= symbols->count > 0;
		add_rows(image, symbols);
	}
}

/* Of which program --symbol-file is: of the same build, or of the same name. */
static void add_symbol_file(struct image *image)
{
	const struct images *images = image->images;
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
static bool is_unchanged(const struct image *image, const struct stat *status,
			 const struct elf_file *elf)
{
	const struct pfmd_file *file = &image->map->file;
	uint8_t build_id[PFMD_BUILD_ID_SIZE];

	if (image->has_build_id)
		return elf ? elf_file_build_id(elf, build_id) &&
				       same_id(image, build_id) :
			     !elf_file_built_in();
	if (!image->map->has_file)
		return true;
	/* A copy in another directory has a number of its own. */
	if (!image->images->options->symfs && file->ino != status->st_ino)
		return false;
	return (!file->size && !file->mtime_ns) ||
	       (file->size == (uint64_t)status->st_size &&
		file->mtime_ns ==
			(uint64_t)status->st_mtim.tv_sec * 1000000000 +
				(uint64_t)status->st_mtim.tv_nsec);
}

/* Takes the descriptor. True: it is the file that was mapped. */
static bool take_file(struct image *image, int fd, const char *path)
{
	struct stat status = { 0 };
	struct elf_file *elf;

	fstat(fd, &status);
	elf = elf_file_take(fd, path);
	image->changed = !is_unchanged(image, &status, elf);
	if (!image->changed) {
		image->elf = elf;
		return true;
	}
	elf_file_close(elf);
	return false;
}

/* Whether pfmon record has held it open since it was mapped. */
static bool find_kept(struct image *image)
{
	const struct image_options *options = image->images->options;
	const struct profile_map *map = image->map;

	for (size_t i = 0; i < options->kept_count; i++) {
		const struct kept_file *kept = &options->kept[i];
		int fd;

		if (!same_id(image, kept->build_id) ||
		    (!image->has_build_id &&
		     (!map->has_file ||
		      memcmp(&map->file, &kept->file, sizeof(map->file)) != 0)))
			continue;
		fd = fcntl(kept->fd, F_DUPFD_CLOEXEC, 3);
		return fd >= 0 && take_file(image, fd, image->path);
	}
	return false;
}

static bool find_by_name(struct image *image)
{
	const char *root = image->images->options->symfs;
	char path[NAME_MAX_SIZE];
	int fd;

	if (snprintf(path, sizeof(path), "%s%s", root ? root : "",
		     image->path) >= (int)sizeof(path))
		return false;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	image->denied = fd < 0 && (errno == EACCES || errno == EPERM);
	return fd >= 0 && take_file(image, fd, path);
}

/* What Debian's packages of debug files have. */
static void find_debug_file(struct image *image)
{
	const char *root = image->images->options->symfs;
	char path[NAME_MAX_SIZE];
	int used;

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

static void find_file(struct image *image)
{
	if (!find_kept(image) && !find_by_name(image) && image->has_build_id)
		find_debug_file(image);
}

/* That of this process is that of all on this kernel. */
static void find_vdso(struct image *image)
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
				  image->images->is_this_machine)
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

static void find_program_map(struct image *image)
{
	const struct images *images = image->images;
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

static void find_kernel(struct image *image)
{
	const struct images *images = image->images;
	const char *path = images->options->kallsyms;
	struct image_source *source;

	if (!path && !images->is_this_machine)
		return;
	source = add_source(image);
	if (source && !address_maps_kernel(path ? path : "/proc/kallsyms",
					   &source->table))
		table_finish(&source->table);
}

void sources_find(struct image *image)
{
	if (image->kind != IMAGE_FILE)
		add_recorded(image);
	add_symbol_file(image);
	switch (image->kind) {
	case IMAGE_FILE:
		find_file(image);
		break;
	case IMAGE_VDSO:
		find_vdso(image);
		break;
	case IMAGE_PROGRAM:
		find_program_map(image);
		break;
	case IMAGE_KERNEL:
		find_kernel(image);
		break;
	}
	add_elf(image, image->elf);
	if (image->kind == IMAGE_FILE)
		add_recorded(image);
}

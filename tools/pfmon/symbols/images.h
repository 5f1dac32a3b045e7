/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What was mapped: files, the vdso, code that programs make, the kernel. An image
 * asks, in this order, what the file of samples has of it, --symbol-file, the file
 * and its debug file, the map in /tmp, /proc/kallsyms; the first that has a symbol
 * for a place has the word.
 */
#ifndef PFMON_IMAGES_H
#define PFMON_IMAGES_H

#include "profile/read_profile.h"
#include "symbols/elf_file.h"

struct image_options {
	const char *symfs; /* directory that stands for /, NULL: / */
	const char *symbol_file; /* of one of the programs, NULL: none */
	bool debuginfod; /* may ask servers */
	const char *kallsyms; /* NULL: /proc/kallsyms, if this is the machine */
	const char *map_dir; /* NULL: /tmp */
};

struct images;

/* NULL after a message. Profile and options have to stay. */
struct images *images_new(const struct profile *profile,
			  const struct image_options *options);
void images_free(struct images *images);

enum image_kind {
	IMAGE_FILE,
	IMAGE_VDSO,
	IMAGE_PROGRAM, /* what a process made; places are addresses */
	IMAGE_KERNEL, /* places are addresses */
};

struct image {
	enum image_kind kind;
	const char *path; /* as the mapping has it; the kernel's is "[kernel]" */
	bool changed; /* the file is another one now */
	uint8_t build_id[PFMD_BUILD_ID_SIZE];
	bool has_build_id;
	struct elf_file *elf; /* NULL: none was found */
	const struct profile_map *map; /* the first one of it */
	struct image_source *sources;
	struct image *next;
};

/*
 * The image of a mapping; of no mapping that of the kernel, if ip is its, NULL: it
 * is not known, or there is no memory.
 */
struct image *images_of(struct images *images, const struct profile_map *map,
			uint64_t ip);

/* Where an address is in the image of a mapping. */
uint64_t image_place(const struct image *image, const struct profile_map *map,
		     uint64_t ip);

/* The offset that a file of samples has for a place. */
uint64_t image_offset(const struct image *image, uint64_t place);

/* A symbol, and where it begins. False: none covers the place. */
struct image_symbol {
	const char *name;
	uint64_t start;
	uint64_t size;
};
bool image_symbol(const struct image *image, uint64_t place,
		  struct image_symbol *symbol);

/* The path without its directories. */
const char *image_base(const struct image *image);

#endif /* PFMON_IMAGES_H */

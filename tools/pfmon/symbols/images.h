/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What was mapped: files, the vdso, code that programs make, the kernel. Of a file,
 * --symbol-file is asked first, then the file and its debug file, if they are those
 * that were mapped, then what the file of samples has; of all else the file of samples,
 * --symbol-file, and then the map in /tmp or /proc/kallsyms. The first that has a
 * symbol for a place has the word.
 */
#ifndef PFMON_IMAGES_H
#define PFMON_IMAGES_H

#include "profile/kept.h"
#include "profile/read_profile.h"
#include "symbols/elf_file.h"

struct image_options {
	const char *symfs; /* directory that stands for /, NULL: / */
	const char *symbol_file; /* of one of the programs, NULL: none */
	bool debuginfod; /* may ask servers */
	const char *kallsyms; /* NULL: /proc/kallsyms, if this is the machine */
	const char *map_dir; /* NULL: /tmp */
	const struct kept_file *kept; /* asked before what has the name now */
	size_t kept_count;
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
	struct elf_file *elf; /* NULL: none was found, or nobody has asked yet */
	const struct profile_map *map; /* the first one of it */
	bool denied; /* the user may not read the file */
	bool short_of_memory; /* for its symbols */
	bool recorded; /* the file of samples has symbols of it */
	unsigned int reasons; /* why not: enum pfmd_symbols_flags */
	bool looked; /* sources were found */
	bool explained;
	struct image_source *sources;
	struct images *images;
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
bool image_symbol(struct image *image, uint64_t place,
		  struct image_symbol *symbol);

/* Says why a file has no symbols at all, once, after image_symbol() has found none. */
void image_explain(struct image *image);

/* The path without its directories. */
const char *image_base(const struct image *image);

#endif /* PFMON_IMAGES_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/* Images, for the sources that find and keep them. */
#ifndef PFMON_IMAGE_PARTS_H
#define PFMON_IMAGE_PARTS_H

#include "symbols/images.h"
#include "symbols/table.h"

/* One after the other, in the order in which they are asked. */
struct image_source {
	struct image_source *next;
	struct symbol_table table;
};

struct images {
	const struct profile *profile;
	const struct image_options *options;
	struct image *first;
	struct elf_file *symbol_file;
	bool is_this_machine; /* and the same start of it, as far as one knows */
};

/* Finds who knows the symbols of an image. */
void sources_find(struct image *image);

/* Whether two mappings, neither of them with a build-id, may be of one file. */
bool sources_same_file(const struct pfmd_file *one, bool has_one,
		       const struct pfmd_file *other, bool has_other);

/* Places of the kernel are addresses; symbols are kept by what mappings say. */
uint64_t image_address_of_zero(const struct image *image);

#endif /* PFMON_IMAGE_PARTS_H */

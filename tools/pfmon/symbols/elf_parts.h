/* SPDX-License-Identifier: GPL-2.0-only */
/* An ELF file, for the sources that read it. */
#ifndef PFMON_ELF_PARTS_H
#define PFMON_ELF_PARTS_H

#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <stddef.h>
#include <stdint.h>

struct segment {
	uint64_t offset, address, size;
};

struct elf_file {
	Dwfl *dwfl;
	Dwfl_Module *module;
	GElf_Addr bias; /* of libdw's addresses */
	int bits;
	struct segment *segments;
	size_t segment_count;
	void *sources; /* paths that were made, a tree of search.h */
};

#endif /* PFMON_ELF_PARTS_H */

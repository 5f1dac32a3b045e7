/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an ELF file and its debug file tell. Places are offsets in the file, as
 * mappings have them; addresses are those of its program headers.
 */
#ifndef PFMON_ELF_FILE_H
#define PFMON_ELF_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/pfmd.h"
#include "symbols/table.h"

struct elf_file;

/*
 * NULL: it is not there, or not ELF, or not built in. The debug file is looked for
 * where the system has them, and with debuginfod only if DEBUGINFOD_URLS is set.
 */
struct elf_file *elf_file_open(const char *path);

/* The same of an open file, which is closed in any case; its debug file is beside path. */
struct elf_file *elf_file_take(int fd, const char *path);

/* Whether such files can be read at all. */
bool elf_file_built_in(void);

/* Debug files are in this directory as they are in /, NULL: in / itself. */
void elf_file_root(const char *root);

/* The same of a program in memory, such as the vdso. */
struct elf_file *elf_file_open_memory(const void *bytes, size_t size);
void elf_file_close(struct elf_file *file);

/* Whether it has a build-id; zeros are behind one that is shorter. */
bool elf_file_build_id(const struct elf_file *file,
		       uint8_t build_id[PFMD_BUILD_ID_SIZE]);

/* Adds its functions, by offset. 0, or -1 without memory. */
int elf_file_symbols(struct elf_file *file, struct symbol_table *table);

/* Whether a segment covers it. */
bool elf_file_address(const struct elf_file *file, uint64_t offset,
		      uint64_t *address);

/* A variable of a program, and how far behind its begin an address is. */
struct elf_object {
	const char *name;
	uint64_t offset;
};

/* Which one is at an address. False: no symbol is there, or it is a function's. */
bool elf_file_object(struct elf_file *file, uint64_t address,
		     struct elf_object *object);

/* Of which bits its programs are: 32 or 64. */
int elf_file_bits(const struct elf_file *file);

/*
 * The bytes of code from an offset on, as long as the file is open; size is made less
 * if its section ends before. NULL: they are not in this file.
 */
const uint8_t *elf_file_code(const struct elf_file *file, uint64_t offset,
			     size_t *size);

/* Whether it has code at all: debug files have none. */
bool elf_file_has_code(const struct elf_file *file);

/* Source line of an offset. False: DWARF does not tell. */
bool elf_file_line(struct elf_file *file, uint64_t offset, const char **source,
		   int *line);

/*
 * Calls found for each function that was inlined there, the innermost first. How
 * many there are.
 */
int elf_file_inlined(struct elf_file *file, uint64_t offset,
		     void (*found)(const char *name, void *context),
		     void *context);

#endif /* PFMON_ELF_FILE_H */

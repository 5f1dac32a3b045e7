// SPDX-License-Identifier: GPL-2.0-only
/*
 * ELF files by libdw, see elf_file.h: it finds debug files, and reads the symbols of
 * .symtab, of the debug file, of .gnu_debugdata and .dynsym, in this order.
 */
#include "symbols/elf_file.h"

#ifdef HAVE_DW
#include <fcntl.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "symbols/elf_parts.h"

static char *debug_path; /* NULL: where the system has them */

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address,
	.debuginfo_path = &debug_path,
};

void elf_file_root(const char *root)
{
	/* libdw takes what is relative for a directory beside the file. */
	char *real = root ? realpath(root, NULL) : NULL;

	free(debug_path);
	if (!real ||
	    asprintf(&debug_path, ":.debug:%s/usr/lib/debug", real) < 0)
		debug_path = NULL;
	free(real);
}

/* What a debug file has of the code is its address alone. */
static bool has_no_code(Elf *elf, size_t count)
{
	GElf_Phdr header;

	for (size_t i = 0; i < count; i++) {
		if (gelf_getphdr(elf, (int)i, &header) &&
		    header.p_type == PT_LOAD && header.p_flags & PF_X &&
		    header.p_memsz && !header.p_filesz)
			return true;
	}
	return false;
}

/* Linkers put a segment behind the one before, as near as its alignment lets them. */
static void place_behind(GElf_Phdr *header, uint64_t end)
{
	uint64_t align = header->p_align ? header->p_align : 1;

	header->p_offset = end + ((header->p_vaddr - end) & (align - 1));
	header->p_filesz = header->p_memsz;
}

static int read_segments(struct elf_file *file, Elf *elf)
{
	GElf_Phdr header;
	uint64_t end = 0;
	size_t count;
	bool lost;

	if (elf_getphdrnum(elf, &count))
		return -1;
	lost = has_no_code(elf, count);
	file->segments = calloc(count + 1, sizeof(*file->segments));
	if (!file->segments)
		return -1;
	for (size_t i = 0; i < count; i++) {
		if (!gelf_getphdr(elf, (int)i, &header) ||
		    header.p_type != PT_LOAD)
			continue;
		if (lost)
			place_behind(&header, end);
		end = header.p_offset + header.p_filesz;
		file->segments[file->segment_count++] = (struct segment){
			.offset = header.p_offset,
			.address = header.p_vaddr,
			.size = header.p_filesz,
		};
	}
	return 0;
}

bool elf_file_built_in(void)
{
	return true;
}

struct elf_file *elf_file_take(int fd, const char *path)
{
	struct elf_file *file = calloc(1, sizeof(*file));
	Elf *elf = NULL;

	if (file)
		file->dwfl = dwfl_begin(&callbacks);
	if (file && file->dwfl) {
		dwfl_report_begin(file->dwfl);
		file->module = dwfl_report_offline(file->dwfl, path, path, fd);
		dwfl_report_end(file->dwfl, NULL, NULL);
	}
	if (file && file->module)
		elf = dwfl_module_getelf(file->module, &file->bias);
	else
		close(fd);
	if (elf && !read_segments(file, elf)) {
		file->bits = gelf_getclass(elf) == ELFCLASS32 ? 32 : 64;
		return file;
	}
	elf_file_close(file);
	return NULL;
}

struct elf_file *elf_file_open(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	return fd < 0 ? NULL : elf_file_take(fd, path);
}

struct elf_file *elf_file_open_memory(const void *bytes, size_t size)
{
	int fd = memfd_create("elf", MFD_CLOEXEC);

	if (fd < 0)
		return NULL;
	if (write(fd, bytes, size) != (ssize_t)size) {
		close(fd);
		return NULL;
	}
	return elf_file_take(fd, "memory");
}

void elf_file_close(struct elf_file *file)
{
	if (!file)
		return;
	if (file->dwfl)
		dwfl_end(file->dwfl);
	tdestroy(file->sources, free);
	free(file->segments);
	free(file);
}

bool elf_file_build_id(const struct elf_file *file,
		       uint8_t build_id[PFMD_BUILD_ID_SIZE])
{
	const unsigned char *bits;
	GElf_Addr address;
	int size = dwfl_module_build_id(file->module, &bits, &address);

	memset(build_id, 0, PFMD_BUILD_ID_SIZE);
	if (size <= 0)
		return false;
	if (size > PFMD_BUILD_ID_SIZE)
		size = PFMD_BUILD_ID_SIZE;
	memcpy(build_id, bits, (size_t)size);
	return true;
}

bool elf_file_address(const struct elf_file *file, uint64_t offset,
		      uint64_t *address)
{
	for (size_t i = 0; i < file->segment_count; i++) {
		const struct segment *segment = &file->segments[i];

		if (offset < segment->offset ||
		    offset - segment->offset >= segment->size)
			continue;
		*address = offset - segment->offset + segment->address;
		return true;
	}
	return false;
}

static bool offset_of(const struct elf_file *file, uint64_t address,
		      uint64_t *offset)
{
	for (size_t i = 0; i < file->segment_count; i++) {
		const struct segment *segment = &file->segments[i];

		if (address < segment->address ||
		    address - segment->address >= segment->size)
			continue;
		*offset = address - segment->address + segment->offset;
		return true;
	}
	return false;
}

bool elf_file_object(struct elf_file *file, uint64_t address,
		     struct elf_object *object)
{
	GElf_Off offset;
	GElf_Sym symbol;
	const char *name;

	name = dwfl_module_addrinfo(file->module, address + file->bias, &offset,
				    &symbol, NULL, NULL, NULL);
	if (!name || GELF_ST_TYPE(symbol.st_info) != STT_OBJECT ||
	    offset >= symbol.st_size)
		return false;
	*object = (struct elf_object){ name, offset };
	return true;
}

int elf_file_bits(const struct elf_file *file)
{
	return file->bits;
}

/* Functions, and labels of assembly language in code. */
static bool is_code(Elf *elf, const GElf_Sym *symbol, GElf_Word section,
		    uint64_t *end)
{
	int type = GELF_ST_TYPE(symbol->st_info);
	GElf_Shdr header;

	if ((type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE) ||
	    section == SHN_UNDEF ||
	    (section >= SHN_LORESERVE && section != SHN_XINDEX))
		return false;
	if (!gelf_getshdr(elf_getscn(elf, section), &header) ||
	    !(header.sh_flags & SHF_EXECINSTR))
		return false;
	*end = header.sh_addr + header.sh_size;
	return true;
}

static enum symbol_binding binding_of(const GElf_Sym *symbol)
{
	switch (GELF_ST_BIND(symbol->st_info)) {
	case STB_LOCAL:
		return BINDING_LOCAL;
	case STB_WEAK:
		return BINDING_WEAK;
	default:
		return BINDING_GLOBAL;
	}
}

int elf_file_symbols(struct elf_file *file, struct symbol_table *table)
{
	int count = dwfl_module_getsymtab(file->module);

	for (int i = 1; i < count; i++) {
		struct symbol row = { 0 };
		GElf_Word section;
		GElf_Addr address, bias;
		GElf_Sym symbol;
		Elf *elf;
		uint64_t end;
		const char *name = dwfl_module_getsym_info(file->module, i,
							   &symbol, &address,
							   &section, &elf,
							   &bias);

		if (!name || !*name || *name == '$' ||
		    !is_code(elf, &symbol, section, &end))
			continue;
		/* A label may be at the end of a segment, with nothing there. */
		address -= file->bias;
		if (!offset_of(file, address, &row.start))
			continue;
		end += bias - file->bias;
		row.size = symbol.st_size;
		row.limit = end > address ? row.start + (end - address) :
					    row.start;
		row.name = (char *)(uintptr_t)name;
		row.binding = binding_of(&symbol);
		if (table_add(table, &row))
			return -1;
	}
	return 0;
}

static bool is_section_of_code(Elf_Scn *section, GElf_Shdr *header)
{
	/* A debug file has the headers, and nothing behind them. */
	return gelf_getshdr(section, header) &&
	       header->sh_type == SHT_PROGBITS &&
	       header->sh_flags & SHF_EXECINSTR;
}

bool elf_file_has_code(const struct elf_file *file)
{
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(file->module, &bias);
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section))) {
		if (is_section_of_code(section, &header))
			return true;
	}
	return false;
}

const uint8_t *elf_file_code(const struct elf_file *file, uint64_t offset,
			     size_t *size)
{
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(file->module, &bias);
	Elf_Scn *section = NULL;
	size_t raw_size;
	const char *raw = elf_rawfile(elf, &raw_size);

	while (raw && (section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		uint64_t left;

		if (!is_section_of_code(section, &header) ||
		    offset < header.sh_offset ||
		    offset - header.sh_offset >= header.sh_size ||
		    offset >= raw_size)
			continue;
		left = header.sh_offset + header.sh_size - offset;
		if (left > raw_size - offset)
			left = raw_size - offset;
		if (*size > left)
			*size = left;
		return (const uint8_t *)raw + offset;
	}
	return NULL;
}
#else
#include <unistd.h>

#include "diag.h"

bool elf_file_built_in(void)
{
	return false;
}

static void tell(void)
{
	static bool told;

	if (!told)
		diag("note: symbols are those of the file of samples; not built in: libdw");
	told = true;
}

struct elf_file *elf_file_open(const char *path)
{
	(void)path;
	tell();
	return NULL;
}

struct elf_file *elf_file_take(int fd, const char *path)
{
	(void)path;
	close(fd);
	tell();
	return NULL;
}

void elf_file_root(const char *root)
{
	(void)root;
}

struct elf_file *elf_file_open_memory(const void *bytes, size_t size)
{
	(void)bytes;
	(void)size;
	return NULL;
}

void elf_file_close(struct elf_file *file)
{
	(void)file;
}

bool elf_file_build_id(const struct elf_file *file,
		       uint8_t build_id[PFMD_BUILD_ID_SIZE])
{
	(void)file;
	(void)build_id;
	return false;
}

int elf_file_symbols(struct elf_file *file, struct symbol_table *table)
{
	(void)file;
	(void)table;
	return 0;
}

bool elf_file_address(const struct elf_file *file, uint64_t offset,
		      uint64_t *address)
{
	(void)file;
	(void)offset;
	(void)address;
	return false;
}

bool elf_file_object(struct elf_file *file, uint64_t address,
		     struct elf_object *object)
{
	(void)file;
	(void)address;
	(void)object;
	return false;
}

int elf_file_bits(const struct elf_file *file)
{
	(void)file;
	return 64;
}

bool elf_file_has_code(const struct elf_file *file)
{
	(void)file;
	return false;
}

const uint8_t *elf_file_code(const struct elf_file *file, uint64_t offset,
			     size_t *size)
{
	(void)file;
	(void)offset;
	(void)size;
	return NULL;
}
#endif

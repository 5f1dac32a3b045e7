// SPDX-License-Identifier: GPL-2.0-only
/*
 * Build-ids, see build_id.h. Files may be anything: each offset and length is
 * checked before it is used.
 */
#include "record/build_id.h"

#include <elf.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#define NOTES_MAX 4096
#define SEGMENTS_MAX 128

/* A segment of either class. */
struct segment {
	uint32_t type;
	uint64_t offset, size;
};

static bool read_at(int fd, void *into, size_t size, uint64_t offset)
{
	return offset < INT64_MAX &&
	       pread(fd, into, size, (off_t)offset) == (ssize_t)size;
}

static bool find_in_notes(const char *notes, size_t size,
			  uint8_t id[PFMD_BUILD_ID_SIZE])
{
	while (size >= sizeof(Elf64_Nhdr)) {
		Elf64_Nhdr header;
		size_t name, all;

		memcpy(&header, notes, sizeof(header));
		if (header.n_namesz > NOTES_MAX || header.n_descsz > NOTES_MAX)
			return false;
		name = (header.n_namesz + 3u) & ~3u;
		all = sizeof(header) + name + ((header.n_descsz + 3u) & ~3u);
		if (all > size)
			return false;
		if (header.n_type == NT_GNU_BUILD_ID && header.n_namesz == 4 &&
		    !memcmp(notes + sizeof(header), ELF_NOTE_GNU, 4) &&
		    header.n_descsz && header.n_descsz <= PFMD_BUILD_ID_SIZE) {
			memcpy(id, notes + sizeof(header) + name,
			       header.n_descsz);
			return true;
		}
		notes += all;
		size -= all;
	}
	return false;
}

static bool read_segment(int fd, bool wide, uint64_t offset,
			 struct segment *segment)
{
	Elf64_Phdr large;
	Elf32_Phdr small;

	if (wide) {
		if (!read_at(fd, &large, sizeof(large), offset))
			return false;
		*segment = (struct segment){ large.p_type, large.p_offset,
					     large.p_filesz };
		return true;
	}
	if (!read_at(fd, &small, sizeof(small), offset))
		return false;
	*segment = (struct segment){ small.p_type, small.p_offset,
				     small.p_filesz };
	return true;
}

/* Where the headers of segments are, how large and how many. */
static bool read_header(int fd, bool wide, uint64_t *offset, unsigned int *each,
			unsigned int *count)
{
	Elf64_Ehdr large;
	Elf32_Ehdr small;

	if (wide) {
		if (!read_at(fd, &large, sizeof(large), 0))
			return false;
		*offset = large.e_phoff;
		*each = large.e_phentsize;
		*count = large.e_phnum;
		return *each >= sizeof(Elf64_Phdr);
	}
	if (!read_at(fd, &small, sizeof(small), 0))
		return false;
	*offset = small.e_phoff;
	*each = small.e_phentsize;
	*count = small.e_phnum;
	return *each >= sizeof(Elf32_Phdr);
}

bool build_id_read(int fd, uint8_t id[PFMD_BUILD_ID_SIZE])
{
	unsigned char ident[EI_NIDENT];
	unsigned int each, count;
	char notes[NOTES_MAX];
	uint64_t offset;
	bool wide;

	memset(id, 0, PFMD_BUILD_ID_SIZE);
	if (!read_at(fd, ident, sizeof(ident), 0) ||
	    memcmp(ident, ELFMAG, SELFMAG) != 0 ||
	    ident[EI_DATA] != ELFDATA2LSB)
		return false;
	wide = ident[EI_CLASS] == ELFCLASS64;
	if (!read_header(fd, wide, &offset, &each, &count))
		return false;
	for (unsigned int i = 0; i < count && i < SEGMENTS_MAX; i++) {
		struct segment segment;

		if (!read_segment(fd, wide, offset + (uint64_t)i * each,
				  &segment))
			return false;
		if (segment.type != PT_NOTE || segment.size > NOTES_MAX ||
		    !read_at(fd, notes, segment.size, segment.offset))
			continue;
		if (find_in_notes(notes, segment.size, id))
			return true;
	}
	return false;
}

// SPDX-License-Identifier: GPL-2.0-only
/* Mappings of /proc, the ids of what is mapped, and the clock of samples. */
#include <elf.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "record/build_id.h"
#include "record/clock.h"
#include "record/proc_maps.h"

#define FILE_MAX 65536

/* An ELF file with one segment of notes, at its end. */
static struct {
	Elf64_Ehdr header;
	Elf64_Phdr segment;
	Elf64_Nhdr note;
	char name[4];
	uint8_t id[PFMD_BUILD_ID_SIZE];
} image;

static void make_image(void)
{
	memset(&image, 0, sizeof(image));
	memcpy(image.header.e_ident, ELFMAG, SELFMAG);
	image.header.e_ident[EI_CLASS] = ELFCLASS64;
	image.header.e_ident[EI_DATA] = ELFDATA2LSB;
	image.header.e_phoff = sizeof(image.header);
	image.header.e_phentsize = sizeof(image.segment);
	image.header.e_phnum = 1;
	image.segment.p_type = PT_NOTE;
	image.segment.p_offset = offsetof(typeof(image), note);
	image.segment.p_filesz = sizeof(image) - image.segment.p_offset;
	image.note.n_type = NT_GNU_BUILD_ID;
	image.note.n_namesz = sizeof(image.name);
	image.note.n_descsz = sizeof(image.id);
	memcpy(image.name, ELF_NOTE_GNU, sizeof(image.name));
	memset(image.id, 0x5a, sizeof(image.id));
}

/* Reads the first bytes of the image as a file. */
static bool read_image(size_t size, uint8_t id[PFMD_BUILD_ID_SIZE])
{
	int fd = memfd_create("image", MFD_CLOEXEC);
	bool found;

	assert_int_equal(write(fd, &image, size), size);
	found = build_id_read(fd, id);
	close(fd);
	return found;
}

static void a_build_id_is_found_in_the_notes(void **state)
{
	uint8_t id[PFMD_BUILD_ID_SIZE];

	(void)state;
	make_image();
	assert_true(read_image(sizeof(image), id));
	assert_memory_equal(id, image.id, sizeof(id));
	image.note.n_descsz = 8;
	assert_true(read_image(sizeof(image), id));
	assert_int_equal(id[7], 0x5a);
	assert_int_equal(id[8], 0);
}

static void files_that_are_damaged_have_none(void **state)
{
	static const uint8_t none[PFMD_BUILD_ID_SIZE];
	uint8_t id[PFMD_BUILD_ID_SIZE];

	(void)state;
	make_image();
	for (size_t size = 0; size < sizeof(image); size++) {
		assert_false(read_image(size, id));
		assert_memory_equal(id, none, sizeof(id));
	}
	image.note.n_namesz = UINT32_MAX;
	assert_false(read_image(sizeof(image), id));
	image.note.n_namesz = 4;
	image.note.n_descsz = UINT32_MAX - 2;
	assert_false(read_image(sizeof(image), id));
	image.note.n_descsz = 21;
	assert_false(read_image(sizeof(image), id));
	make_image();
	image.header.e_phoff = UINT64_MAX - 5;
	assert_false(read_image(sizeof(image), id));
	make_image();
	image.segment.p_filesz = UINT64_MAX;
	assert_false(read_image(sizeof(image), id));
}

/* Looks at this process. Returns the chunks. */
static size_t look(struct proc_maps *maps, char text[FILE_MAX])
{
	int fd = memfd_create("samples", MFD_CLOEXEC);
	ssize_t size;

	*maps->writer = (struct writer){ .fd = fd };
	proc_maps_look(maps, getpid());
	size = pread(fd, text, FILE_MAX, 0);
	close(fd);
	assert_true(size >= 0);
	return (size_t)size;
}

/* The mapping that covers the address. NULL: none. */
static const struct pfmd_map *covers(const char *text, size_t size,
				     uint64_t address)
{
	for (size_t at = 0; at < size;) {
		const struct pfmd_chunk *chunk = (const void *)(text + at);
		const struct pfmd_map *map = (const void *)(chunk + 1);

		assert_int_equal(chunk->type, PFMD_MAP);
		if (address - map->addr < map->len)
			return map;
		at += sizeof(*chunk) + (chunk->length + PFMD_ALIGN - 1) /
					       PFMD_ALIGN * PFMD_ALIGN;
	}
	return NULL;
}

static void what_can_be_executed_is_written_once(void **state)
{
	static char text[FILE_MAX];
	struct stamp_clock clock = { .last = 4 };
	struct writer writer;
	struct mapped_files files = { .keep = false };
	struct proc_maps maps = { .writer = &writer,
				  .files = &files,
				  .clock = &clock };
	uint64_t here = (uint64_t)(uintptr_t)look;
	const struct pfmd_map *map;
	size_t size;
	void *page;

	(void)state;
	size = look(&maps, text);
	map = covers(text, size, here);
	assert_non_null(map);
	assert_int_equal(map->tgid, getpid());
	assert_int_equal(map->time, 5);
	assert_int_equal(map->prot, PROT_READ | PROT_EXEC);
	assert_non_null(strstr(map->path, "test_pfmon_maps"));
	assert_null(covers(text, size, (uint64_t)(uintptr_t)text));
	assert_int_equal(look(&maps, text), 0);
	page = mmap(NULL, 4096, PROT_READ | PROT_EXEC,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size = look(&maps, text);
	map = covers(text, size, (uint64_t)(uintptr_t)page);
	assert_non_null(map);
	assert_string_equal(map->path, "");
	assert_null(covers(text, size, here));
	munmap(page, 4096);
	/* What was forgotten is new. */
	proc_maps_forget(&maps, getpid());
	assert_non_null(covers(text, look(&maps, text), here));
	proc_maps_free(&maps);
	mapped_files_close(&files);
}

static void stamps_follow_those_that_were_seen(void **state)
{
	struct stamp_clock clock = { .known = false };
	uint64_t stamp;

	(void)state;
	assert_int_equal(clock_stamp(&clock), 0);
	clock_see(&clock, 100);
	clock_see(&clock, 90);
	assert_int_equal(clock_stamp(&clock), 101);
	clock_compare(&clock);
	if (!clock.known)
		skip();
	stamp = clock_stamp(&clock);
	assert_true(clock_stamp(&clock) >= stamp);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_build_id_is_found_in_the_notes),
		cmocka_unit_test(files_that_are_damaged_have_none),
		cmocka_unit_test(what_can_be_executed_is_written_once),
		cmocka_unit_test(stamps_follow_those_that_were_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

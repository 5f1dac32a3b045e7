// SPDX-License-Identifier: GPL-2.0-only
/*
 * Callers by a copied stack, of a program that wishes the unwinder harm. Registers, stack,
 * the chain by frame pointers and the program's file are right at first; the input changes
 * bytes of them, three of its own for each: where, and the new one. The first byte is odd
 * for a 32-bit program; the bit of 2 says that the file is changed, too. Each address but
 * the first has to be in the file's code.
 */
#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "diag.h"
#include "profile/read_parts.h"
#include "unwind/chain.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#ifdef HAVE_DW
#define BASE 0x400000UL
#define CODE 0x1000UL /* offset in the file, and bytes */
#define STACK 0x7fffe000UL
#define FRAMES_MAX 16

struct world {
	uint64_t pointers[FRAMES_MAX];
	struct pfm_stacks_smpl_copy copy;
	uint64_t stack[64];
	uint8_t file[3 * CODE];
};

/* A function for each way to say where its caller is. */
static const uint8_t frames[] = {
	/* CIE: the return address is in front of the CFA, by the stack pointer. */
	20,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	1,
	'z',
	'R',
	0,
	1,
	0x78,
	16,
	1,
	0,
	0x0c,
	7,
	8,
	0x90,
	1,
	0,
	0,
	/* From the begin of the code, which pushes. */
	28,
	0,
	0,
	0,
	28,
	0,
	0,
	0,
	0,
	0x10,
	0x40,
	0,
	0,
	0,
	0,
	0,
	0,
	4,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0x41,
	0x0e,
	16,
	0x83,
	2,
	0,
	0,
	/* Behind it: by the frame pointer. */
	28,
	0,
	0,
	0,
	60,
	0,
	0,
	0,
	0,
	0x14,
	0x40,
	0,
	0,
	0,
	0,
	0,
	0,
	4,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0x0c,
	6,
	16,
	0x86,
	2,
	0,
	0,
	/* By expressions, of the CFA and of a register; rbx has a value. */
	36,
	0,
	0,
	0,
	92,
	0,
	0,
	0,
	0,
	0x18,
	0x40,
	0,
	0,
	0,
	0,
	0,
	0,
	8,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0x0f,
	3,
	0x77,
	24,
	0x06,
	0x10,
	6,
	2,
	0x77,
	8,
	0x16,
	3,
	1,
	0x30,
	0,
	/* The end. */
	0,
	0,
	0,
	0,
};

static const char names[] = "\0.text\0.eh_frame\0.shstrtab";

static void add_section(Elf64_Shdr *section, Elf64_Word name, Elf64_Word type,
			uint64_t offset, uint64_t size)
{
	*section = (Elf64_Shdr){
		.sh_name = name,
		.sh_type = type,
		.sh_flags = type == SHT_PROGBITS ? SHF_ALLOC : 0,
		.sh_addr = type == SHT_PROGBITS ? BASE + offset : 0,
		.sh_offset = offset,
		.sh_size = size,
		.sh_addralign = 8,
	};
}

/* Headers, code, and tables of frames. */
static void fill_file(uint8_t *file)
{
	static const uint8_t call[] = { 0xe8, 0, 0, 0, 0, 0x90, 0x90, 0x90 };
	const Elf64_Ehdr head = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
			     ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_EXEC,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_phoff = sizeof(head),
		.e_shoff = 512,
		.e_ehsize = sizeof(head),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = 1,
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = 4,
		.e_shstrndx = 3,
	};
	const Elf64_Phdr load = { .p_type = PT_LOAD,
				  .p_flags = PF_R | PF_X,
				  .p_vaddr = BASE,
				  .p_filesz = 3 * CODE,
				  .p_memsz = 3 * CODE,
				  .p_align = CODE };
	Elf64_Shdr sections[4] = { { 0 } };

	add_section(&sections[1], 1, SHT_PROGBITS, CODE, CODE);
	sections[1].sh_flags |= SHF_EXECINSTR;
	add_section(&sections[2], 7, SHT_PROGBITS, 2 * CODE, sizeof(frames));
	add_section(&sections[3], 17, SHT_STRTAB, 1024, sizeof(names));
	memcpy(file, &head, sizeof(head));
	memcpy(file + sizeof(head), &load, sizeof(load));
	memcpy(file + 512, sections, sizeof(sections));
	memcpy(file + 1024, names, sizeof(names));
	for (size_t i = 0; i < CODE; i += sizeof(call))
		memcpy(file + CODE + i, call, sizeof(call));
	memcpy(file + 2 * CODE, frames, sizeof(frames));
}

/* Every word of the stack is the address behind a call. */
static void fill_world(struct world *world, bool is_32bit)
{
	uint64_t *regs = world->copy.regs;

	memset(world, 0, sizeof(*world));
	fill_file(world->file);
	for (size_t i = 0; i < sizeof(world->stack) / 8; i++)
		world->stack[i] = BASE + CODE + 5 + i * 200 % CODE / 8 * 8;
	for (size_t i = 0; i < FRAMES_MAX; i++)
		world->pointers[i] = world->stack[i];
	regs[is_32bit ? 8 : 16] = BASE + CODE;
	regs[is_32bit ? 4 : 7] = STACK;
	regs[is_32bit ? 5 : 6] = STACK + 64;
	world->copy.bytes = sizeof(world->stack);
}

/* False: the file stays as it was. */
static bool change(struct world *world, const uint8_t *data, size_t size,
		   bool file_too)
{
	const size_t file = offsetof(struct world, file);
	const size_t end = file_too ? sizeof(*world) : file;
	bool changed = false;

	for (; size >= 3; data += 3, size -= 3) {
		size_t at = (size_t)(data[0] | data[1] << 8) % end;

		((uint8_t *)world)[at] = data[2];
		changed |= at >= file;
	}
	world->copy.bytes %= sizeof(world->stack) + 1;
	return changed;
}

/* Writes the file anew. Returns its path. */
static const char *make_file(const uint8_t *file)
{
	static char path[64];
	static int fd = -1;

	if (fd >= 0)
		close(fd);
	fd = memfd_create("program", MFD_CLOEXEC);
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", getpid(), fd);
	if (fd < 0 || write(fd, file, 3 * CODE) != (ssize_t)(3 * CODE))
		abort();
	return path;
}

static void add_map(struct profile *profile, const char *path)
{
	union {
		struct pfmd_map map;
		uint8_t bytes[128];
	} payload = { .map = { .addr = BASE,
			       .len = 3 * CODE,
			       .tgid = 1,
			       .prot = PROT_READ | PROT_EXEC } };
	const struct chunk chunk = {
		.type = PFMD_MAP,
		.length = PFMD_MAP_PATH + strlen(path) + 1,
		.payload = payload.bytes,
	};

	memcpy(payload.bytes + PFMD_MAP_PATH, path, strlen(path) + 1);
	if (part_map(profile, &chunk))
		abort();
}

/* Returns how many addresses there are. */
static unsigned int find_callers(struct tables *tables,
				 const struct world *world, bool is_32bit)
{
	const struct chain_from from = {
		.copy = &world->copy,
		.stack = (const uint8_t *)world->stack,
		.pointers = world->pointers,
		.pointer_count = FRAMES_MAX,
		.tgid = 1,
		.is_32bit = is_32bit,
	};
	uint64_t ips[FRAMES_MAX];
	uint16_t flags = 0;
	unsigned int count = chain_find(tables, &from, ips, FRAMES_MAX, &flags);

	if (!count || count > FRAMES_MAX)
		abort();
	for (unsigned int i = 1; i < count; i++) {
		if (ips[i] < BASE || ips[i] > BASE + 3 * CODE)
			abort();
	}
	return count;
}

/* The file of the world, of a profile that is there until the next call. */
static struct tables *read_tables(const struct world *world,
				  struct profile *profile)
{
	*profile = (struct profile){ .name = "input" };
	add_map(profile, make_file(world->file));
	return tables_new(profile);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct profile right;
	static struct tables *right_tables;
	struct profile profile;
	struct tables *tables;
	struct world world;
	bool is_32bit = size && data[0] & 1;

	if (!size)
		return 0;
	diag_quiet(true);
	if (!right_tables) {
		fill_world(&world, false);
		right_tables = read_tables(&world, &right);
		/* What is right has callers. */
		if (!right_tables ||
		    find_callers(right_tables, &world, false) < 5)
			abort();
	}
	fill_world(&world, is_32bit);
	if (change(&world, data + 1, size - 1, data[0] & 2)) {
		tables = read_tables(&world, &profile);
		if (tables)
			find_callers(tables, &world, is_32bit);
		tables_free(tables);
		profile_free(&profile);
	} else {
		find_callers(right_tables, &world, is_32bit);
	}
	diag_quiet(false);
	return 0;
}
#else
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	(void)data;
	(void)size;
	return 0;
}
#endif

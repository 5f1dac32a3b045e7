// SPDX-License-Identifier: GPL-2.0-only
/*
 * The instructions of a function, see code.h: libcapstone reads them. It is large, and
 * of use to this alone, so it is loaded when it is needed and may be absent.
 */
#include "views/code.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef HAVE_CAPSTONE
#include <capstone.h>
#include <dlfcn.h>
#endif

#include "diag.h"

#ifdef HAVE_CAPSTONE
/* A symbol without a size may go up to the end of a large section. */
#define FUNCTION_MAX (1UL << 20)

#define TEXT_OF(number) #number
#define SONAME_OF(number) "libcapstone.so." TEXT_OF(number)
#define PACKAGE_OF(number) "libcapstone" TEXT_OF(number)
#define SONAME SONAME_OF(CS_API_MAJOR)
#define PACKAGE PACKAGE_OF(CS_API_MAJOR)

static struct {
	__typeof__(cs_open) *open;
	__typeof__(cs_close) *close;
	__typeof__(cs_option) *option;
	__typeof__(cs_malloc) *malloc;
	__typeof__(cs_free) *free;
	__typeof__(cs_disasm_iter) *disasm_iter;
} capstone;

/* POSIX wants the cast of pointers to functions. */
#define FIND(library, name) \
	((*(void **)&capstone.name = dlsym(library, "cs_" #name)) != NULL)

const char *code_begin(void)
{
	void *library = dlopen(SONAME, RTLD_NOW | RTLD_LOCAL);

	if (!library)
		return SONAME " is not installed; install " PACKAGE;
	if (FIND(library, open) && FIND(library, close) &&
	    FIND(library, option) && FIND(library, malloc) &&
	    FIND(library, free) && FIND(library, disasm_iter))
		return NULL;
	return SONAME " is not the library that it should be";
}

static int add(struct code *code, const struct instruction *row)
{
	struct instruction *more = code->rows;

	if (!(code->count & (code->count - 1)))
		more = reallocarray(code->rows,
				    code->count ? 2 * code->count : 1,
				    sizeof(*more));
	if (!more)
		return diag("no memory for the instructions");
	code->rows = more;
	more[code->count++] = *row;
	return 0;
}

static int disassemble(struct code *code, csh handle, const uint8_t *bytes,
		       size_t size, struct instruction *row)
{
	cs_insn *found = capstone.malloc(handle);
	int ret = found ? 0 : diag("no memory for the instructions");

	while (!ret && size) {
		const uint8_t *before = bytes;
		uint64_t address = row->address;

		if (capstone.disasm_iter(handle, &bytes, &size, &address,
					 found)) {
			row->size = found->size;
			snprintf(row->text, sizeof(row->text), "%s%s%s",
				 found->mnemonic, *found->op_str ? " " : "",
				 found->op_str);
		} else {
			row->size = 1;
			snprintf(row->text, sizeof(row->text), ".byte 0x%02x",
				 *before);
			bytes = before + 1;
			size--;
		}
		ret = add(code, row);
		row->place += row->size;
		row->address += row->size;
	}
	if (found)
		capstone.free(found, 1);
	return ret;
}

int code_read(struct code *code, const struct function *function)
{
	struct elf_file *elf = function->image ? function->image->elf : NULL;
	struct instruction row = { .place = function->start };
	size_t size = function->size < FUNCTION_MAX ? function->size :
						      FUNCTION_MAX;
	const uint8_t *bytes;
	csh handle;
	int ret;

	*code = (struct code){ 0 };
	bytes = elf ? elf_file_code(elf, function->start, &size) : NULL;
	if (!bytes || !elf_file_address(elf, function->start, &row.address))
		return 0;
	if (capstone.open(CS_ARCH_X86,
			  elf_file_bits(elf) == 32 ? CS_MODE_32 : CS_MODE_64,
			  &handle) != CS_ERR_OK)
		return diag("no memory for the instructions");
	capstone.option(handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
	ret = disassemble(code, handle, bytes, size, &row);
	capstone.close(&handle);
	return ret;
}
#else
const char *code_begin(void)
{
	return "not built in: libcapstone";
}

int code_read(struct code *code, const struct function *function)
{
	(void)function;
	*code = (struct code){ 0 };
	return 0;
}
#endif

void code_free(struct code *code)
{
	free(code->rows);
	*code = (struct code){ 0 };
}

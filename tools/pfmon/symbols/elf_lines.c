// SPDX-License-Identifier: GPL-2.0-only
/* What DWARF tells of an ELF file: source lines and what was inlined, see elf_file.h. */
#include "symbols/elf_file.h"

#ifdef HAVE_DW
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>

#include "symbols/elf_parts.h"

bool elf_file_line(struct elf_file *file, uint64_t offset, const char **source,
		   int *line)
{
	uint64_t address;
	Dwfl_Line *found;

	if (!elf_file_address(file, offset, &address))
		return false;
	found = dwfl_module_getsrc(file->module, address + file->bias);
	if (!found)
		return false;
	*source = dwfl_lineinfo(found, NULL, line, NULL, NULL, NULL);
	return *source && *line > 0;
}

static const char *name_of(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	const char *name = NULL;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute))
		name = dwarf_formstring(&attribute);
	return name ? name : dwarf_diename(die);
}

int elf_file_inlined(struct elf_file *file, uint64_t offset,
		     void (*found)(const char *name, void *context),
		     void *context)
{
	Dwarf_Addr bias;
	Dwarf_Die *unit, *scopes = NULL, *around = NULL;
	uint64_t address;
	int count, inlined = 0;

	if (!elf_file_address(file, offset, &address))
		return 0;
	unit = dwfl_module_addrdie(file->module, address + file->bias, &bias);
	count = unit ? dwarf_getscopes(unit, address + file->bias - bias,
				       &scopes) :
		       0;
	/* The scopes of an inlined function go on where it was written. */
	if (count > 0)
		count = dwarf_getscopes_die(&scopes[0], &around);
	for (int i = 0; i < count; i++) {
		const char *name;

		if (dwarf_tag(&around[i]) == DW_TAG_subprogram)
			break;
		name = dwarf_tag(&around[i]) == DW_TAG_inlined_subroutine ?
			       name_of(&around[i]) :
			       NULL;
		if (name) {
			found(name, context);
			inlined++;
		}
	}
	free(scopes);
	free(around);
	return inlined;
}
#else
bool elf_file_line(struct elf_file *file, uint64_t offset, const char **source,
		   int *line)
{
	(void)file;
	(void)offset;
	(void)source;
	(void)line;
	return false;
}

int elf_file_inlined(struct elf_file *file, uint64_t offset,
		     void (*found)(const char *name, void *context),
		     void *context)
{
	(void)file;
	(void)offset;
	(void)found;
	(void)context;
	return 0;
}
#endif

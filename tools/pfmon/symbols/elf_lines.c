// SPDX-License-Identifier: GPL-2.0-only
/* What DWARF tells of an ELF file: source lines and what was inlined, see elf_file.h. */
#include "symbols/elf_file.h"

#ifdef HAVE_DW
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/elf_parts.h"

static int compare(const void *one, const void *other)
{
	return strcmp(one, other);
}

/* A path that stays as long as the file, and is freed; without memory the name. */
static const char *kept(struct elf_file *file, char *path, const char *name)
{
	char **node = path ? tsearch(path, &file->sources, compare) : NULL;

	if (!node || *node != path)
		free(path);
	return node ? *node : name;
}

/*
 * A compiler that was called with a path from where it was has written that path, and
 * where it was. That may have been made a relative one, too, which says nothing here.
 */
static const char *from_root(struct elf_file *file, Dwfl_Line *line,
			     const char *name)
{
	const char *where = *name == '/' ? NULL : dwfl_line_comp_dir(line);
	char *path;

	if (!where || *where != '/')
		return name;
	if (asprintf(&path, "%s/%s", where, name) < 0)
		path = NULL;
	return kept(file, path, name);
}

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
	if (!*source || *line <= 0)
		return false;
	*source = from_root(file, found, *source);
	return true;
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

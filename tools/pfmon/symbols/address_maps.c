// SPDX-License-Identifier: GPL-2.0-only
/* Symbols that are lists of addresses, see address_maps.h. */
#include "symbols/address_maps.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int add(struct symbol_table *table, uint64_t start, uint64_t size,
	       char *name, enum symbol_binding binding)
{
	return table_add(table, &(struct symbol){ .start = start,
						  .size = size,
						  .limit = UINT64_MAX,
						  .name = name,
						  .binding = binding });
}

/* "ADDRESS TYPE NAME [MODULE]"; 0 to go on. */
static int add_kernel_line(struct symbol_table *table, char *line)
{
	char *end, *name;
	uint64_t address = strtoull(line, &end, 16);
	char type;

	if (!address || end[0] != ' ' || !end[1] || end[2] != ' ')
		return 0;
	type = end[1];
	if (!strchr("tTwW", type))
		return 0;
	name = end + 3;
	name[strcspn(name, " \t\n")] = '\0';
	return *name ? add(table, address, 0, name,
			   type == 'T' ? BINDING_GLOBAL :
			   tolower((unsigned char)type) == 'w' ?
					 BINDING_WEAK :
					 BINDING_LOCAL) :
		       0;
}

static int add_program_line(struct symbol_table *table, char *line)
{
	char *end, *name;
	uint64_t start = strtoull(line, &end, 16);
	uint64_t size;

	if (end == line || *end != ' ')
		return 0;
	size = strtoull(end + 1, &name, 16);
	if (name == end + 1 || *name != ' ' || !size)
		return 0;
	name++;
	name[strcspn(name, "\n")] = '\0';
	return *name ? add(table, start, size, name, BINDING_GLOBAL) : 0;
}

static int read_lines(FILE *in, struct symbol_table *table,
		      int (*add_line)(struct symbol_table *table, char *line))
{
	char *line = NULL;
	size_t capacity = 0;
	int ret = 0;

	while (!ret && getline(&line, &capacity, in) > 0)
		ret = add_line(table, line);
	free(line);
	fclose(in);
	return ret;
}

int address_maps_kernel(const char *path, struct symbol_table *table)
{
	FILE *in = fopen(path, "re");

	return in ? read_lines(in, table, add_kernel_line) : 0;
}

int address_maps_program(const char *path, uid_t uid,
			 struct symbol_table *table)
{
	struct stat status;
	FILE *in;
	/* Anybody can put a link or a pipe into /tmp. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

	if (fd < 0)
		return 0;
	if (fstat(fd, &status) || !S_ISREG(status.st_mode) ||
	    status.st_uid != uid) {
		close(fd);
		return 0;
	}
	in = fdopen(fd, "r");
	return in ? read_lines(in, table, add_program_line) : -1;
}

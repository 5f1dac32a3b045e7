// SPDX-License-Identifier: GPL-2.0-only
/* Mappings of /proc, see proc_maps.h. */
#include "record/proc_maps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* A mapping that was written, by a hash of its line. */
struct known_process {
	pid_t pid;
	uint64_t *lines;
	int count;
};

/* What a line tells. */
struct line {
	struct pfmd_map map;
	unsigned int major, minor;
	unsigned long long ino;
	char *path;
};

static uint64_t hash(const char *text)
{
	uint64_t value = 0xcbf29ce484222325;

	while (*text)
		value = (value ^ (unsigned char)*text++) * 0x100000001b3;
	return value;
}

static struct known_process *find(const struct proc_maps *maps, pid_t pid)
{
	for (int i = 0; i < maps->count; i++) {
		if (maps->list[i].pid == pid)
			return &maps->list[i];
	}
	return NULL;
}

/* NULL if there is no memory: mappings are written again then. */
static struct known_process *find_or_add(struct proc_maps *maps, pid_t pid)
{
	struct known_process *process = find(maps, pid), *grown;
	int capacity = maps->capacity ? 2 * maps->capacity : 16;

	if (process)
		return process;
	if (maps->count == maps->capacity) {
		grown = reallocarray(maps->list, (size_t)capacity,
				     sizeof(*grown));
		if (!grown)
			return NULL;
		maps->list = grown;
		maps->capacity = capacity;
	}
	process = &maps->list[maps->count++];
	*process = (struct known_process){ .pid = pid };
	return process;
}

static bool is_known(const struct known_process *process, uint64_t line)
{
	for (int i = 0; process && i < process->count; i++) {
		if (process->lines[i] == line)
			return true;
	}
	return false;
}

/* The fields of a line. False if the mapping cannot be executed, or is none. */
static bool parse(char *text, struct line *line)
{
	unsigned long long from, to, offset;
	char rights[5];
	int path = 0;

	*line = (struct line){ .path = NULL };
	if (sscanf(text, "%llx-%llx %4s %llx %x:%x %llu %n", &from, &to, rights,
		   &offset, &line->major, &line->minor, &line->ino,
		   &path) < 7 ||
	    rights[2] != 'x')
		return false;
	line->map.addr = from;
	line->map.len = to - from;
	line->map.pgoff = offset;
	line->map.prot = PROT_EXEC | (rights[0] == 'r' ? PROT_READ : 0) |
			 (rights[1] == 'w' ? PROT_WRITE : 0);
	text[strcspn(text, "\n")] = '\0';
	line->path = text + strlen(text);
	if (path && text + path < line->path)
		line->path = text + path;
	mapped_files_cut(line->path);
	return true;
}

static void write_line(const struct proc_maps *maps, pid_t pid,
		       struct line *line)
{
	const struct file_mapping mapping = {
		.pid = pid,
		.map = &line->map,
		.path = line->path,
		.dev = (uint64_t)line->major << 32 | line->minor,
		.ino = line->ino,
	};
	struct pfmd_file file;

	mapped_files_see(maps->files, &mapping, line->map.build_id, &file);
	line->map.time = clock_stamp(maps->clock);
	line->map.tgid = (uint32_t)pid;
	writer_map(maps->writer, &line->map, line->path,
		   file.ino ? &file : NULL);
}

/* What is there now takes the place of what was there before. */
static void remember(struct known_process *process, uint64_t *lines, int count)
{
	if (!process) {
		free(lines);
		return;
	}
	free(process->lines);
	process->lines = lines;
	process->count = count;
}

void proc_maps_look(struct proc_maps *maps, pid_t pid)
{
	struct known_process *process = find_or_add(maps, pid);
	uint64_t *lines = NULL;
	char path[48], *text = NULL;
	struct line line;
	size_t size = 0;
	int count = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	file = fopen(path, "re");
	if (!file)
		return;
	while (getline(&text, &size, file) > 0) {
		uint64_t value, *grown;

		if (!parse(text, &line))
			continue;
		/* One that was removed is the same as before. */
		value = hash(text);
		if (!is_known(process, value))
			write_line(maps, pid, &line);
		grown = reallocarray(lines, (size_t)count + 1, sizeof(*grown));
		if (!grown)
			break;
		lines = grown;
		lines[count++] = value;
	}
	fclose(file);
	free(text);
	/* One that exits has none any more. */
	if (count)
		remember(process, lines, count);
}

void proc_maps_forked(struct proc_maps *maps, pid_t pid, pid_t parent)
{
	struct known_process *child = find_or_add(maps, pid);
	const struct known_process *from = find(maps, parent);
	uint64_t *lines;

	if (!child || !from || !from->count)
		return;
	lines = calloc((size_t)from->count, sizeof(*lines));
	if (!lines)
		return;
	memcpy(lines, from->lines, (size_t)from->count * sizeof(*lines));
	remember(child, lines, from->count);
}

void proc_maps_forget(struct proc_maps *maps, pid_t pid)
{
	struct known_process *process = find(maps, pid);

	if (!process)
		return;
	free(process->lines);
	*process = maps->list[--maps->count];
}

void proc_maps_free(struct proc_maps *maps)
{
	for (int i = 0; i < maps->count; i++)
		free(maps->list[i].lines);
	free(maps->list);
	maps->list = NULL;
	maps->count = maps->capacity = 0;
}

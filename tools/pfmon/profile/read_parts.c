// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is inside of the chunks of a file of samples but META, see read_parts.h.
 * Nothing of it is trusted: files come from other machines.
 */
#include "profile/read_parts.h"

#include <stdlib.h>
#include <string.h>

#include "diag.h"

bool part_has_build_id(const uint8_t build_id[PFMD_BUILD_ID_SIZE])
{
	static const uint8_t none[PFMD_BUILD_ID_SIZE];

	return memcmp(build_id, none, sizeof(none)) != 0;
}

int part_task(struct profile *profile, const struct chunk *chunk)
{
	const char *comm =
		(const char *)chunk->payload + sizeof(struct pfmd_task);
	struct profile_task *task;
	struct pfmd_task raw;

	if (chunk->length <= sizeof(raw) ||
	    !memchr(comm, '\0', chunk->length - sizeof(raw)))
		return part_damaged(profile, chunk, "TASK is too short");
	memcpy(&raw, chunk->payload, sizeof(raw));
	task = part_room(profile, profile->tasks, profile->task_count,
			 sizeof(*task));
	if (!task)
		return -1;
	profile->tasks = task;
	task += profile->task_count++;
	*task = (struct profile_task){
		.time = raw.time,
		.tgid = raw.tgid,
		.tid = raw.tid,
		.ptid = raw.ptid,
		.kind = raw.kind,
		.order = chunk->offset,
	};
	memcpy(task->comm, comm, strnlen(comm, sizeof(task->comm) - 1));
	return 0;
}

/* A path, and perhaps which file it was. */
static int fill_map(struct profile *profile, struct profile_map *map,
		    const struct chunk *chunk)
{
	const char *path = (const char *)chunk->payload + PFMD_MAP_PATH;
	size_t left = chunk->length - PFMD_MAP_PATH;
	size_t length = strnlen(path, left);
	size_t end = PFMD_MAP_PATH + length + 1;

	if (length == left)
		return part_damaged(profile, chunk, "the path of MAP");
	map->path = part_keep(profile, path, length);
	if (!map->path)
		return -1;
	end = (end + PFMD_ALIGN - 1) / PFMD_ALIGN * PFMD_ALIGN;
	if (chunk->length < end + sizeof(map->file))
		return 0;
	memcpy(&map->file, chunk->payload + end, sizeof(map->file));
	map->has_file = true;
	return 0;
}

int part_map(struct profile *profile, const struct chunk *chunk)
{
	struct pfmd_map raw = { 0 };
	struct profile_map *map;

	if (chunk->length <= PFMD_MAP_PATH)
		return part_damaged(profile, chunk, "MAP is too short");
	memcpy(&raw, chunk->payload, PFMD_MAP_PATH);
	if (!raw.len || raw.addr + raw.len - 1 < raw.addr)
		return part_damaged(profile, chunk, "the length of MAP");
	map = part_room(profile, profile->maps, profile->map_count,
			sizeof(*map));
	if (!map)
		return -1;
	profile->maps = map;
	map += profile->map_count;
	*map = (struct profile_map){
		.time = raw.time,
		.addr = raw.addr,
		.len = raw.len,
		.pgoff = raw.pgoff,
		.tgid = raw.tgid,
		.prot = raw.prot,
		.has_build_id = part_has_build_id(raw.build_id),
		.order = chunk->offset,
	};
	memcpy(map->build_id, raw.build_id, sizeof(map->build_id));
	if (fill_map(profile, map, chunk))
		return -1;
	profile->map_count++;
	return 0;
}

int part_loss(struct profile *profile, const struct chunk *chunk)
{
	struct pfmd_loss loss, *losses;

	if (chunk->length < sizeof(loss))
		return part_damaged(profile, chunk, "LOSS is too short");
	memcpy(&loss, chunk->payload, sizeof(loss));
	for (size_t i = 0; i < profile->loss_count; i++) {
		if (profile->losses[i].stream == loss.stream) {
			profile->losses[i] = loss;
			return 0;
		}
	}
	losses = part_room(profile, profile->losses, profile->loss_count,
			   sizeof(*losses));
	if (!losses)
		return -1;
	profile->losses = losses;
	losses[profile->loss_count++] = loss;
	return 0;
}

/* Every row is in a file of 2^64 bytes, after the one before, and has a name. */
static bool symbols_are_whole(const struct profile_symbols *symbols,
			      size_t names_size)
{
	if (!names_size || symbols->names[names_size - 1])
		return false;
	for (uint32_t i = 0; i < symbols->count; i++) {
		const struct pfmd_symbol *row = &symbols->rows[i];

		if (row->name >= names_size ||
		    row->offset + row->size < row->offset ||
		    (i && row->offset < row[-1].offset))
			return false;
	}
	return true;
}

int part_symbols(struct profile *profile, const struct chunk *chunk)
{
	struct pfmd_symbols header;
	struct profile_symbols *symbols;
	const uint8_t *kept;
	size_t rows, names_size, file;

	if (chunk->length < sizeof(header))
		return part_damaged(profile, chunk, "SYMBOLS is too short");
	memcpy(&header, chunk->payload, sizeof(header));
	rows = (size_t)header.count * sizeof(struct pfmd_symbol);
	file = header.flags & PFMD_SYMBOLS_FILE ? sizeof(symbols->file) : 0;
	if (chunk->length - sizeof(header) < rows + file)
		return part_damaged(profile, chunk, "SYMBOLS has fewer");
	names_size = chunk->length - sizeof(header) - rows - file;
	symbols = part_room(profile, profile->symbols, profile->symbol_count,
			    sizeof(*symbols));
	if (!symbols)
		return -1;
	profile->symbols = symbols;
	symbols += profile->symbol_count;
	kept = part_keep(profile, chunk->payload, chunk->length);
	if (!kept)
		return -1;
	*symbols = (struct profile_symbols){
		.has_build_id = part_has_build_id(header.build_id),
		.count = header.count,
		.flags = header.flags,
		.rows = (const void *)(kept + sizeof(header)),
		.names = (const char *)kept + sizeof(header) + rows,
	};
	memcpy(symbols->build_id, header.build_id, sizeof(symbols->build_id));
	memcpy(&symbols->file, kept + chunk->length - file, file);
	if (header.path >= names_size ||
	    !symbols_are_whole(symbols, names_size))
		return part_damaged(profile, chunk, "the names of SYMBOLS");
	symbols->path = symbols->names + header.path;
	profile->symbol_count++;
	return 0;
}

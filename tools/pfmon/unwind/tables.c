// SPDX-License-Identifier: GPL-2.0-only
/* The code of processes, see tables.h. Tables are asked once for each place of a file. */
#include "unwind/tables.h"

#ifdef HAVE_DW
#include <search.h>
#include <stdlib.h>

#include "diag.h"
#include "symbols/call_sites.h"
#include "symbols/image_parts.h"

/* A power of 2, more addresses than most programs have in chains. */
#define RECENT 16384

/* A mapping that has been seen, and stays where it is. */
struct mapping {
	struct profile_map map;
	struct image *image;
};

/* A place of an image. */
struct spot {
	const struct image *image;
	uint64_t place;
	struct elf_frame *frame;
	bool calls;
};

struct recent {
	uint64_t ip;
	size_t version;
	unsigned int generation;
	uint32_t tgid;
	struct table_at at;
};

struct tables {
	const struct profile *profile;
	struct image_options options;
	struct images *images;
	struct places *places;
	size_t maps, tasks; /* that places knows */
	unsigned int generation; /* of places, from 1 on */
	void *mappings, *spots; /* trees of search.h */
	struct recent recent[RECENT];
};

struct tables *tables_new(const struct profile *profile)
{
	struct tables *tables = calloc(1, sizeof(*tables));

	if (!tables) {
		diag("no memory for the call chains");
		return NULL;
	}
	tables->profile = profile;
	tables->images = images_new(profile, &tables->options);
	if (tables->images && !tables_renew(tables))
		return tables;
	tables_free(tables);
	return NULL;
}

static void free_spot(void *node)
{
	struct spot *spot = node;

	elf_frame_free(spot->frame);
	free(spot);
}

void tables_free(struct tables *tables)
{
	if (!tables)
		return;
	tdestroy(tables->spots, free_spot);
	tdestroy(tables->mappings, free);
	images_free(tables->images);
	places_free(tables->places);
	free(tables);
}

int tables_renew(struct tables *tables)
{
	if (tables->places && tables->maps == tables->profile->map_count &&
	    tables->tasks == tables->profile->task_count)
		return 0;
	places_free(tables->places);
	tables->places = places_new(tables->profile);
	tables->maps = tables->profile->map_count;
	tables->tasks = tables->profile->task_count;
	tables->generation++;
	return tables->places ? 0 : -1;
}

static int by_order(const void *one, const void *other)
{
	const struct mapping *a = one, *b = other;

	if (a->map.order != b->map.order)
		return a->map.order < b->map.order ? -1 : 1;
	return 0;
}

/* The profile moves its mappings when it gets more. */
static const struct mapping *keep(struct tables *tables,
				  const struct profile_map *map)
{
	struct mapping **node = tfind(map, &tables->mappings, by_order);
	struct mapping *mapping;

	if (node)
		return *node;
	mapping = malloc(sizeof(*mapping));
	if (!mapping)
		return NULL;
	mapping->map = *map;
	mapping->image = images_of(tables->images, &mapping->map, map->addr);
	/* While the file is there. */
	if (mapping->image && !mapping->image->looked)
		sources_find(mapping->image);
	if (mapping->image)
		mapping->image->looked = true;
	if (mapping->image && tsearch(mapping, &tables->mappings, by_order))
		return mapping;
	free(mapping);
	return NULL;
}

static int by_spot(const void *one, const void *other)
{
	const struct spot *a = one, *b = other;

	if (a->image != b->image)
		return a->image < b->image ? -1 : 1;
	return a->place < b->place ? -1 : a->place > b->place;
}

static const struct spot *spot_of(struct tables *tables,
				  const struct mapping *mapping, uint64_t ip)
{
	struct spot key = {
		.image = mapping->image,
		.place = image_place(mapping->image, &mapping->map, ip),
	};
	struct spot **node = tfind(&key, &tables->spots, by_spot);
	struct spot *spot;

	if (node)
		return *node;
	spot = malloc(sizeof(*spot));
	if (!spot)
		return NULL;
	*spot = key;
	spot->calls = call_site_is_possible(mapping->image, &mapping->map,
					    key.place, ip);
	spot->frame = mapping->image->elf ?
			      elf_frame_at(mapping->image->elf, key.place) :
			      NULL;
	if (tsearch(spot, &tables->spots, by_spot))
		return spot;
	free_spot(spot);
	return NULL;
}

const struct table_at *tables_at(struct tables *tables, uint32_t tgid,
				 uint64_t ip, uint64_t time)
{
	size_t version = places_version(tables->places, tgid, ip, time);
	uint64_t hash = (ip ^ tgid) * 0x9e3779b97f4a7c15ULL;
	struct recent *recent = &tables->recent[hash >> 32 & (RECENT - 1)];
	const struct profile_map *map;
	const struct mapping *mapping;
	const struct spot *spot;

	if (recent->generation == tables->generation && recent->ip == ip &&
	    recent->version == version && recent->tgid == tgid)
		return &recent->at;
	*recent =
		(struct recent){ ip, version, 0, tgid, { NULL, NULL, false } };
	map = places_find(tables->places, tgid, ip, time);
	if (map) {
		mapping = keep(tables, map);
		spot = mapping ? spot_of(tables, mapping, ip) : NULL;
		if (!spot) {
			diag("no memory for the call chains");
			return NULL;
		}
		recent->at = (struct table_at){ spot->image, spot->frame,
						spot->calls };
	}
	recent->generation = tables->generation;
	return &recent->at;
}
#endif

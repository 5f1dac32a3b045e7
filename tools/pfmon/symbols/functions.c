// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions of samples, see functions.h. Symbols are asked for once for each address,
 * and DWARF too, which is slow.
 */
#include "symbols/functions.h"

#include <inttypes.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "profile/read_places.h"
#include "symbols/call_sites.h"
#include "symbols/demangle.h"

/* Samples are of few addresses: a power of 2, more than most programs have. */
#define RECENT 65536

/* Whose place is known, as long as nothing is mapped there. */
struct recent {
	uint64_t ip;
	size_t version; /* of the mappings */
	uint32_t tgid;
	const struct place *place; /* NULL: nothing is here */
};

struct functions {
	struct recent *recent; /* by a hash of the address */
	const struct profile *profile;
	struct images *images;
	struct functions_options options;
	struct places *places;
	void *by_place; /* trees of search.h */
	void *by_symbol;
	unsigned int place_count;
	unsigned int count;
	const struct place *chain[UINT16_MAX + 1]; /* of the last depth */
	bool broken;
	bool wants_callers;
	bool by_pointers;
};

/* Where one address is recorded all chains end at it. */
static bool wants_callers(const struct profile *profile)
{
	struct json_object *frames;

	return !json_object_object_get_ex(profile->meta, "frames", &frames) ||
	       json_object_get_int(frames) != 1;
}

struct functions *functions_new(const struct profile *profile,
				struct images *images,
				const struct functions_options *options)
{
	struct functions *functions = calloc(1, sizeof(*functions));
	const char *chains = profile_meta(profile, "chains");

	if (!functions) {
		diag("%s: no memory for it", profile->name);
		return NULL;
	}
	functions->recent = calloc(RECENT, sizeof(*functions->recent));
	functions->profile = profile;
	functions->images = images;
	functions->options = *options;
	functions->wants_callers = wants_callers(profile);
	functions->by_pointers = !chains || strcmp(chains, "dwarf") != 0;
	if (!functions->recent)
		diag("%s: no memory for it", profile->name);
	else
		functions->places = places_new(profile);
	if (functions->places)
		return functions;
	free(functions->recent);
	free(functions);
	return NULL;
}

static void free_function(void *node)
{
	struct function *function = node;

	free(function->name);
	free(function);
}

void functions_free(struct functions *functions)
{
	if (!functions)
		return;
	tdestroy(functions->by_place, free);
	tdestroy(functions->by_symbol, free_function);
	places_free(functions->places);
	free(functions->recent);
	free(functions);
}

static int by_place(const void *one, const void *other)
{
	const struct place *a = one, *b = other;

	if (a->image != b->image)
		return a->image < b->image ? -1 : 1;
	return a->place < b->place ? -1 : a->place > b->place;
}

static int by_symbol(const void *one, const void *other)
{
	const struct function *a = one, *b = other;

	if (a->image != b->image)
		return a->image < b->image ? -1 : 1;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return strcmp(a->name, b->name);
}

static void keep_first(const char *name, void *context)
{
	const char **first = context;

	if (!*first)
		*first = name;
}

static const char *innermost(const struct functions *functions,
			     const struct place *place)
{
	const char *name = NULL;

	if (functions->options.inlined && place->image && place->image->elf)
		elf_file_inlined(place->image->elf, place->place, keep_first,
				 &name);
	return name;
}

static char *name_of_symbol(const struct functions *functions, const char *name,
			    bool inlined)
{
	char *plain = functions->options.no_demangle ? strdup(name) :
						       demangle(name);
	char *marked = NULL;

	if (!inlined || !plain)
		return plain;
	if (asprintf(&marked, "%s (inlined)", plain) < 0)
		marked = NULL;
	free(plain);
	return marked;
}

/* What is no file has brackets of its own. */
static char *name_of_place(const struct place *place)
{
	const struct image *image = place->image;
	const char *base = image ? image_base(image) : "";
	int length = (int)strlen(base);
	char *name;
	int ret;

	if (length > 2 && base[0] == '[' && base[length - 1] == ']') {
		base++;
		length -= 2;
	}
	if (!image)
		ret = asprintf(&name, "[unknown 0x%" PRIx64 "]", place->ip);
	else
		ret = asprintf(&name, "[%.*s+0x%" PRIx64 "%s]", length, base,
			       place->place, image->changed ? " changed" : "");
	return ret < 0 ? NULL : name;
}

/* Where a signal handler returns to is behind the place, and a function begins there. */
static bool find_symbol(struct image *image, uint64_t place,
			struct image_symbol *symbol)
{
	return image_symbol(image, place, symbol) ||
	       (call_site_is_signal(image, place) &&
		image_symbol(image, place + 1, symbol));
}

static int fill_function(const struct functions *functions,
			 const struct place *place, struct function *function)
{
	struct image *image = (struct image *)(uintptr_t)place->image;
	struct image_symbol symbol;
	const char *inlined;

	*function = (struct function){
		.image = image,
		.file = image ? image->path : "",
		.kernel = place->ip >= PLACES_KERNEL_START,
		.start = place->place,
		.size = 1,
	};
	if (!image || functions->options.no_symbols ||
	    !find_symbol(image, place->place, &symbol)) {
		if (image && !functions->options.no_symbols)
			image_explain(image);
		function->name = name_of_place(place);
		return function->name ? 0 : -1;
	}
	inlined = innermost(functions, place);
	function->has_symbol = true;
	function->start = symbol.start;
	function->size = symbol.size;
	function->name = name_of_symbol(
		functions, inlined ? inlined : symbol.name, inlined != NULL);
	return function->name ? 0 : -1;
}

/* The function that was there before, or this one from now on. */
static const struct function *intern(struct functions *functions,
				     const struct place *place)
{
	struct function key, *kept;
	struct function **node;

	if (fill_function(functions, place, &key))
		return NULL;
	node = tfind(&key, &functions->by_symbol, by_symbol);
	if (node) {
		free(key.name);
		return *node;
	}
	kept = malloc(sizeof(*kept));
	if (!kept) {
		free(key.name);
		return NULL;
	}
	*kept = key;
	kept->index = functions->count++;
	if (tsearch(kept, &functions->by_symbol, by_symbol))
		return kept;
	free_function(kept);
	return NULL;
}

static const struct place *add_place(struct functions *functions,
				     const struct place *key)
{
	struct place *kept = malloc(sizeof(*kept));

	if (!kept)
		return NULL;
	*kept = *key;
	kept->index = functions->place_count++;
	kept->function = intern(functions, kept);
	kept->calls = call_site_is_possible(kept->image, kept->map, kept->place,
					    kept->ip);
	if (kept->function && tsearch(kept, &functions->by_place, by_place))
		return kept;
	free(kept);
	return NULL;
}

static const struct place *find_place(struct functions *functions,
				      const struct profile_sample *sample,
				      uint64_t ip)
{
	const struct profile_map *map =
		places_find(functions->places, sample->tgid, ip, sample->time);
	struct image *image = images_of(functions->images, map, ip);
	struct place key = {
		.image = image,
		.place = image ? image_place(image, map, ip) : ip,
		.ip = ip,
		.map = map,
	};
	struct place **node = tfind(&key, &functions->by_place, by_place);
	const struct place *place = node ? *node : add_place(functions, &key);

	if (!place)
		diag("%s: no memory for it", functions->profile->name);
	return place;
}

/* The place of an address of a sample. */
static const struct place *place_of(struct functions *functions,
				    const struct profile_sample *sample,
				    uint64_t ip)
{
	size_t version = places_version(functions->places, sample->tgid, ip,
					sample->time);
	uint64_t hash = (ip ^ sample->tgid) * 0x9e3779b97f4a7c15ULL;
	struct recent *recent = &functions->recent[hash >> 32 & (RECENT - 1)];

	if (recent->place && recent->ip == ip && recent->version == version &&
	    recent->tgid == sample->tgid)
		return recent->place;
	*recent = (struct recent){ ip, version, sample->tgid,
				   find_place(functions, sample, ip) };
	return recent->place;
}

const struct place *functions_at(struct functions *functions,
				 const struct profile_sample *sample)
{
	return place_of(functions, sample, sample->ip);
}

unsigned int functions_depth(struct functions *functions,
			     const struct profile_sample *sample)
{
	const struct place **chain = functions->chain;
	unsigned int depth = 0;

	functions->broken = sample->broken;
	do {
		uint64_t ip =
			depth ? functions->profile->ips[sample->stack + depth] :
				sample->ip;
		/* The call is before where it returns to, which may be of another function. */
		bool called = depth && depth != sample->kernel_frames && ip;

		chain[depth] = place_of(functions, sample, ip - called);
		if (!chain[depth])
			return 0;
		if (called && functions->by_pointers && !chain[depth]->calls) {
			functions->broken = true;
			break;
		}
	} while (++depth < sample->frames);
	return depth;
}

const struct place *functions_caller(const struct functions *functions,
				     unsigned int frame)
{
	return functions->chain[frame];
}

bool functions_by_pointers(const struct functions *functions)
{
	return functions->by_pointers;
}

void functions_judge(const struct functions *functions,
		     const struct profile_sample *sample, unsigned int depth,
		     struct chains *chains)
{
	if (sample->frames <= sample->kernel_frames ||
	    !functions->wants_callers)
		return;
	chains->samples++;
	chains->alone += depth == sample->kernel_frames + 1U;
}

bool functions_broken(const struct functions *functions)
{
	return functions->broken;
}

bool function_is_named(const struct function *function, const char *name)
{
	return !name || demangled_is(function->name, name);
}

unsigned int functions_count(const struct functions *functions)
{
	return functions->count;
}

unsigned int functions_places(const struct functions *functions)
{
	return functions->place_count;
}

const char *functions_thread(const struct functions *functions, uint32_t tgid,
			     uint32_t tid, uint64_t time)
{
	return places_comm(functions->places, tgid, tid, time);
}

const char *functions_comm(const struct functions *functions,
			   const struct profile_sample *sample)
{
	const char *comm = functions_thread(functions, sample->tgid,
					    sample->tid, sample->time);

	return *comm ? comm : "[unknown]";
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading a file of samples, see read_profile.h: chunk by chunk, then the order of
 * the samples.
 */
#include "profile/read_profile.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "profile/read_chunks.h"
#include "profile/read_parts.h"

/* Memory that lives as long as its profile. */
struct blob {
	struct blob *next;
	uint8_t bytes[];
};

void *part_keep(struct profile *profile, const void *bytes, size_t size)
{
	struct blob *blob = malloc(sizeof(*blob) + size + 1);

	if (!blob) {
		diag("%s: no memory for it", profile->name);
		return NULL;
	}
	if (size)
		memcpy(blob->bytes, bytes, size);
	blob->bytes[size] = '\0';
	blob->next = profile->blobs;
	profile->blobs = blob;
	return blob->bytes;
}

void *part_room(const struct profile *profile, void *array, size_t count,
		size_t row)
{
	void *more;

	/* Of an array that was emptied the memory is there. */
	if (array && (!count || count & (count - 1)))
		return array;
	more = reallocarray(array, count ? 2 * count : 1, row);
	if (!more)
		diag("%s: no memory for it", profile->name);
	return more;
}

int part_damaged(const struct profile *profile, const struct chunk *chunk,
		 const char *what)
{
	return diag("%s: byte %" PRIu64 ": is damaged: %s", profile->name,
		    chunk->offset, what);
}

int part_add(struct profile *profile, const struct chunk *chunk)
{
	static int (*const parts[])(struct profile *, const struct chunk *) = {
		[PFMD_META] = part_meta,       [PFMD_TASK] = part_task,
		[PFMD_MAP] = part_map,	       [PFMD_SAMPLES] = part_samples,
		[PFMD_LOSS] = part_loss,       [PFMD_COUNTS] = part_counts,
		[PFMD_SYMBOLS] = part_symbols, [PFMD_STACKS] = part_stacks,
		[PFMD_PRECISE] = part_precise,
	};

	if (chunk->type >= sizeof(parts) / sizeof(parts[0]) ||
	    !parts[chunk->type])
		return 0;
	if (!profile->meta && chunk->type != PFMD_META)
		return part_damaged(profile, chunk, "META is not the first");
	return parts[chunk->type](profile, chunk);
}

static int by_time(const void *one, const void *other)
{
	const struct profile_sample *a = one, *b = other;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	if (a->stream != b->stream)
		return a->stream < b->stream ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

static int check_end(struct profile *profile, const struct chunk *chunk)
{
	struct pfmd_end end;

	memcpy(&end, chunk->payload, sizeof(end));
	if (end.samples != profile->entry_count)
		return part_damaged(profile, chunk,
				    "END tells another number of samples");
	return 0;
}

bool part_keeps(const struct profile *profile, struct profile_sample *sample)
{
	const struct thin *thin = &profile->events[sample->event].thin;

	if (!profile->events[sample->event].doubles)
		return true;
	if (!thin_keeps(thin, sample->order, sample->doubled))
		return false;
	sample->period <<= thin->doubled - sample->doubled;
	return true;
}

/* The counts of the file have also what samples that were lost stood for. */
static uint64_t worth_of_each(const struct profile *profile,
			      const struct profile_event *event)
{
	uint64_t kept = event->entries - thin_left_out(&event->thin);
	uint64_t counted = part_counted(profile, event);

	if (!event->varies || event->is_mixed || !kept)
		return 0;
	return counted > kept ? (counted + kept / 2) / kept : event->period;
}

uint64_t profile_worth(const struct profile *profile,
		       const struct profile_sample *sample)
{
	uint64_t each = profile->events[sample->event].each;

	return each ? each : sample->period;
}

/* All samples were seen once. */
static void know_kept(struct profile *profile)
{
	profile->sample_total = profile->entry_count + profile->repeat_count;
	profile->thins = true;
	for (unsigned int i = 0; i < profile->event_count; i++) {
		struct profile_event *event = &profile->events[i];

		event->period <<= event->thin.doubled;
		profile->sample_total -= thin_left_out(&event->thin);
		event->each = worth_of_each(profile, event);
	}
}

/* Of those that are in memory, all of the file. */
static void thin_all(struct profile *profile)
{
	size_t kept = 0;

	for (size_t i = 0; i < profile->sample_count; i++) {
		if (part_keeps(profile, &profile->samples[i]))
			profile->samples[kept++] = profile->samples[i];
	}
	profile->sample_count = kept;
}

int part_add_all(struct profile *profile, struct chunks *chunks, bool keep)
{
	struct chunk chunk;
	int ret;

	profile->name = chunks->name;
	for (;;) {
		if (!keep)
			part_empty(profile);
		ret = chunks_next(chunks, &chunk);
		if (ret <= 0)
			break;
		ret = chunk.type == PFMD_END ? check_end(profile, &chunk) :
					       part_add(profile, &chunk);
		if (ret)
			break;
	}
	know_kept(profile);
	if (!ret && !profile->meta)
		ret = diag("%s: there is nothing in it yet", profile->name);
	profile->complete = chunks->complete;
	return ret;
}

static int read_all(struct profile *profile, struct chunks *chunks)
{
	int ret = part_add_all(profile, chunks, true);

	diag_progress_end();
	thin_all(profile);
	if (profile->sample_count)
		qsort(profile->samples, profile->sample_count,
		      sizeof(*profile->samples), by_time);
	profile->passed = profile->sample_total;
	return ret;
}

int profile_read_stream(struct profile *profile, FILE *in, const char *name)
{
	struct chunks chunks;
	int ret;

	*profile = (struct profile){ .name = name };
	if (chunks_open_stream(&chunks, in, name))
		return -1;
	ret = read_all(profile, &chunks);
	chunks_close(&chunks);
	return ret;
}

int profile_read(struct profile *profile, const char *name)
{
	struct chunks chunks;
	int ret;

	*profile = (struct profile){ .name = name };
	if (chunks_open(&chunks, name))
		return -1;
	ret = read_all(profile, &chunks);
	chunks_close(&chunks);
	return ret;
}

void profile_free(struct profile *profile)
{
	struct blob *next;

	part_close(profile);
	for (unsigned int i = 0; i < profile->event_count; i++) {
		free(profile->events[i].name);
		free(profile->events[i].smpl_pmds);
	}
	free(profile->events);
	free(profile->tasks);
	free(profile->maps);
	free(profile->samples);
	free(profile->values);
	free(profile->ips);
	free(profile->memory);
	free(profile->branches);
	free(profile->symbols);
	free(profile->losses);
	json_object_put(profile->meta);
	json_object_put(profile->counts);
	for (struct blob *blob = profile->blobs; blob; blob = next) {
		next = blob->next;
		free(blob);
	}
	*profile = (struct profile){ 0 };
}

const char *profile_meta(const struct profile *profile, const char *key)
{
	struct json_object *value;

	if (!json_object_object_get_ex(profile->meta, key, &value) ||
	    !json_object_is_type(value, json_type_string))
		return NULL;
	return json_object_get_string(value);
}

struct profile_losses profile_losses(const struct profile *profile)
{
	struct profile_losses sum = { 0 };

	for (size_t i = 0; i < profile->loss_count; i++) {
		sum.lost += profile->losses[i].lost;
		sum.blind_ns += profile->losses[i].blind_ns;
		sum.throttled_ns += profile->losses[i].throttled_ns;
	}
	return sum;
}

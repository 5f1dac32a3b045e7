// SPDX-License-Identifier: GPL-2.0-only
/*
 * The samples of a file, with and without stacks, see read_parts.h. Nothing of it is
 * trusted.
 */
#include "profile/read_parts.h"

#include <stddef.h>
#include <string.h>

static_assert(offsetof(struct pfm_stacks_smpl_entry, tgid) ==
		      offsetof(struct pfm_dfl_smpl_entry, tgid),
	      "entries begin alike");

/* Only one event samples on a counter. -1: none of META. */
static int event_of(const struct profile *profile, unsigned int pmd)
{
	for (unsigned int i = 0; i < profile->event_count; i++) {
		if (profile->events[i].pmd == pmd && profile->events[i].period)
			return (int)i;
	}
	return -1;
}

/* Appends words to an array of the profile. */
static int add_words(struct profile *profile, uint64_t **array, size_t *used,
		     const uint8_t *bytes, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++) {
		uint64_t *words =
			part_room(profile, *array, *used, sizeof(*words));

		if (!words)
			return -1;
		*array = words;
		memcpy(&words[(*used)++], bytes + 8 * i, 8);
	}
	return 0;
}

static int add_values(struct profile *profile, const uint8_t *bytes,
		      unsigned int count)
{
	return add_words(profile, &profile->values, &profile->value_count,
			 bytes, count);
}

static int add_sample(struct profile *profile, uint32_t stream, int event,
		      const struct pfm_dfl_smpl_entry *entry)
{
	struct profile_sample *sample = part_room(profile, profile->samples,
						  profile->sample_count,
						  sizeof(*sample));

	if (!sample)
		return -1;
	profile->samples = sample;
	sample += profile->sample_count;
	*sample = (struct profile_sample){
		.time = entry->tstamp,
		.ip = entry->ip,
		.period = -entry->last_reset_val,
		.tgid = entry->tgid,
		.tid = entry->pid,
		.stream = stream,
		.cpu = entry->cpu,
		.event = (uint16_t)event,
		.values = (uint32_t)profile->value_count,
		.order = (uint32_t)profile->sample_count,
	};
	profile->sample_count++;
	return 0;
}

/* Of the size that its own numbers make, and not more than there is. */
static bool stack_is_whole(const struct pfm_stacks_smpl_entry *entry,
			   const struct profile_event *event, size_t room)
{
	return entry->size <= room && entry->nr_kernel <= entry->nr &&
	       entry->size == sizeof(*entry) + 8UL * entry->nr +
				      8UL * event->smpl_pmd_count;
}

static int add_stack(struct profile *profile, uint32_t stream, int event,
		     const struct pfm_stacks_smpl_entry *entry,
		     const uint8_t *ips)
{
	struct pfm_dfl_smpl_entry plain;
	size_t stack = profile->ip_count;

	/* They begin alike. */
	memcpy(&plain, entry, sizeof(plain));
	if (add_sample(profile, stream, event, &plain) ||
	    add_words(profile, &profile->ips, &profile->ip_count, ips,
		      entry->nr))
		return -1;
	profile->samples[profile->sample_count - 1].stack = (uint32_t)stack;
	profile->samples[profile->sample_count - 1].frames = entry->nr;
	profile->samples[profile->sample_count - 1].kernel_frames =
		entry->nr_kernel;
	return add_values(profile, ips + 8UL * entry->nr,
			  profile->events[event].smpl_pmd_count);
}

int part_stacks(struct profile *profile, const struct chunk *chunk)
{
	struct pfm_stacks_smpl_entry entry;
	struct pfmd_samples header;
	size_t at = sizeof(header);

	if (chunk->length < sizeof(header))
		return part_damaged(profile, chunk, "STACKS is too short");
	memcpy(&header, chunk->payload, sizeof(header));
	if (header.mask)
		return 0;
	while (at < chunk->length) {
		const uint8_t *bytes = chunk->payload + at;
		int event;

		if (chunk->length - at < sizeof(entry))
			return part_damaged(profile, chunk,
					    "a sample is too short");
		memcpy(&entry, bytes, sizeof(entry));
		event = event_of(profile, entry.ovfl_pmd);
		if (event < 0)
			return part_damaged(
				profile, chunk,
				"a sample of a counter that META does not have");
		if (!stack_is_whole(&entry, &profile->events[event],
				    chunk->length - at))
			return part_damaged(profile, chunk,
					    "the size of a sample");
		if (add_stack(profile, header.stream, event, &entry,
			      bytes + sizeof(entry)))
			return -1;
		at += entry.size;
	}
	return 0;
}

int part_samples(struct profile *profile, const struct chunk *chunk)
{
	struct pfm_dfl_smpl_entry entry;
	struct pfmd_samples header;
	size_t at = sizeof(header);

	if (chunk->length < sizeof(header))
		return part_damaged(profile, chunk, "SAMPLES is too short");
	memcpy(&header, chunk->payload, sizeof(header));
	if (header.mask)
		return 0; /* of a later version: not of the events of META */
	while (at < chunk->length) {
		const struct profile_event *event;
		int i;

		if (chunk->length - at < sizeof(entry))
			return part_damaged(profile, chunk,
					    "a sample is too short");
		memcpy(&entry, chunk->payload + at, sizeof(entry));
		at += sizeof(entry);
		i = event_of(profile, entry.ovfl_pmd);
		if (i < 0)
			return part_damaged(
				profile, chunk,
				"a sample of a counter that META does not have");
		event = &profile->events[i];
		if ((chunk->length - at) / 8 < event->smpl_pmd_count)
			return part_damaged(profile, chunk,
					    "values of a sample are missing");
		if (add_sample(profile, header.stream, i, &entry) ||
		    add_values(profile, chunk->payload + at,
			       event->smpl_pmd_count))
			return -1;
		at += 8UL * event->smpl_pmd_count;
	}
	return 0;
}

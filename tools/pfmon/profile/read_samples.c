// SPDX-License-Identifier: GPL-2.0-only
/*
 * The samples of a file, with and without stacks, precise and not, see read_parts.h.
 * Nothing of it is trusted.
 */
#include "profile/read_parts.h"

#include <stddef.h>
#include <string.h>

#include "profile/read_places.h"

static_assert(offsetof(struct pfm_stacks_smpl_entry, tgid) ==
		      offsetof(struct pfm_dfl_smpl_entry, tgid),
	      "entries begin alike");
static_assert(offsetof(struct pfm_precise_smpl_entry, repeat) ==
		      offsetof(struct pfm_stacks_smpl_entry, repeat),
	      "a precise entry is one with a stack, with more behind it");

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

/* Where an entry is, and what is known of it. */
struct entry_at {
	const struct chunk *chunk;
	uint32_t stream;
	int event;
	const uint8_t *bytes;
	size_t room; /* up to the end of the chunk, enough for the entry */
};

static int add_sample(struct profile *profile, const struct entry_at *at,
		      const struct pfm_dfl_smpl_entry *entry)
{
	struct profile_sample *sample;

	if (entry->doubled > THIN_DOUBLED_MAX)
		return part_damaged(profile, at->chunk,
				    "how often a period has doubled");
	sample = part_room(profile, profile->samples, profile->sample_count,
			   sizeof(*sample));
	if (!sample)
		return -1;
	profile->samples = sample;
	sample += profile->sample_count;
	*sample = (struct profile_sample){
		.time = entry->tstamp,
		.ip = entry->ip,
		.period = profile->events[at->event].after -
			  entry->last_reset_val,
		.tgid = entry->tgid,
		.tid = entry->pid,
		.stream = at->stream,
		.cpu = entry->cpu,
		.event = (uint16_t)at->event,
		.values = (uint32_t)profile->value_count,
		.order = (uint32_t)profile->entry_count,
		.doubled = entry->doubled,
		.repeat = entry->repeat,
	};
	if (!profile->thins)
		profile->events[at->event].entries += 1ul + entry->repeat;
	profile->sample_count++;
	profile->entry_count++;
	profile->repeat_count += entry->repeat;
	return 0;
}

/* The last sample, which is whole, is counted, or left out with all that it has. */
static void thin_out(struct profile *profile)
{
	struct profile_sample *sample =
		&profile->samples[profile->sample_count - 1];
	struct profile_event *event = &profile->events[sample->event];

	if (!event->doubles)
		return;
	if (!profile->thins) {
		for (unsigned int i = 0; i <= sample->repeat; i++)
			thin_see(&event->thin, sample->order, sample->doubled);
		return;
	}
	if (part_keeps(profile, sample))
		return;
	profile->sample_count--;
	profile->value_count = sample->values;
	profile->ip_count -= sample->frames;
	profile->memory_count -= sample->memory != 0;
	profile->branch_count -= sample->branch_count;
}

/* The last entry is as many samples as periods were over. -1 after a message. */
static int repeat(struct profile *profile, uint32_t order)
{
	struct profile_sample *sample, *last;

	if (!profile->sample_count)
		return 0;
	last = &profile->samples[profile->sample_count - 1];
	if (last->order != order)
		return 0; /* it was left out */
	for (unsigned int i = last->repeat; i; i--) {
		sample = part_room(profile, profile->samples,
				   profile->sample_count, sizeof(*sample));
		if (!sample)
			return -1;
		profile->samples = sample;
		sample += profile->sample_count++;
		*sample = sample[-1];
	}
	return 0;
}

/* One that has a whole stack, not larger than there is room for. */
static bool stack_is_whole(const struct pfm_stacks_smpl_entry *entry,
			   const struct profile_event *event, size_t room)
{
	return entry->size <= room && entry->nr_kernel <= entry->nr &&
	       entry->size == sizeof(*entry) + 8UL * entry->nr +
				      8UL * event->smpl_pmd_count;
}

/* They return the size of the entry with all that belongs to it; 0 after a message. */
static size_t take_stack(struct profile *profile, const struct entry_at *at)
{
	const struct profile_event *event = &profile->events[at->event];
	struct pfm_stacks_smpl_entry entry;
	struct pfm_dfl_smpl_entry plain;
	struct profile_sample *sample;
	const uint8_t *ips = at->bytes + sizeof(entry);
	size_t stack = profile->ip_count;

	memcpy(&entry, at->bytes, sizeof(entry));
	/* They begin alike, but for two fields. */
	memcpy(&plain, &entry, sizeof(plain));
	plain.doubled = entry.doubled;
	plain.repeat = entry.repeat;
	if (!stack_is_whole(&entry, event, at->room)) {
		part_damaged(profile, at->chunk, "the size of a sample");
		return 0;
	}
	if (add_sample(profile, at, &plain) ||
	    add_words(profile, &profile->ips, &profile->ip_count, ips,
		      entry.nr) ||
	    add_values(profile, ips + 8UL * entry.nr, event->smpl_pmd_count))
		return 0;
	sample = &profile->samples[profile->sample_count - 1];
	sample->stack = (uint32_t)stack;
	sample->frames = entry.nr;
	sample->kernel_frames = entry.nr_kernel;
	sample->broken = entry.flags & PFM_STACKS_SMPL_BROKEN;
	return entry.size;
}

/* Where the values of a precise entry begin, behind its blocks. 0: it is not whole. */
static size_t values_at(const struct profile *profile,
			const struct pfm_precise_smpl_entry *entry,
			const struct entry_at *at)
{
	const struct profile_event *event = &profile->events[at->event];
	struct pfm_precise_smpl_blocks blocks = { 0 };
	size_t used = sizeof(*entry) + 8UL * entry->nr;

	if (entry->size > at->room || entry->nr_kernel > entry->nr)
		return 0;
	if (profile->has_blocks) {
		if (used + sizeof(blocks) > entry->size)
			return 0;
		memcpy(&blocks, at->bytes + used, sizeof(blocks));
		used += sizeof(blocks) + (size_t)blocks.bytes;
	}
	return used + 8UL * event->smpl_pmd_count == entry->size ? used : 0;
}

/* The access to memory of the last sample, whose block begins at these bytes. */
static int take_memory(struct profile *profile, uint16_t flags,
		       const uint8_t *bytes)
{
	struct profile_memory *memory = part_room(profile, profile->memory,
						  profile->memory_count,
						  sizeof(*memory));
	struct pfm_precise_smpl_mem block;

	if (!memory)
		return -1;
	profile->memory = memory;
	memcpy(&block, bytes, sizeof(block));
	memory[profile->memory_count++] = (struct profile_memory){
		.address = block.daddr,
		.source = block.source,
		.latency = (uint32_t)block.latency,
		.miss_latency = (uint32_t)(block.latency >> 32),
		.has_address = flags & PFM_PRECISE_SMPL_DADDR,
	};
	profile->samples[profile->sample_count - 1].memory =
		(uint32_t)profile->memory_count;
	return 0;
}

/* The branches before the last sample, whose block begins at these bytes. */
static int take_branches(struct profile *profile, const uint8_t *bytes,
			 size_t room)
{
	struct profile_sample *sample =
		&profile->samples[profile->sample_count - 1];
	struct pfm_precise_smpl_branches head;
	struct pfm_precise_smpl_branch *grown;

	if (room < sizeof(head))
		return 0;
	memcpy(&head, bytes, sizeof(head));
	if (head.nr > UINT16_MAX ||
	    head.nr > (room - sizeof(head)) / sizeof(*grown))
		return 0;
	sample->branches = (uint32_t)profile->branch_count;
	sample->branch_count = (uint16_t)head.nr;
	for (uint32_t i = 0; i < head.nr; i++) {
		grown = part_room(profile, profile->branches,
				  profile->branch_count, sizeof(*grown));
		if (!grown)
			return -1;
		profile->branches = grown;
		memcpy(&grown[profile->branch_count++],
		       bytes + sizeof(head) + i * sizeof(*grown),
		       sizeof(*grown));
	}
	return 0;
}

/* Blocks come in the order of their bits. Whatever is behind these is passed over. */
static int take_blocks(struct profile *profile,
		       const struct pfm_precise_smpl_entry *entry,
		       const uint8_t *bytes)
{
	struct pfm_precise_smpl_blocks blocks;
	size_t at;

	memcpy(&blocks, bytes, sizeof(blocks));
	bytes += sizeof(blocks);
	at = blocks.present & PFM_PRECISE_SMPL_GPRS ?
		     sizeof(struct pfm_precise_smpl_gprs) :
		     0;
	if (blocks.present & PFM_PRECISE_SMPL_MEM) {
		if (at + sizeof(struct pfm_precise_smpl_mem) > blocks.bytes)
			return 0;
		if (take_memory(profile, entry->flags, bytes + at))
			return -1;
		at += sizeof(struct pfm_precise_smpl_mem);
	}
	if (!(blocks.present & PFM_PRECISE_SMPL_BRANCHES) || at > blocks.bytes)
		return 0;
	return take_branches(profile, bytes + at, blocks.bytes - at);
}

/*
 * The chain is the one of the interrupt, some instructions later: its first address at
 * the level of the sampled instruction becomes that instruction. ips: all addresses of
 * the entry. -1 after a message.
 */
static int take_exact_chain(struct profile *profile,
			    const struct pfm_precise_smpl_entry *entry,
			    const uint8_t *ips)
{
	struct profile_sample *sample =
		&profile->samples[profile->sample_count - 1];
	bool kernel = entry->ip >= PLACES_KERNEL_START;
	/* Of these addresses the first is not the chain's any more. */
	unsigned int gone = kernel ? entry->nr_kernel != 0 :
				     entry->nr_kernel + 1u;

	if (gone > entry->nr)
		gone = entry->nr;
	sample->frames = (uint16_t)(1 + entry->nr - gone);
	sample->kernel_frames = 0;
	if (kernel)
		sample->kernel_frames = entry->nr_kernel ? entry->nr_kernel : 1;
	return add_words(profile, &profile->ips, &profile->ip_count,
			 (const uint8_t *)&entry->ip, 1) ||
	       add_words(profile, &profile->ips, &profile->ip_count,
			 ips + 8UL * gone, entry->nr - gone);
}

static int take_chain(struct profile *profile,
		      const struct pfm_precise_smpl_entry *entry,
		      const uint8_t *ips)
{
	struct profile_sample *sample =
		&profile->samples[profile->sample_count - 1];

	sample->stack = (uint32_t)profile->ip_count;
	sample->broken = entry->flags & PFM_PRECISE_SMPL_BROKEN;
	if (entry->nr && sample->exact)
		return take_exact_chain(profile, entry, ips);
	sample->frames = entry->nr;
	sample->kernel_frames = entry->nr_kernel;
	return add_words(profile, &profile->ips, &profile->ip_count, ips,
			 entry->nr);
}

static size_t take_precise(struct profile *profile, const struct entry_at *at)
{
	struct profile_event *event = &profile->events[at->event];
	struct pfm_precise_smpl_entry entry;
	struct pfm_dfl_smpl_entry plain;
	struct profile_sample *sample;
	size_t values;

	memcpy(&entry, at->bytes, sizeof(entry));
	memcpy(&plain, &entry, sizeof(plain));
	plain.doubled = entry.doubled;
	plain.repeat = entry.repeat;
	values = values_at(profile, &entry, at);
	if (!values) {
		part_damaged(profile, at->chunk, "the size of a sample");
		return 0;
	}
	if (add_sample(profile, at, &plain))
		return 0;
	sample = &profile->samples[profile->sample_count - 1];
	sample->exact = entry.flags & PFM_PRECISE_SMPL_EXACT;
	sample->next = entry.flags & PFM_PRECISE_SMPL_NEXT;
	event->has_next |= sample->next;
	if (!profile->thins)
		event->inexact += !sample->exact && !sample->next;
	if (take_chain(profile, &entry, at->bytes + sizeof(entry)) ||
	    (profile->has_blocks &&
	     take_blocks(profile, &entry,
			 at->bytes + sizeof(entry) + 8UL * entry.nr)) ||
	    add_values(profile, at->bytes + values, event->smpl_pmd_count))
		return 0;
	return entry.size;
}

static size_t take_plain(struct profile *profile, const struct entry_at *at)
{
	const struct profile_event *event = &profile->events[at->event];
	size_t size =
		sizeof(struct pfm_dfl_smpl_entry) + 8UL * event->smpl_pmd_count;
	struct pfm_dfl_smpl_entry entry;

	if (at->room < size) {
		part_damaged(profile, at->chunk,
			     "values of a sample are missing");
		return 0;
	}
	memcpy(&entry, at->bytes, sizeof(entry));
	if (add_sample(profile, at, &entry) ||
	    add_values(profile, at->bytes + sizeof(entry),
		       event->smpl_pmd_count))
		return 0;
	return size;
}

/* All entries of a chunk, each with so many bytes at least. */
static int take_entries(struct profile *profile, const struct chunk *chunk,
			const char *too_short, size_t least,
			size_t (*take)(struct profile *profile,
				       const struct entry_at *at))
{
	struct entry_at at = { .chunk = chunk };
	struct pfm_dfl_smpl_entry plain;
	struct pfmd_samples header;
	size_t size;

	if (chunk->length < sizeof(header))
		return part_damaged(profile, chunk, too_short);
	memcpy(&header, chunk->payload, sizeof(header));
	if (header.mask)
		return 0; /* of a later version: not of the events of META */
	at.stream = header.stream;
	at.bytes = chunk->payload + sizeof(header);
	for (at.room = chunk->length - sizeof(header); at.room;
	     at.room -= size, at.bytes += size) {
		if (at.room < least)
			return part_damaged(profile, chunk,
					    "a sample is too short");
		memcpy(&plain, at.bytes, sizeof(plain));
		at.event = event_of(profile, plain.ovfl_pmd);
		if (at.event < 0)
			return part_damaged(
				profile, chunk,
				"a sample of a counter that META does not have");
		size = take(profile, &at);
		if (!size)
			return -1;
		thin_out(profile);
		if (repeat(profile, (uint32_t)(profile->entry_count - 1)))
			return -1;
	}
	return 0;
}

int part_stacks(struct profile *profile, const struct chunk *chunk)
{
	return take_entries(profile, chunk, "STACKS is too short",
			    sizeof(struct pfm_stacks_smpl_entry), take_stack);
}

int part_precise(struct profile *profile, const struct chunk *chunk)
{
	return take_entries(profile, chunk, "PRECISE is too short",
			    sizeof(struct pfm_precise_smpl_entry),
			    take_precise);
}

int part_samples(struct profile *profile, const struct chunk *chunk)
{
	return take_entries(profile, chunk, "SAMPLES is too short",
			    sizeof(struct pfm_dfl_smpl_entry), take_plain);
}

// SPDX-License-Identifier: GPL-2.0-only
/* The records of a perf.data, see perf_records.h; their layouts are Linux' own. */
#include "export/perf_records.h"

#include <string.h>

#include "profile/read_places.h"
#include "views/access.h"

#define BUILD_ID_MISC (1 << 14) /* PERF_RECORD_MISC_MMAP_BUILD_ID */
#define PATH_SIZE_MAX 4096

/* What all records but samples have at their ends. */
struct trailer {
	uint32_t pid, tid;
	uint64_t time;
	uint32_t cpu, zero;
	uint64_t identifier;
};

struct record {
	struct perf_event_header header;
	size_t size;
	uint8_t bytes[PATH_SIZE_MAX + 256];
};

static void add(struct record *record, const void *bytes, size_t size)
{
	memcpy(record->bytes + record->size, bytes, size);
	record->size += size;
}

/* A text with its end, up to the next multiple of 8. */
static void add_text(struct record *record, const char *text)
{
	static const char zeros[8];
	size_t length = strlen(text);

	if (length >= PATH_SIZE_MAX)
		length = PATH_SIZE_MAX - 1;
	add(record, text, length);
	add(record, zeros, 8 - length % 8);
}

static void finish(struct record *record, uint32_t pid, uint32_t tid,
		   uint64_t time, FILE *out)
{
	const struct trailer trailer = {
		.pid = pid,
		.tid = tid,
		.time = time,
		.identifier = PERF_RECORDS_ID(0),
	};

	add(record, &trailer, sizeof(trailer));
	record->header.size = (uint16_t)(sizeof(record->header) + record->size);
	fwrite(&record->header, sizeof(record->header), 1, out);
	fwrite(record->bytes, 1, record->size, out);
}

/* The process of a thread that was told before. */
static uint32_t process_of(const struct profile *profile,
			   const struct profile_task *before, uint32_t tid)
{
	for (const struct profile_task *task = before;
	     task-- > profile->tasks;) {
		if (task->tid == tid)
			return task->tgid;
	}
	return tid;
}

static void record_begin_or_end(const struct profile *profile,
				const struct profile_task *task, FILE *out)
{
	struct record record = {
		.header.type = task->kind == PFMD_FORK ? PERF_RECORD_FORK :
							 PERF_RECORD_EXIT,
	};
	uint32_t parent = task->tid == task->tgid ?
				  process_of(profile, task, task->ptid) :
				  task->tgid;
	const uint32_t ids[] = { task->tgid, parent, task->tid, task->ptid };

	add(&record, ids, sizeof(ids));
	add(&record, &task->time, sizeof(task->time));
	finish(&record, task->tgid, task->tid, task->time, out);
}

void perf_record_task(const struct profile *profile,
		      const struct profile_task *task, FILE *out)
{
	const uint32_t ids[] = { task->tgid, task->tid };
	struct record record = {
		.header.type = PERF_RECORD_COMM,
		.header.misc = task->kind == PFMD_EXEC ?
				       PERF_RECORD_MISC_COMM_EXEC :
				       0,
	};

	/* Who was there at the start was made by nobody that is known. */
	if (task->kind == PFMD_EXIT || (task->kind == PFMD_FORK && task->ptid))
		record_begin_or_end(profile, task, out);
	if (!*task->comm || task->kind == PFMD_EXIT)
		return;
	add(&record, ids, sizeof(ids));
	add_text(&record, task->comm);
	finish(&record, task->tgid, task->tid, task->time, out);
}

/* Found by looking, it is as old as the program; see PFMD_MAP. */
static uint64_t time_of(const struct profile *profile,
			const struct profile_map *map)
{
	const char *means = profile_meta(profile, "mappings");
	uint64_t time = 0;

	if (!means || strcmp(means, "maps") != 0)
		return map->time;
	for (size_t i = 0; i < profile->task_count; i++) {
		const struct profile_task *task = &profile->tasks[i];

		if (task->tgid == map->tgid && task->tid == task->tgid &&
		    (task->kind == PFMD_EXEC || task->kind == PFMD_FORK) &&
		    task->time <= map->time && task->time > time)
			time = task->time;
	}
	return time;
}

/* The kernel itself, which targets.c has from _stext on; not one of its modules. */
static bool is_kernel(const struct profile_map *map)
{
	return map->tgid == PFMD_KERNEL && !strncmp(map->path, "[kernel", 7);
}

static const char *path_of(const struct profile_map *map)
{
	if (is_kernel(map))
		return "[kernel.kallsyms]_stext";
	return *map->path ? map->path : "//anon";
}

void perf_record_map(const struct profile *profile,
		     const struct profile_map *map, FILE *out)
{
	const bool kernel = map->tgid == PFMD_KERNEL;
	const uint32_t ids[] = { map->tgid, kernel ? 0 : map->tgid };
	/*
	 * Of the kernel perf wants the address of the symbol that the path ends with:
	 * it finds out by that how far the kernel lies elsewhere now.
	 */
	const uint64_t place[] = { map->addr, map->len,
				   is_kernel(map) ? map->addr : map->pgoff };
	const uint32_t flags[] = { map->prot, 0x02 }; /* MAP_PRIVATE */
	uint8_t identity[24] = { 0 };
	struct record record = {
		.header.type = PERF_RECORD_MMAP2,
		.header.misc = kernel ? PERF_RECORD_MISC_KERNEL :
					PERF_RECORD_MISC_USER,
	};

	if (map->has_build_id) {
		record.header.misc |= BUILD_ID_MISC;
		identity[0] = PFMD_BUILD_ID_SIZE;
		memcpy(identity + 4, map->build_id, PFMD_BUILD_ID_SIZE);
	} else if (map->has_file) {
		const uint32_t device[] = { (uint32_t)(map->file.dev >> 32),
					    (uint32_t)map->file.dev };

		memcpy(identity, device, sizeof(device));
		memcpy(identity + 8, &map->file.ino, sizeof(map->file.ino));
	}
	add(&record, ids, sizeof(ids));
	add(&record, place, sizeof(place));
	add(&record, identity, sizeof(identity));
	add(&record, flags, sizeof(flags));
	add_text(&record, path_of(map));
	finish(&record, ids[0], ids[1], time_of(profile, map), out);
}

/* Addresses and marks. */
static uint64_t chain_length(const struct profile_sample *sample)
{
	return (uint64_t)sample->frames + (sample->kernel_frames != 0) +
	       (sample->frames > sample->kernel_frames);
}

/* The addresses of a stack, with marks where the kernel's and the program's begin. */
static void print_chain(const struct profile *profile,
			const struct profile_sample *sample, FILE *out)
{
	static const uint64_t kernel = PERF_CONTEXT_KERNEL;
	static const uint64_t user = PERF_CONTEXT_USER;
	const uint64_t *ips = profile_stack(profile, sample);
	const uint64_t count = chain_length(sample);

	fwrite(&count, sizeof(count), 1, out);
	for (unsigned int i = 0; i < sample->frames; i++) {
		if (!i && sample->kernel_frames)
			fwrite(&kernel, sizeof(kernel), 1, out);
		if (i == sample->kernel_frames)
			fwrite(&user, sizeof(user), 1, out);
		fwrite(&ips[i], sizeof(ips[i]), 1, out);
	}
}

/* The parts of a sample before and behind its stack. */
struct sample_parts {
	struct {
		struct perf_event_header header;
		uint64_t identifier, ip;
		uint32_t pid, tid;
		uint64_t time;
	} begin;
	uint64_t address; /* with memory */
	struct {
		uint32_t cpu, zero;
		uint64_t period;
	} middle;
	struct {
		uint64_t weight, source;
	} memory; /* likewise */
};

static struct sample_parts parts_of(const struct profile *profile,
				    const struct profile_sample *sample)
{
	return (struct sample_parts){
		.begin = {
			.header.type = PERF_RECORD_SAMPLE,
			.header.misc =
				(sample->ip >= PLACES_KERNEL_START ?
					 PERF_RECORD_MISC_KERNEL :
					 PERF_RECORD_MISC_USER) |
				(sample->exact ? PERF_RECORD_MISC_EXACT_IP : 0),
			.identifier = PERF_RECORDS_ID(sample->event),
			.ip = sample->ip,
			.pid = sample->tgid,
			.tid = sample->tid,
			.time = sample->time,
		},
		.middle = { .cpu = sample->cpu,
			    .period = profile_worth(profile, sample) },
		.memory.source = ACCESS_NONE_FOR_PERF,
	};
}

static void fill_memory(struct sample_parts *parts,
			const struct profile *profile,
			const struct profile_sample *sample)
{
	const struct profile_memory *memory = profile_memory(profile, sample);
	struct access access;

	if (!access_of(profile, sample, &access))
		return;
	if (memory->has_address)
		parts->address = memory->address;
	parts->memory.weight = access.miss_latency;
	parts->memory.source = access_for_perf(&access);
}

/* As struct perf_branch_entry has it, but for what no processor of ours tells. */
static uint64_t branch_flags(uint64_t info)
{
	uint64_t cycles = (info & PFM_PRECISE_SMPL_BR_CYCLES) >> 16;

	return (info & PFM_PRECISE_SMPL_BR_MISPREDICTED ? 0x1 : 0) |
	       (info & PFM_PRECISE_SMPL_BR_PREDICTED ? 0x2 : 0) |
	       (info & PFM_PRECISE_SMPL_BR_IN_TX ? 0x4 : 0) |
	       (info & PFM_PRECISE_SMPL_BR_ABORT ? 0x8 : 0) | cycles << 4;
}

static void print_branches(const struct profile *profile,
			   const struct profile_sample *sample, FILE *out)
{
	const struct pfm_precise_smpl_branch *branch =
		profile_branches(profile, sample);
	const uint64_t count = sample->branch_count;

	fwrite(&count, sizeof(count), 1, out);
	for (unsigned int i = 0; i < count; i++) {
		const uint64_t words[] = { branch[i].from, branch[i].to,
					   branch_flags(branch[i].info) };

		fwrite(words, sizeof(words), 1, out);
	}
}

void perf_record_sample(const struct profile *profile,
			const struct profile_sample *sample, FILE *out)
{
	/* What the length of a record has room for is more than the kernel records. */
	const bool chains = profile->ip_count &&
			    chain_length(sample) < PERF_RECORDS_CHAIN_MAX;
	struct sample_parts parts = parts_of(profile, sample);
	const bool memory = profile->has_memory;
	static const uint64_t none;
	size_t size = sizeof(parts.begin) + sizeof(parts.middle);

	fill_memory(&parts, profile, sample);
	if (memory)
		size += sizeof(parts.address) + sizeof(parts.memory);
	if (profile->ip_count)
		size += 8 + (chains ? 8 * chain_length(sample) : 0);
	if (profile->has_branches)
		size += 8 + 24ul * sample->branch_count;
	parts.begin.header.size = (uint16_t)size;
	fwrite(&parts.begin, sizeof(parts.begin), 1, out);
	if (memory)
		fwrite(&parts.address, sizeof(parts.address), 1, out);
	fwrite(&parts.middle, sizeof(parts.middle), 1, out);
	if (chains)
		print_chain(profile, sample, out);
	else if (profile->ip_count)
		fwrite(&none, sizeof(none), 1, out);
	if (profile->has_branches)
		print_branches(profile, sample, out);
	if (memory)
		fwrite(&parts.memory, sizeof(parts.memory), 1, out);
}

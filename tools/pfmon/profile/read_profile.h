/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file of samples as a whole, in memory: what its chunks say, checked, and the
 * samples in the order of time, then stream, then position.
 */
#ifndef PFMON_READ_PROFILE_H
#define PFMON_READ_PROFILE_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "profile/pfmd.h"
#include "profile/thin.h"

/* Of META. */
/* What records of PEBS say of the data of their instruction. */
enum profile_access {
	PROFILE_ACCESS_NONE,
	PROFILE_ACCESS_LATENCY, /* a load: its source and its latency */
	PROFILE_ACCESS_LOAD, /* its address alone */
	PROFILE_ACCESS_STORE, /* and whether it was in the first cache */
};

struct profile_event {
	char *name; /* as it was asked for, with its level: "cycles:u" */
	const char *native; /* NULL: the tables have none */
	const char *level;
	uint64_t period; /* 0: it has no samples; the last one, if it has doubled */
	bool doubles; /* it may have */
	struct thin thin; /* if so */
	bool is_mixed; /* with a shorter or longer one after some samples */
	bool varies; /* each by chance, so that samples do not keep step with a loop */
	uint64_t entries; /* samples, with the ones that are left out */
	const char *
		precise; /* what has made exact addresses, NULL: a counter has not */
	enum profile_access access;
	uint64_t after; /* events that a sample stands for beside its period */
	bool has_next; /* of some: the address is the next one */
	uint64_t inexact; /* of these samples: the address is the interrupted one */
	uint64_t each; /* events that each sample stands for, 0: its own period */
	unsigned int pmd;
	unsigned int *smpl_pmds; /* whose values follow a sample */
	unsigned int smpl_pmd_count;
};

struct profile_task {
	uint64_t time;
	uint32_t tgid, tid, ptid;
	uint32_t kind; /* enum pfmd_task_kind */
	char comm[PFMD_COMM_SIZE]; /* "": not known */
	uint64_t order; /* of its chunk */
};

struct profile_map {
	uint64_t time;
	uint64_t addr, len, pgoff;
	uint32_t tgid, prot;
	uint8_t build_id[PFMD_BUILD_ID_SIZE];
	bool has_build_id;
	bool has_file;
	struct pfmd_file file; /* if it has one */
	const char *path;
	uint64_t order;
};

struct profile_sample {
	uint64_t time;
	uint64_t ip;
	uint64_t period; /* events since the one before it, or since the thread began */
	uint32_t tgid, tid;
	uint32_t stream;
	uint16_t cpu;
	uint16_t event; /* index */
	uint32_t values; /* where they begin in profile.values */
	uint32_t stack; /* where it begins in profile.ips */
	uint16_t frames; /* addresses of the stack, the first is ip; 0: it has none */
	uint16_t kernel_frames; /* of them: the first, in the kernel */
	bool broken; /* frame pointers have led astray behind them */
	bool exact; /* ip is the sampled instruction, else the interrupted one */
	bool next; /* or the one that came after the sampled one */
	uint32_t memory; /* its place in profile.memory, from 1; 0: it has none */
	uint32_t branches; /* where they begin in profile.branches, newest first */
	uint16_t branch_count;
	uint8_t doubled; /* times that its own period had */
	uint8_t repeat; /* samples like this that follow: periods that were over with it */
	uint32_t order; /* position in the file */
};

/* How the sampled instruction has accessed memory, as the processor says it. */
struct profile_memory {
	uint64_t address; /* of the data, if it is known */
	uint64_t source; /* as struct pfm_precise_smpl_mem has it */
	uint32_t latency; /* cycles of the instruction */
	uint32_t miss_latency; /* of these, for a miss of the first cache */
	bool has_address;
};

/* As CPUID says it. */
struct profile_processor {
	uint32_t ibs_caps;
	unsigned int family, model;
	bool pebs; /* of Intel: events say how samples are to be read */
};

/* Of a file, as it was when its samples were taken. */
struct profile_symbols {
	uint8_t build_id[PFMD_BUILD_ID_SIZE];
	bool has_build_id;
	const char *path;
	uint32_t count;
	uint32_t flags; /* enum pfmd_symbols_flags */
	struct pfmd_file file; /* if flags say so */
	const struct pfmd_symbol *rows; /* ascending */
	const char *names;
};

struct profile {
	const char *name; /* of the file */
	struct json_object *meta;
	struct json_object *counts; /* the last COUNTS, NULL: none */
	struct profile_event *events;
	unsigned int event_count;
	struct profile_task *tasks;
	size_t task_count;
	struct profile_map *maps;
	size_t map_count;
	struct profile_sample *samples; /* those that are in memory */
	size_t sample_count;
	uint64_t entry_count; /* samples that were read, those that are left out too */
	uint64_t repeat_count; /* more that they stand for */
	bool has_blocks; /* entries of PRECISE have them */
	struct profile_processor processor; /* if so: what has made them */
	struct profile_memory *memory; /* of samples that are in memory */
	size_t memory_count;
	bool has_memory, has_branches; /* of the blocks */
	struct pfm_precise_smpl_branch *branches; /* of samples in memory */
	size_t branch_count;
	bool thins; /* leaves them out: what it keeps is known */
	uint64_t sample_total; /* of the file, that are kept */
	uint64_t passed; /* samples up to the end of those in memory */
	size_t next; /* of those in memory, what profile_next() gives */
	struct samples_source *source; /* NULL: all are in memory */
	uint64_t *values;
	size_t value_count;
	uint64_t *ips;
	size_t ip_count;
	struct profile_symbols *symbols;
	size_t symbol_count;
	struct pfmd_loss *losses; /* one of each stream */
	size_t loss_count;
	bool complete; /* nothing is missing at its end */
	struct blob *blobs; /* what the pointers above point to */
};

/*
 * Reads the file of this name, "-" is the standard input, or a stream, which is
 * closed. What breaks off is read as far as it goes, with a note. 0, or -1 after a
 * message; profile_free() in both cases.
 */
int profile_read(struct profile *profile, const char *name);
int profile_read_stream(struct profile *profile, FILE *in, const char *name);

/*
 * The same without the samples, of which there may be more than memory:
 * profile_next() reads them again. What cannot be read twice is copied into a
 * temporary file.
 */
int profile_scan(struct profile *profile, const char *name);
int profile_scan_stream(struct profile *profile, FILE *in, const char *name);

/*
 * The next sample, which is there until the next call; in the order of time after
 * profile_read(), of the file after profile_scan(). 1, or 0: there is none; -1 after a
 * message.
 */
int profile_next(struct profile *profile, const struct profile_sample **sample);

/*
 * Events that a sample stands for. Where periods vary by chance the first one of each
 * thread is a part of a period: all samples of the event are worth the same then.
 */
uint64_t profile_worth(const struct profile *profile,
		       const struct profile_sample *sample);

/* The next one is the first. 0, or -1 after a message. */
int profile_rewind(struct profile *profile);

void profile_free(struct profile *profile);

/* The addresses of a sample's stack; NULL: no sample has any. */
static inline const uint64_t *profile_stack(const struct profile *profile,
					    const struct profile_sample *sample)
{
	return profile->ips ? profile->ips + sample->stack : NULL;
}

/* Its values; NULL likewise. */
static inline const uint64_t *
profile_values(const struct profile *profile,
	       const struct profile_sample *sample)
{
	return profile->values ? profile->values + sample->values : NULL;
}

/* How it has accessed memory, NULL: not at all, or that is not known. */
static inline const struct profile_memory *
profile_memory(const struct profile *profile,
	       const struct profile_sample *sample)
{
	return sample->memory ? profile->memory + sample->memory - 1 : NULL;
}

/* The branches before it, newest first; there are branch_count. */
static inline const struct pfm_precise_smpl_branch *
profile_branches(const struct profile *profile,
		 const struct profile_sample *sample)
{
	return sample->branch_count ? profile->branches + sample->branches :
				      NULL;
}

/* A string of META, NULL: it has none of this name. */
const char *profile_meta(const struct profile *profile, const char *key);

/* Lost overflows, and the time that streams were blind. */
struct profile_losses {
	uint64_t lost, blind_ns, throttled_ns;
};
struct profile_losses profile_losses(const struct profile *profile);

#endif /* PFMON_READ_PROFILE_H */

/* SPDX-License-Identifier: MIT */
/*
 * The file between pfmon and the programs that mark their regions: pfmon writes which
 * events to count, and each process adds a record with the counts of its regions. For
 * internal use: both must have the same version.
 *
 * All words are in the machine's byte order; the file has no name and never leaves the
 * machine.
 */
#ifndef MARK_FILE_H
#define MARK_FILE_H

#include <stdint.h>

/* The environment variable of the command with the number of its descriptor. */
#define MARK_VARIABLE "PFMON_MARK_FD"

#define MARK_SETUP_MAGIC 0x31305550464b4d50ULL
#define MARK_PROCESS_MAGIC 0x31304350464b4d50ULL

/* Limits of a setup; longer names are cut. */
#define MARK_EVENTS_MAX 32
#define MARK_CONTROLS_MAX 128
#define MARK_NAME_MAX 256

struct mark_register {
	uint64_t number, value;
};

/* The start of the file; records begin at offset size. */
struct mark_setup {
	uint64_t magic;
	uint32_t size;
	uint32_t events; /* the first of the counters count the events */
	uint32_t counters;
	uint32_t controls;
	struct mark_register counter[MARK_EVENTS_MAX];
	struct mark_register control[MARK_CONTROLS_MAX];
};

/* A process; its threads follow. */
struct mark_process {
	uint64_t magic;
	uint64_t length; /* bytes of the record, including all its threads */
	uint32_t pid;
	uint32_t threads;
	uint64_t unmatched; /* ends without a begin */
	char comm[16];
};

enum mark_means {
	MARK_BY_PAGE, /* the counters are read without a call */
	MARK_BY_CALLS,
	MARK_UNCOUNTED, /* no session; the errno has the reason */
	MARK_MEANS
};

/* A thread; its regions follow. */
struct mark_thread {
	uint32_t tid;
	uint32_t regions;
	uint32_t means;
	uint32_t why;
	uint64_t cost[MARK_EVENTS_MAX]; /* what each mark adds around it */
};

/* A region; its name follows, padded with zeros to 8 bytes. */
struct mark_region {
	uint32_t name_length;
	uint32_t open; /* not ended yet: this pass is not in the sums below */
	uint64_t entries;
	uint64_t marks; /* marks whose cost is included in the counts */
	uint64_t time_ns;
	uint64_t counts[MARK_EVENTS_MAX];
};

#define MARK_PADDED(length) (((length) + 7u) & ~7u)

#endif /* MARK_FILE_H */

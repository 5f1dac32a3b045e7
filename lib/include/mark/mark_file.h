/* SPDX-License-Identifier: MIT */
/*
 * The file between pfmon and the programs that mark their regions: pfmon writes what
 * is to be counted, and each process adds a record of what its regions have. Not for
 * other programs: both are of the same version.
 *
 * All words are those of the machine; the file has no name and stays on it.
 */
#ifndef MARK_FILE_H
#define MARK_FILE_H

#include <stdint.h>

/* The number of its descriptor, in the environment of the command. */
#define MARK_VARIABLE "PFMON_MARK_FD"

#define MARK_SETUP_MAGIC 0x31305550464b4d50ULL
#define MARK_PROCESS_MAGIC 0x31304350464b4d50ULL

/* What pfmon can ask for, and names that are longer are cut. */
#define MARK_EVENTS_MAX 32
#define MARK_CONTROLS_MAX 128
#define MARK_NAME_MAX 256

struct mark_register {
	uint64_t number, value;
};

/* The beginning; records follow behind size bytes. */
struct mark_setup {
	uint64_t magic;
	uint32_t size;
	uint32_t events; /* the first of the counters are theirs */
	uint32_t counters;
	uint32_t controls;
	struct mark_register counter[MARK_EVENTS_MAX];
	struct mark_register control[MARK_CONTROLS_MAX];
};

/* A process, with its threads behind it. */
struct mark_process {
	uint64_t magic;
	uint64_t length; /* of the record, with all that belongs to it */
	uint32_t pid;
	uint32_t threads;
	uint64_t unmatched; /* ends without a begin */
	char comm[16];
};

enum mark_means {
	MARK_BY_PAGE, /* instructions read the counters */
	MARK_BY_CALLS,
	MARK_UNCOUNTED, /* the thread has no session: why says the errno */
	MARK_MEANS
};

/* A thread, with its regions behind it. */
struct mark_thread {
	uint32_t tid;
	uint32_t regions;
	uint32_t means;
	uint32_t why;
	uint64_t cost[MARK_EVENTS_MAX]; /* what a mark adds to what it is in */
};

/* A region, with its name behind it, padded with zeros to 8 bytes. */
struct mark_region {
	uint32_t name_length;
	uint32_t open; /* begun and not ended: not in what follows */
	uint64_t entries;
	uint64_t marks; /* for whose cost the counts are too high */
	uint64_t time_ns;
	uint64_t counts[MARK_EVENTS_MAX];
};

#define MARK_PADDED(length) (((length) + 7u) & ~7u)

#endif /* MARK_FILE_H */

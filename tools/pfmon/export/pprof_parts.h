/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parts of a profile of pprof: its tables of strings, mappings, functions and
 * locations, each of which has what samples need, once.
 */
#ifndef PFMON_PPROF_PARTS_H
#define PFMON_PPROF_PARTS_H

#include "export/protobuf.h"
#include "symbols/functions.h"

struct pprof {
	const struct profile *source;
	struct message profile; /* complete after pprof_end() */
	struct message part, inner; /* in work */
	void *strings; /* tree of search.h */
	uint64_t string_count;
	uint8_t *has_location, *has_function; /* by index */
	size_t location_count, function_count;
	bool *has_mapping; /* by index of profile's */
	bool failed;
};

struct pprof_labels {
	const char *comm;
	uint32_t pid, tid;
};

void pprof_begin(struct pprof *pprof, const struct profile *source);

/*
 * Has the program of a process, its first file, be the first mapping: pprof takes that
 * for the program, whose name it shows and whose code it looks into. Before samples.
 */
void pprof_program(struct pprof *pprof, uint32_t tgid);

/* The innermost place is the first. values: two of each event of the source. */
void pprof_sample(struct pprof *pprof, const struct place *const *stack,
		  unsigned int depth, const uint64_t *values,
		  const struct pprof_labels *labels);

/* -1: there was no memory for all of it. */
int pprof_end(struct pprof *pprof);
void pprof_free(struct pprof *pprof);

#endif /* PFMON_PPROF_PARTS_H */

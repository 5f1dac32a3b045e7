/* SPDX-License-Identifier: MIT */
/*
 * The events of processors that libpfm4 does not know, or knows poorly, as published by
 * their makers.  checks/lib_events.py makes the tables from the Linux sources, one C file
 * each; events/tables_files.c builds event tables from them, and the dispatchers read the
 * rows.
 */
#ifndef PFMLIB_EVENTFILES_H
#define PFMLIB_EVENTFILES_H

#include <stddef.h>
#include <stdint.h>

/* The register that qualifies an event, besides its selector. */
enum pfmlib_file_extra {
	NONE,
	OFFCORE_0, /* the first of two */
	OFFCORE_1,
	OFFCORE, /* either of the two; the other has its own select or mask */
	FRONTEND,
	LATENCY,
};

#define PFMLIB_FILE_EDGE 0x1
#define PFMLIB_FILE_INV 0x2
#define PFMLIB_FILE_PRECISE 0x4 /* can be sampled precisely */
/*
 * Not in the tables: the event is for one kind of core of a hybrid processor, see
 * tables_kinds.c.
 */
#define PFMLIB_FILE_CORE 0x8
#define PFMLIB_FILE_ATOM 0x10

/* One event with one unit mask; rows of the same event are adjacent. */
struct pfmlib_file_row {
	const char *event;
	const char *mask; /* NULL: no unit mask */
	uint16_t select; /* AMD: 12 bits */
	uint8_t umask;
	uint8_t cmask;
	uint8_t flags; /* PFMLIB_FILE_* */
	uint8_t extra; /* enum pfmlib_file_extra */
	uint32_t counters; /* bit n: PMD n; fixed counters begin at 16 */
	uint64_t value; /* value of the extra register */
};

struct pfmlib_event_file {
	const struct pfmlib_file_row *rows;
	unsigned int num_rows;
};

/* The kinds of core, named after the processor that the file describes. */
extern const struct pfmlib_event_file pfmlib_file_alderlake_core;
extern const struct pfmlib_event_file pfmlib_file_alderlake_atom;
extern const struct pfmlib_event_file pfmlib_file_graniterapids;
extern const struct pfmlib_event_file pfmlib_file_meteorlake_core;
extern const struct pfmlib_event_file pfmlib_file_meteorlake_atom;
extern const struct pfmlib_event_file pfmlib_file_sierraforest;
extern const struct pfmlib_event_file pfmlib_file_lunarlake_core;
extern const struct pfmlib_event_file pfmlib_file_lunarlake_atom;
extern const struct pfmlib_event_file pfmlib_file_snowridgex;
extern const struct pfmlib_event_file pfmlib_file_amdzen5;

#endif /* PFMLIB_EVENTFILES_H */

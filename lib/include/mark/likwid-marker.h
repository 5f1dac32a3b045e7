/* SPDX-License-Identifier: MIT */
/*
 * The marker macros of LIKWID, for programs that pfmon stat -m counts: regions that were
 * marked for LIKWID need no changes. As in LIKWID, the macros do nothing unless
 * LIKWID_PERFMON is defined.
 */
#ifndef LIKWID_MARKER_H
#define LIKWID_MARKER_H

#ifdef LIKWID_PERFMON
#include "pfmon-mark.h"

/* Optional: a thread's first region does the same. */
#define LIKWID_MARKER_INIT pfmon_mark_thread()
#define LIKWID_MARKER_THREADINIT pfmon_mark_thread()
#define LIKWID_MARKER_REGISTER(name) pfmon_mark_thread()

#define LIKWID_MARKER_START(name) pfmon_mark_begin(name)
#define LIKWID_MARKER_STOP(name) pfmon_mark_end(name)
#define LIKWID_MARKER_RESET(name) pfmon_mark_reset(name)
#define LIKWID_MARKER_CLOSE pfmon_mark_flush()
#define LIKWID_MARKER_WRITE_FILE(file) ((void)(file), pfmon_mark_flush())

/* pfmon uses one group of events for the whole run. */
#define LIKWID_MARKER_SWITCH ((void)0)

/* pfmon reports the counts; the program does not get them. */
#define LIKWID_MARKER_GET(name, events, values, seconds, entries)     \
	((void)(name), (void)(values), *(events) = 0, *(seconds) = 0, \
	 *(entries) = 0)

#else

#define LIKWID_MARKER_INIT
#define LIKWID_MARKER_THREADINIT
#define LIKWID_MARKER_REGISTER(name)
#define LIKWID_MARKER_START(name)
#define LIKWID_MARKER_STOP(name)
#define LIKWID_MARKER_RESET(name)
#define LIKWID_MARKER_CLOSE
#define LIKWID_MARKER_WRITE_FILE(file)
#define LIKWID_MARKER_SWITCH
#define LIKWID_MARKER_GET(name, events, values, seconds, entries)

#endif /* LIKWID_PERFMON */

#endif /* LIKWID_MARKER_H */

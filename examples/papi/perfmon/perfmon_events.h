/* SPDX-License-Identifier: MIT */
/*
 * Native events: names of libpfm, with unit masks ("EVENT:MASK:MASK"), and the codes by
 * which PAPI knows them.  An event without masks has its index in libpfm as its code;
 * one with masks gets the next code when its name is first used.
 *
 * All functions return PAPI_OK or an error of PAPI, and may be called by several threads.
 */
#ifndef PERFMON_EVENTS_H
#define PERFMON_EVENTS_H

#include "perfmon_library.h"

/*
 * PAPI puts the names of components before the names of their events, but for those that
 * have a "pe" in their name.  So this one does it itself.
 */
#define PERFMON_NAME "perfmon"
#define PERFMON_PREFIX PERFMON_NAME ":::"

/* PAPI_OK, or PAPI_ENOCNTR if libpfm has no event for this processor. */
int perfmon_events_init(int *number);

/* Forgets the codes of events with masks. */
void perfmon_events_free(void);

/* PAPI_ENOEVNT: the code was not given out. */
int perfmon_event_of(unsigned int code, pfmlib_event_t *event);

/* The error of PAPI for one of libpfm. */
int perfmon_library_error(int rc);

/* Of the vector of the component. */
int perfmon_enum_events(unsigned int *code, int modifier);
int perfmon_name_to_code(const char *name, unsigned int *code);
int perfmon_code_to_name(unsigned int code, char *name, int size);
int perfmon_code_to_descr(unsigned int code, char *text, int size);

#endif /* PERFMON_EVENTS_H */

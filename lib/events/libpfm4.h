/* SPDX-License-Identifier: MIT */
/*
 * The private copy of libpfm4, which has the event tables of most processors
 * and encodes the events of the models since Sandy Bridge.
 *
 * Its header and ours have the same name and include guard, so only libpfm4.c
 * includes it; the rest of the library uses the functions below.
 */
#ifndef PFMLIB_LIBPFM4_H
#define PFMLIB_LIBPFM4_H

#include <stdbool.h>
#include <stdint.h>

/* An event or a unit mask.  The strings live as long as the process. */
struct libpfm4_entry {
	const char *name;
	const char *desc;
	unsigned int code;
	bool precise; /* can be sampled precisely (PEBS) */
	bool has_masks; /* it has masks; false: it may have some */
};

enum libpfm4_error {
	LIBPFM4_NO_UMASK = -1, /* missing, unknown or not combinable */
	LIBPFM4_NO_COMBINATION = -2,
	LIBPFM4_NO_MEMORY = -3,
	LIBPFM4_OTHER_ERROR = -4,
};

/* Must be called once, before the others.  Returns 0, or -1. */
int pfmlib_libpfm4_start(void);

/*
 * Iterate over the events of a PMU, by index; -1: no such PMU, or no more
 * events.
 */
int pfmlib_libpfm4_first_event(const char *pmu);
int pfmlib_libpfm4_next_event(int event);

/* Returns 0, or -1 if there is no such event. */
int pfmlib_libpfm4_event(int event, struct libpfm4_entry *entry);
/* Returns 0, LIBPFM4_NO_UMASK if there is no such mask, or LIBPFM4_NO_MEMORY. */
int pfmlib_libpfm4_mask(int event, unsigned int mask,
			struct libpfm4_entry *entry);

/*
 * Returns the values of the registers that count an event: the selector and, if
 * needed, one more register.  The result is their number (1 or 2), or an error.
 */
int pfmlib_libpfm4_encode(int event, const unsigned int *masks,
			  unsigned int num_masks, bool user, bool kernel,
			  uint64_t values[2]);

#endif /* PFMLIB_LIBPFM4_H */

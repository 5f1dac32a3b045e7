/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rules of dispatch for Core Duo, Core, Atom, Nehalem, Westmere and the
 * architectural PMU, written down once more and slowly: names are compared, and
 * counters are handed out step by step as documented.  Beside that, all
 * assignments of counters can be tried.  For test_dispatch_reference.c only.
 */
#ifndef DISPATCH_REFERENCE_H
#define DISPATCH_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

#define REFERENCE_EVENTS 20
#define REFERENCE_MASKS 3
#define REFERENCE_PMCS 64

struct reference_use {
	const char *event;
	const char *masks[REFERENCE_MASKS];
	unsigned int mask_codes[REFERENCE_MASKS];
	unsigned int num_masks;
	unsigned int code;
	bool is_uncore;
	unsigned int own_plm; /* 0: the default */
	unsigned int event_flags;
	unsigned int flags;
	unsigned long cnt_mask;
};

struct reference_call {
	int type;
	unsigned int version; /* of the architectural PMU */
	unsigned int num_generic;
	unsigned int num_fixed;
	struct reference_use uses[REFERENCE_EVENTS];
	unsigned int num_uses;
	unsigned int plm;
	bool unavailable[REFERENCE_PMCS];
	bool pebs;
	unsigned int threshold;
	bool lbr;
};

struct reference_result {
	int error;
	unsigned int counter[REFERENCE_EVENTS];
	struct {
		unsigned int num;
		uint64_t value;
	} pmcs[REFERENCE_PMCS];
	unsigned int num_pmcs;
};

/*
 * What is to come of the call.  True if the error, if there is one, is that the
 * steps did not find counters: another assignment may exist.
 */
bool reference_dispatch(const struct reference_call *call,
			struct reference_result *result);

/* Whether there is any assignment, of a call that breaks no other rule. */
bool reference_can_assign(const struct reference_call *call);

/* Whether the counter is one for event i. */
bool reference_is_legal(const struct reference_call *call, unsigned int i,
			unsigned int counter);

#endif /* DISPATCH_REFERENCE_H */

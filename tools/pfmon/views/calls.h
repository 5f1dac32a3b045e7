/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who has called whom, by the call chains of samples. A sample counts once for a
 * function, however often that is in its chain: so what is told of a function adds up
 * to the samples that it has in total.
 */
#ifndef PFMON_CALLS_H
#define PFMON_CALLS_H

#include "views/view.h"

/* Stands for who has called the outermost function. */
#define CALLS_ROOT "[root]"

/* The same where frame pointers tell no more. */
#define CALLS_BROKEN "[broken]"

struct call {
	unsigned int event;
	const struct function *caller; /* NULL: the callee is the outermost */
	bool broken; /* which is so because its caller is not known */
	const struct function *callee;
	const struct place *site; /* of CALLS_SITES: where it calls */
	uint64_t samples;
};

enum calls_by {
	/* By callee: who has made its first call; all samples of it. */
	CALLS_CALLERS,
	/* The same for each place of a caller; by caller, then place. */
	CALLS_SITES,
	/*
	 * By caller: whom its last call was of; all samples of it but those that are
	 * its own.
	 */
	CALLS_CALLEES,
};

struct calls {
	struct call *rows; /* by event, function, then most samples */
	size_t count;
	enum calls_by by;
};

/* Of all events. 0, or -1 after a message; calls_free() in both cases. */
int calls_sum(struct calls *calls, struct view *view, enum calls_by by);
void calls_free(struct calls *calls);

/* Those of a function of an event, and how many there are. */
const struct call *calls_of(const struct calls *calls, unsigned int event,
			    const struct function *function, size_t *count);

#endif /* PFMON_CALLS_H */

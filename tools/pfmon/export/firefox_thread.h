/* SPDX-License-Identifier: GPL-2.0-only */
/* A thread of a profile of the Firefox Profiler. */
#ifndef PFMON_FIREFOX_THREAD_H
#define PFMON_FIREFOX_THREAD_H

#include "views/view.h"

struct firefox_sample {
	const struct profile_sample *sample;
	const struct place *place;
};

/* Writes the object of a thread. 0, or -1 after a message. */
int firefox_thread(const struct view *view,
		   const struct firefox_sample *samples, size_t count,
		   FILE *out);

#endif /* PFMON_FIREFOX_THREAD_H */

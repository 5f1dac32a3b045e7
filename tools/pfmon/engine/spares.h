/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sessions of threads that have ended, for threads to come: attaching one costs a
 * third of making and programming another.
 */
#ifndef PFMON_SPARES_H
#define PFMON_SPARES_H

#include <stdbool.h>

#include "engine/turns.h"

#define SPARES_MAX 64

struct spare {
	int session;
	/* What it has counted so far, allocated; its registers go on from there. */
	struct turns_counts *before;
};

struct spares {
	struct spare list[SPARES_MAX];
	int count;
};

/* False: there is none. Else session and counts are the caller's. */
bool spares_take(struct spares *spares, struct spare *spare);

/*
 * Keeps a session that is detached, or closes it if there are enough. before is
 * what it had counted when it was taken, NULL of a new one, and counts what has come
 * since; before is not the caller's any more.
 */
void spares_keep(struct spares *spares, int session,
		 struct turns_counts *before,
		 const struct turns_counts *counts);

void spares_close(struct spares *spares);

#endif /* PFMON_SPARES_H */

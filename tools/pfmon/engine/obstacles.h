/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Obstacles: what stands between the user and the counters when there is no
 * session, and the command that removes each. All of them, not the first only:
 * an ordinary user of a distribution's kernel meets several.
 */
#ifndef PFMON_OBSTACLES_H
#define PFMON_OBSTACLES_H

#include <stdbool.h>

#define OBSTACLES_MAX 8
#define OBSTACLE_TEXT 200

struct obstacles {
	int count;
	char line[OBSTACLES_MAX][OBSTACLE_TEXT];
};

/* Where they are looked for. */
struct obstacle_place {
	const char *root; /* in front of all other paths; "" but in tests */
	const char *sysfs; /* of perfmon */
	const char *release; /* of the kernel */
	bool system_wide; /* what was asked for */
};

/* At least one line; @error: why no session was created. */
void obstacles_find(struct obstacles *found, const struct obstacle_place *place,
		    int error);

/* The same on this machine. */
void obstacles_here(struct obstacles *found, const char *sysfs,
		    bool system_wide, int error);

#endif /* PFMON_OBSTACLES_H */

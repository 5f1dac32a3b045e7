/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Mappings as /proc tells them. Of each process it is remembered what was written,
 * so that what is found again is not written again.
 */
#ifndef PFMON_PROC_MAPS_H
#define PFMON_PROC_MAPS_H

#include <sys/types.h>

#include "profile/writer.h"
#include "record/clock.h"
#include "record/mapped_files.h"

struct known_process;

struct proc_maps {
	struct writer *writer;
	struct mapped_files *files;
	const struct stamp_clock *clock;
	struct known_process *list;
	int count, capacity;
};

/* Writes what the process has that can be executed and was not written yet. */
void proc_maps_look(struct proc_maps *maps, pid_t pid);

/* The process has what the other has. */
void proc_maps_forked(struct proc_maps *maps, pid_t pid, pid_t parent);

/* It has nothing of what was written. */
void proc_maps_forget(struct proc_maps *maps, pid_t pid);

void proc_maps_free(struct proc_maps *maps);

#endif /* PFMON_PROC_MAPS_H */

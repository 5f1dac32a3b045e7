/* SPDX-License-Identifier: GPL-2.0-only */
/* Control groups of version 2, by name: their processes and their CPU time. */
#ifndef PFMON_CGROUP_H
#define PFMON_CGROUP_H

#include <limits.h>
#include <stdint.h>
#include <sys/types.h>

struct cgroup {
	char path[PATH_MAX]; /* of its folder, "": none */
};

/*
 * Finds a cgroup below root, the folder at which cgroups are mounted (NULL: where
 * /proc/self/mounts says). name is its path there, or the one folder that is called so:
 * whole, without ".service", ".slice" or ".scope", or behind a dash or an underscore
 * (a container's id, which may be cut to 12 digits, or the number of a job).
 * -1 after a message.
 */
int cgroup_find(struct cgroup *cgroup, const char *name, const char *root);

/*
 * Calls visit for each process of the cgroup and of the cgroups in it, until it returns
 * less than 0: that is returned, else 0. -1 after a message if the cgroup has gone.
 */
int cgroup_each_process(const struct cgroup *cgroup,
			int (*visit)(pid_t pid, void *arg), void *arg);

/* CPU time of all of its processes so far, in ns; 0 if it is not known. */
uint64_t cgroup_cpu_ns(const struct cgroup *cgroup);

#endif /* PFMON_CGROUP_H */

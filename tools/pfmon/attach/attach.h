/* SPDX-License-Identifier: GPL-2.0-only */
/* The processes and threads that run already when pfmon comes. */
#ifndef PFMON_ATTACH_H
#define PFMON_ATTACH_H

#include "attach/cgroup.h"
#include "engine/follow.h"
#include "engine/idlist.h"

struct attached {
	pid_t pids[IDLIST_MAX]; /* of -p, or of the cgroup: all threads */
	uint64_t cpu_ns[IDLIST_MAX]; /* that they had used before */
	int pid_count;
	pid_t tids[IDLIST_MAX]; /* of -t */
	int tid_count;
	struct cgroup cgroup;
	uint64_t cgroup_ns; /* that its processes had used before */
};

/* Parses the lists of the request. -1 after a message. */
int attach_parse(struct attached *attached, const struct request *request);

/*
 * Begins to count all of them. They are not stopped if the kernel can do without,
 * and not traced if nothing that they make is to be followed; else counting begins
 * at their stops, which are reported to follow_event(). Threads that end meanwhile
 * are no error. -1 after a message: one does not exist or cannot be traced; the
 * others are to be released.
 */
int attach_all(struct attached *attached, struct follow *follow);

/* When counting begins: what these processes have used until now is not of it. */
void attach_set_base(struct attached *attached);

/*
 * CPU time that the processes of -p, or all of the cgroup's, have used since; 0 if it is
 * not known.
 */
uint64_t attach_cpu_ns(const struct attached *attached);

#endif /* PFMON_ATTACH_H */

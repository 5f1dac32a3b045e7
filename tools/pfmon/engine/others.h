/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether anything but the first thread of a command has run, for commands of
 * which only that thread is counted.
 *
 * Time alone does not tell: the kernel adds the time of a thread that ends to
 * that of its process as of the last tick, so that threads shorter than one are
 * in no sum. A software event of the kernel reports births instead; where it is
 * not allowed, the time of all others is compared, which sees longer ones only.
 */
#ifndef PFMON_OTHERS_H
#define PFMON_OTHERS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "engine/coverage.h"

struct others {
	pid_t command;
	int event; /* that reports births, -1: none */
	void *ring; /* its records, NULL: none */
	enum coverage_others seen;
	uint64_t first_ns; /* CPU time of the first thread, 0: not known */
};

/*
 * Begins with a command in its exec stop. reported: births may be reported by
 * an event, which costs instructions of the kernel at each context switch.
 */
void others_watch(struct others *others, pid_t command, bool reported);

/*
 * Before the command is waited for: whether it has ended. What is known of it
 * then is looked at.
 */
bool others_look(struct others *others);

/* Ends. Returns what was seen. */
enum coverage_others others_end(struct others *others);

#endif /* PFMON_OTHERS_H */

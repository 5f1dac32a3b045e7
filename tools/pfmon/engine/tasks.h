/* SPDX-License-Identifier: GPL-2.0-only */
/* The live threads that pfmon measures or waits for. */
#ifndef PFMON_TASKS_H
#define PFMON_TASKS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define TASK_COMM 16

struct task {
	pid_t tid;
	pid_t pid; /* its process */
	pid_t ppid;
	char comm[TASK_COMM];
	int session; /* -1: not counted */
	unsigned int turn; /* of its sets */
	struct turns_counts *told; /* at the last interval, NULL: nothing yet */
	struct turns_counts *before; /* what its session had counted for others */
	bool described; /* by /proc, or by its parent as far as it matters */
	bool expected; /* announced, its first stop is due */
	bool unannounced; /* its first stop came before its parent's report */
	bool dead; /* it has ended: its session is at rest */
	bool gone; /* has ended so, and is kept for that report */
	bool untraced; /* runs without tracer: our child, or watched */
	bool watched; /* it ran already, and its session tells its end */
	bool running; /* nobody has stopped it */
	int error; /* why it has no session; 0: that was said, or it has */
	/* Of a session that others inherit, what was read before: */
	uint64_t read_ns;
	unsigned int read_lost;
	unsigned int made_room; /* see counters_settle() */
	bool left; /* its program is none of those to be counted */
	int next; /* of its bucket: place in the list, from 1; 0: none */
};

#define TASKS_BUCKETS 1024

struct tasks {
	struct task *list;
	int count;
	int capacity;
	/* By the last bits of tid, as next: finding is a matter of each report. */
	int buckets[TASKS_BUCKETS];
};

/* NULL: not there. Valid until the next call of tasks_add or tasks_remove. */
struct task *tasks_find(const struct tasks *tasks, pid_t tid);

/* Adds a thread, without a session. NULL after a message: no memory. */
struct task *tasks_add(struct tasks *tasks, pid_t tid);
void tasks_remove(struct tasks *tasks, struct task *task);
/* It has another number from now on. */
void tasks_rename(struct tasks *tasks, struct task *task, pid_t tid);
void tasks_free(struct tasks *tasks);

/* Reads from /proc what is told of the thread; keeps what it cannot read. */
void tasks_describe(struct task *task);

/* Whether the thread has ended, or is about to: its number may be there for long. */
bool tasks_is_ending(pid_t tid);

#endif /* PFMON_TASKS_H */

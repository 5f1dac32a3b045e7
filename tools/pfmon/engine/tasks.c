// SPDX-License-Identifier: GPL-2.0-only
/* The live threads, see tasks.h. */
#include "engine/tasks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"

/* PF_EXITING of the kernel, see proc(5). */
#define FLAG_EXITING 0x4

struct task *tasks_find(const struct tasks *tasks, pid_t tid)
{
	int place = tasks->buckets[(unsigned int)tid % TASKS_BUCKETS];

	while (place && tasks->list[place - 1].tid != tid)
		place = tasks->list[place - 1].next;
	return place ? &tasks->list[place - 1] : NULL;
}

static int *bucket_of(struct tasks *tasks, const struct task *task)
{
	return &tasks->buckets[(unsigned int)task->tid % TASKS_BUCKETS];
}

static void link_task(struct tasks *tasks, struct task *task)
{
	int *bucket = bucket_of(tasks, task);

	task->next = *bucket;
	*bucket = (int)(task - tasks->list) + 1;
}

static void unlink_task(struct tasks *tasks, const struct task *task)
{
	int *link = bucket_of(tasks, task);
	int place = (int)(task - tasks->list) + 1;

	while (*link != place)
		link = &tasks->list[*link - 1].next;
	*link = task->next;
}

struct task *tasks_add(struct tasks *tasks, pid_t tid)
{
	struct task *task;

	if (tasks->count == tasks->capacity) {
		int capacity = tasks->capacity ? 2 * tasks->capacity : 16;
		struct task *grown = reallocarray(tasks->list, (size_t)capacity,
						  sizeof(*grown));

		if (!grown) {
			diag("out of memory");
			return NULL;
		}
		tasks->list = grown;
		tasks->capacity = capacity;
	}
	task = &tasks->list[tasks->count++];
	*task = (struct task){ .tid = tid, .pid = tid, .session = -1 };
	link_task(tasks, task);
	return task;
}

void tasks_remove(struct tasks *tasks, struct task *task)
{
	struct task *last = &tasks->list[--tasks->count];

	unlink_task(tasks, task);
	if (task == last)
		return;
	unlink_task(tasks, last);
	*task = *last;
	link_task(tasks, task);
}

void tasks_rename(struct tasks *tasks, struct task *task, pid_t tid)
{
	unlink_task(tasks, task);
	task->tid = tid;
	link_task(tasks, task);
}

void tasks_free(struct tasks *tasks)
{
	free(tasks->list);
	*tasks = (struct tasks){ 0 };
}

void tasks_describe(struct task *task)
{
	char path[48], line[128];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", task->tid);
	file = fopen(path, "re");
	if (!file)
		return;
	while (fgets(line, sizeof(line), file)) {
		if (!strncmp(line, "Name:\t", 6)) {
			line[strcspn(line, "\n")] = '\0';
			snprintf(task->comm, sizeof(task->comm), "%.15s",
				 line + 6);
		} else if (!strncmp(line, "PPid:", 5)) {
			task->ppid = atoi(line + 5);
			task->described = true;
			/* Nothing of interest comes after it. */
			break;
		} else if (!strncmp(line, "Tgid:", 5)) {
			task->pid = atoi(line + 5);
		}
	}
	fclose(file);
}

bool tasks_is_ending(pid_t tid)
{
	char path[48], line[512], state = 'X';
	unsigned int flags = 0;
	const char *end;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", tid);
	file = fopen(path, "re");
	if (!file)
		return true;
	/* The name of the program may have anything in it. */
	if (fgets(line, sizeof(line), file) && (end = strrchr(line, ')')))
		sscanf(end, ") %c %*d %*d %*d %*d %*d %u", &state, &flags);
	fclose(file);
	return state == 'X' || state == 'Z' || flags & FLAG_EXITING;
}

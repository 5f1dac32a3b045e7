// SPDX-License-Identifier: GPL-2.0-only
/* Attaching to what runs, see attach.h. */
#include "engine/attach.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "engine/clocks.h"

int attach_parse(struct attached *attached, const struct request *request)
{
	memset(attached, 0, sizeof(*attached));
	if (request->processes)
		attached->pid_count =
			idlist_pids(request->processes, "-p", attached->pids);
	if (request->threads)
		attached->tid_count =
			idlist_pids(request->threads, "-t", attached->tids);
	return attached->pid_count < 0 || attached->tid_count < 0 ? -1 : 0;
}

/* Who traces the thread already; 0: nobody that can be seen. */
static pid_t tracer_of(pid_t tid)
{
	char path[48], line[128];
	pid_t tracer = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", tid);
	file = fopen(path, "re");
	if (!file)
		return 0;
	while (!tracer && fgets(line, sizeof(line), file)) {
		if (!strncmp(line, "TracerPid:", 10))
			tracer = atoi(line + 10);
	}
	fclose(file);
	return tracer;
}

static int explain(pid_t tid, int error)
{
	struct task tracer = { .tid = tracer_of(tid) };

	if (error == ESRCH)
		return diag("thread %d: there is none", tid);
	if (tracer.tid) {
		tasks_describe(&tracer);
		return diag("thread %d: traced by %d (%s); end that first", tid,
			    tracer.tid, tracer.comm);
	}
	if (error == EPERM)
		return diag(
			"thread %d: cannot be traced: it is not yours, or kernel.yama.ptrace_scope forbids it; become root",
			tid);
	return diag("thread %d: cannot be traced: %s", tid, strerror(error));
}

/* Returns how many threads were new, or -1 after a message. */
static int seize_threads(pid_t pid, struct follow *follow)
{
	const struct dirent *entry;
	char path[48];
	int seen = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	if (!dir)
		return explain(pid, errno == ENOENT ? ESRCH : errno);
	while ((entry = readdir(dir))) {
		pid_t tid = atoi(entry->d_name);
		int error;

		if (tid <= 0 || tasks_find(&follow->tasks, tid))
			continue;
		error = follow_seize(follow, tid);
		/* It has ended, or is about to: no matter of ours. */
		if (error == ESRCH)
			continue;
		if (error) {
			closedir(dir);
			return explain(tid, error);
		}
		seen++;
	}
	closedir(dir);
	return seen;
}

/* Threads that are not seized yet make others: until there is no new one. */
static int seize_process(pid_t pid, struct follow *follow)
{
	int seen;

	do
		seen = seize_threads(pid, follow);
	while (seen > 0);
	if (!seen && !follow->tasks.count)
		return explain(pid, ESRCH);
	return seen;
}

int attach_all(struct attached *attached, struct follow *follow)
{
	for (int i = 0; i < attached->pid_count; i++) {
		pid_t pid = attached->pids[i];

		attached->cpu_ns[i] = clocks_process(pid);
		if (seize_process(pid, follow))
			return -1;
	}
	for (int i = 0; i < attached->tid_count; i++) {
		int error = follow_seize(follow, attached->tids[i]);

		if (error)
			return explain(attached->tids[i], error);
	}
	return 0;
}

uint64_t attach_cpu_ns(const struct attached *attached)
{
	uint64_t sum = 0;

	for (int i = 0; i < attached->pid_count; i++) {
		uint64_t now = clocks_process(attached->pids[i]);

		if (now > attached->cpu_ns[i])
			sum += now - attached->cpu_ns[i];
	}
	return sum;
}

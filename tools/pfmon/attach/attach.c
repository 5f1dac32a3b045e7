// SPDX-License-Identifier: GPL-2.0-only
/* Attaching to what runs, see attach.h. */
#include "attach/attach.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "diag.h"
#include "engine/clocks.h"

/* At the processes of a cgroup. */
#define LOOKS_MAX 8

int attach_parse(struct attached *attached, const struct request *request)
{
	memset(attached, 0, sizeof(*attached));
	if (request->cgroup)
		return cgroup_find(&attached->cgroup, request->cgroup, NULL);
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

/* Those that make others, which are to be followed, have to be traced. */
static int attach_thread(pid_t tid, struct follow *follow)
{
	if (follow->remote && !follow_needs_stops(follow->rules))
		return follow_watch(follow, tid);
	return follow_seize(follow, tid);
}

/*
 * Returns how many threads were new, or -1 after a message. again: the process was
 * there, and may have ended.
 */
static int attach_threads(pid_t pid, struct follow *follow, bool again)
{
	const struct dirent *entry;
	char path[48];
	int seen = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	if (!dir && again && errno == ENOENT)
		return 0;
	if (!dir)
		return explain(pid, errno == ENOENT ? ESRCH : errno);
	while ((entry = readdir(dir))) {
		pid_t tid = atoi(entry->d_name);
		int error;

		if (tid <= 0 || tasks_find(&follow->tasks, tid))
			continue;
		error = attach_thread(tid, follow);
		/* It has ended, or is about to: no matter of ours. */
		if (error == ESRCH || (error && tasks_is_ending(tid)))
			continue;
		/* Born of one that is traced, whose report comes. */
		if (error == EPERM && tracer_of(tid) == getpid())
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

/*
 * Threads that are not traced or counted yet make others: until there is no new one.
 * One may be in the making, by a thread that has its session since and is not seen yet;
 * a tracer hears of it later, else it is looked for once more, after a while.
 */
static int attach_process(pid_t pid, struct follow *follow, bool may_end)
{
	const struct timespec while_made = { .tv_nsec = NS_PER_MS };
	const int looks = follow->inherited ? 2 : 1; /* that find no new one */
	int seen = attach_threads(pid, follow, may_end), quiet = !seen;

	while (seen >= 0 && quiet < looks) {
		if (quiet)
			nanosleep(&while_made, NULL);
		seen = attach_threads(pid, follow, true);
		quiet = seen ? 0 : quiet + 1;
	}
	if (seen < 0)
		return -1;
	return follow->tasks.count || may_end ? 0 : explain(pid, ESRCH);
}

/* A process of the cgroup, which may have been there at the last look. */
struct newcomers {
	struct attached *attached;
	struct follow *follow;
	int count;
};

static int attach_newcomer(pid_t pid, void *arg)
{
	struct newcomers *newcomers = arg;
	struct attached *attached = newcomers->attached;

	/* pfmon may be in the cgroup, too. */
	if (pid == getpid())
		return 0;
	for (int i = 0; i < attached->pid_count; i++)
		if (attached->pids[i] == pid)
			return 0;
	if (attached->pid_count == IDLIST_MAX)
		return diag("-G: more than %d processes", IDLIST_MAX);
	attached->pids[attached->pid_count++] = pid;
	newcomers->count++;
	return attach_process(pid, newcomers->follow, true);
}

/*
 * Until a look finds no process that is new: those that are not counted yet make others.
 * Those that are counted do so as well, without end; their children are counted.
 */
static int attach_cgroup(struct attached *attached, struct follow *follow)
{
	struct newcomers newcomers = { attached, follow, 0 };
	int looks = 0;

	do {
		newcomers.count = 0;
		if (cgroup_each_process(&attached->cgroup, attach_newcomer,
					&newcomers))
			return -1;
	} while (newcomers.count && ++looks < LOOKS_MAX);
	return follow->tasks.count ?
		       0 :
		       diag("-G: %s has no processes", attached->cgroup.path);
}

void attach_set_base(struct attached *attached)
{
	if (*attached->cgroup.path)
		attached->cgroup_ns = cgroup_cpu_ns(&attached->cgroup);
	for (int i = 0; i < attached->pid_count; i++)
		attached->cpu_ns[i] = clocks_process(attached->pids[i]);
}

int attach_all(struct attached *attached, struct follow *follow)
{
	if (*attached->cgroup.path)
		return attach_cgroup(attached, follow);
	for (int i = 0; i < attached->pid_count; i++) {
		if (attach_process(attached->pids[i], follow, false))
			return -1;
	}
	for (int i = 0; i < attached->tid_count; i++) {
		int error = attach_thread(attached->tids[i], follow);

		if (error)
			return explain(attached->tids[i], error);
	}
	return 0;
}

uint64_t attach_cpu_ns(const struct attached *attached)
{
	uint64_t sum = 0;

	if (*attached->cgroup.path) {
		sum = cgroup_cpu_ns(&attached->cgroup);
		return sum > attached->cgroup_ns ? sum - attached->cgroup_ns :
						   0;
	}
	for (int i = 0; i < attached->pid_count; i++) {
		uint64_t now = clocks_process(attached->pids[i]);

		if (now > attached->cpu_ns[i])
			sum += now - attached->cpu_ns[i];
	}
	return sum;
}

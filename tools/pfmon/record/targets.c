// SPDX-License-Identifier: GPL-2.0-only
/* Tasks and mappings of a recording, see targets.h. */
#include "record/targets.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static void write_task(struct recording *recording, const struct task *task,
		       enum pfmd_task_kind kind)
{
	const struct pfmd_task about = {
		.time = clock_stamp(&recording->clock),
		.tgid = (uint32_t)task->pid,
		.tid = (uint32_t)task->tid,
		.ptid = kind != PFMD_FORK      ? 0 :
			task->tid == task->pid ? (uint32_t)task->ppid :
						 (uint32_t)task->pid,
		.kind = kind,
	};

	writer_task(&recording->writer, &about, task->comm);
}

/* What the kernel will not tell, because it was before it was asked to. */
static void look_at_first(struct recording *recording, const struct task *task)
{
	write_task(recording, task, PFMD_FORK);
	proc_maps_look(&recording->proc, task->pid);
}

int targets_thread(struct recording *recording, const struct task *task)
{
	if (!recording->by_perf) {
		write_task(recording, task, PFMD_FORK);
		if (task->tid != task->pid)
			return 0;
		proc_maps_forked(&recording->proc, task->pid, task->ppid);
		proc_maps_look(&recording->proc, task->pid);
		return 0;
	}
	/* The event of the thread that made it tells of it. */
	if (recording->running && recording->perf.inherit)
		return 0;
	if (perf_maps_watch(&recording->perf, task->tid))
		return -1;
	look_at_first(recording, task);
	return 0;
}

/* Calls it for each number that is an entry of the directory. */
static void for_each_number(const char *path,
			    void (*look)(pid_t number, void *arg), void *arg)
{
	const struct dirent *entry;
	DIR *dir = opendir(path);

	if (!dir)
		return;
	while ((entry = readdir(dir))) {
		pid_t number = atoi(entry->d_name);

		if (number > 0)
			look(number, arg);
	}
	closedir(dir);
}

static void look_at_thread(pid_t tid, void *arg)
{
	struct task task = { .tid = tid, .pid = tid };

	tasks_describe(&task);
	write_task(arg, &task, PFMD_FORK);
}

static void look_at_process(pid_t pid, void *arg)
{
	struct recording *recording = arg;
	char path[48];

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	for_each_number(path, look_at_thread, recording);
	proc_maps_look(&recording->proc, pid);
}

int targets_everybody(struct recording *recording)
{
	if (recording->by_perf && perf_maps_watch(&recording->perf, -1))
		return -1;
	for_each_number("/proc", look_at_process, recording);
	return 0;
}

void targets_executed(struct recording *recording, const struct task *task)
{
	if (recording->by_perf)
		return;
	write_task(recording, task, PFMD_EXEC);
	proc_maps_forget(&recording->proc, task->pid);
	proc_maps_look(&recording->proc, task->pid);
}

void targets_leaving(struct recording *recording, const struct task *task)
{
	targets_look(recording, task->pid);
}

void targets_gone(struct recording *recording, const struct task *task)
{
	if (recording->by_perf)
		return;
	write_task(recording, task, PFMD_EXIT);
	if (task->tid == task->pid)
		proc_maps_forget(&recording->proc, task->pid);
}

void targets_look(struct recording *recording, pid_t pid)
{
	if (!recording->by_perf)
		proc_maps_look(&recording->proc, pid);
}

static void write_kernel(struct recording *recording, uint64_t from,
			 uint64_t len, const char *name)
{
	const struct pfmd_map map = {
		.addr = from,
		.len = len,
		.tgid = PFMD_KERNEL,
		.prot = PROT_READ | PROT_EXEC,
	};

	writer_map(&recording->writer, &map, name, NULL);
}

static void look_at_modules(struct recording *recording)
{
	FILE *file = fopen("/proc/modules", "re");
	unsigned long long from;
	char line[512], name[80], path[96];
	unsigned int size;

	if (!file)
		return;
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%79s %u %*u %*s %*s 0x%llx", name, &size,
			   &from) != 3 ||
		    !from)
			continue;
		snprintf(path, sizeof(path), "[%s]", name);
		write_kernel(recording, from, size, path);
	}
	fclose(file);
}

/* Addresses are zeros for who may not know them. */
void targets_kernel(struct recording *recording)
{
	unsigned long long address, from = 0, to = 0;
	FILE *file = fopen("/proc/kallsyms", "re");
	char line[512], name[128];

	if (!file)
		return;
	while ((!from || !to) && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%llx %*c %127s", &address, name) != 2)
			continue;
		if (!strcmp(name, "_stext"))
			from = address;
		else if (!strcmp(name, "_etext"))
			to = address;
	}
	fclose(file);
	if (from && to > from) {
		write_kernel(recording, from, to - from, "[kernel]");
		look_at_modules(recording);
	}
}

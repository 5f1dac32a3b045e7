// SPDX-License-Identifier: GPL-2.0-only
/* Following by ptrace, see follow.h. */
#include "engine/follow.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "command/program.h"

static void cont(pid_t tid, long sig)
{
	/* Fails only if the thread was killed meanwhile: a report will come. */
	ptrace(PTRACE_CONT, tid, NULL, sig);
}

static long options_of(const struct follow_rules *rules)
{
	return PTRACE_O_TRACEEXEC | (rules->forks ? PTRACE_O_TRACEFORK : 0) |
	       (rules->vforks ? PTRACE_O_TRACEVFORK : 0) |
	       (rules->threads ? PTRACE_O_TRACECLONE : 0) |
	       (rules->exits ? PTRACE_O_TRACEEXIT : 0);
}

bool follow_needs_stops(const struct follow_rules *rules)
{
	return rules->forks || rules->vforks || rules->threads || rules->only ||
	       rules->except || rules->exits;
}

/* Whose child or thread one is: to reports with names, and to rules of programs. */
static bool parents_matter(const struct follow *follow)
{
	return !follow->nameless || follow->rules->only ||
	       follow->rules->except;
}

static void begin(struct follow *follow, struct task *task)
{
	if (!task->left)
		follow->ops->begin(task, follow->arg);
}

static void end(struct follow *follow, struct task *task)
{
	if (task->session >= 0)
		follow->ops->end(task, follow->arg);
	task->session = -1;
}

int follow_command(struct follow *follow, pid_t pid)
{
	struct task *task = tasks_add(&follow->tasks, pid);

	if (!task)
		return -1;
	follow->command = pid;
	task->left = !program_wanted(follow->rules, pid);
	follow->left_out += task->left;
	tasks_describe(task);
	begin(follow, task);
	if (task->session < 0 && !task->left)
		return -1;
	if (follow_needs_stops(follow->rules)) {
		/* Who was born before is not followed. */
		ptrace(PTRACE_SETOPTIONS, pid, NULL, options_of(follow->rules));
		cont(pid, 0);
		return 0;
	}
	task->untraced = true;
	ptrace(PTRACE_DETACH, pid, NULL, NULL);
	return 0;
}

int follow_adopt(struct follow *follow, pid_t pid)
{
	struct task *task = tasks_add(&follow->tasks, pid);

	if (!task)
		return -1;
	follow->command = pid;
	task->untraced = true;
	ptrace(PTRACE_DETACH, pid, NULL, NULL);
	return 0;
}

struct task *follow_launched(struct follow *follow, pid_t pid)
{
	struct task *task = tasks_add(&follow->tasks, pid);

	if (!task)
		return NULL;
	follow->command = pid;
	task->untraced = true;
	tasks_describe(task);
	return task;
}

void follow_describe(const struct follow *follow)
{
	struct task *task = tasks_find(&follow->tasks, follow->command);

	if (task && task->session >= 0)
		tasks_describe(task);
}

void follow_describe_all(struct follow *follow)
{
	for (int i = 0; i < follow->tasks.count; i++) {
		struct task *task = &follow->tasks.list[i];

		if (!task->described)
			tasks_describe(task);
	}
}

/* Nobody has stopped the thread. Returns 0, or why it is not counted. */
static int begin_running(struct follow *follow, struct task *task)
{
	task->running = true;
	tasks_describe(task);
	begin(follow, task);
	task->running = false;
	return task->error;
}

static void end_running(struct follow *follow, struct task *task)
{
	task->running = true;
	end(follow, task);
	task->running = false;
}

int follow_watch(struct follow *follow, pid_t tid)
{
	struct task *task = tasks_find(&follow->tasks, tid);
	int error;

	if (task)
		return 0;
	task = tasks_add(&follow->tasks, tid);
	if (!task)
		return ENOMEM;
	follow->watches = task->untraced = task->watched = true;
	error = begin_running(follow, task);
	if (error)
		tasks_remove(&follow->tasks, task);
	else
		/* Of one that is not counted nobody tells it, and it is no matter. */
		task->watched = task->session >= 0;
	return error;
}

void follow_look(struct follow *follow)
{
	for (int i = follow->tasks.count - 1; i >= 0; i--) {
		struct task *task = &follow->tasks.list[i];

		if (!task->watched || task->session < 0 ||
		    !follow->ops->has_ended(task, follow->arg))
			continue;
		task->dead = true;
		end(follow, task);
		tasks_remove(&follow->tasks, task);
	}
}

int follow_seize(struct follow *follow, pid_t tid)
{
	long options = options_of(follow->rules);
	struct task *task;

	if (tasks_find(&follow->tasks, tid))
		return 0;
	if (ptrace(PTRACE_SEIZE, tid, NULL, options))
		return errno;
	task = tasks_add(&follow->tasks, tid);
	if (!task) {
		ptrace(PTRACE_DETACH, tid, NULL, NULL);
		return ENOMEM;
	}
	if (follow->remote && !begin_running(follow, task))
		return 0;
	task->expected = true;
	ptrace(PTRACE_INTERRUPT, tid, NULL, NULL);
	return 0;
}

/*
 * What is told of a thread that was born is known by its parent, but for a name that
 * the latter has taken since. /proc, which is asked otherwise, costs more than all the
 * rest of following it.
 */
static void take_after(struct task *task, const struct task *parent, int event)
{
	const bool thread = event == PTRACE_EVENT_CLONE &&
			    !tgkill(parent->pid, task->tid, 0);

	task->pid = thread ? parent->pid : task->tid;
	task->ppid = thread ? parent->ppid : parent->pid;
	memcpy(task->comm, parent->comm, sizeof(task->comm));
	task->described = true;
}

/*
 * A thread that was born: its report and that of its parent come in any order. Till it
 * stops, which without a CPU may be long after its parent has ended, nothing else
 * tells that somebody is there to be waited for.
 */
static void announce(struct follow *follow, pid_t parent, int event)
{
	unsigned long message = 0;
	struct task *task;
	pid_t tid;

	if (ptrace(PTRACE_GETEVENTMSG, parent, NULL, &message))
		return;
	tid = (pid_t)message;
	task = tasks_find(&follow->tasks, tid);
	if (task) {
		task->unannounced = false;
		if (task->gone)
			tasks_remove(&follow->tasks, task);
		return;
	}
	task = tasks_add(&follow->tasks, tid);
	if (!task)
		return;
	task->expected = true;
	if (follow->nameless && parents_matter(follow) &&
	    tasks_find(&follow->tasks, parent))
		take_after(task, tasks_find(&follow->tasks, parent), event);
}

/* A child of a process that is not counted is not, until it executes another. */
static bool parent_left(const struct follow *follow, const struct task *child)
{
	pid_t parent = child->pid == child->tid ? child->ppid : child->pid;
	const struct task *task = tasks_find(&follow->tasks, parent);

	return task && task->left;
}

static void release(struct follow *follow, struct task *task, long sig)
{
	end(follow, task);
	ptrace(PTRACE_DETACH, task->tid, NULL, sig);
	if (task->tid == follow->command || task->unannounced)
		task->untraced = true;
	else
		tasks_remove(&follow->tasks, task);
}

static void first_stop(struct follow *follow, struct task *task)
{
	task->expected = false;
	if (parents_matter(follow)) {
		if (!task->described)
			tasks_describe(task);
		task->left = parent_left(follow, task);
	}
	begin(follow, task);
}

/*
 * The thread that executes becomes the leader of its process, whose other
 * threads have ended; the old leader has without a report.
 */
static struct task *take_over(struct follow *follow, struct task *leader,
			      pid_t pid)
{
	unsigned long message = 0;
	struct task *task;

	if (ptrace(PTRACE_GETEVENTMSG, pid, NULL, &message) ||
	    (pid_t)message == pid)
		return leader;
	task = tasks_find(&follow->tasks, (pid_t)message);
	if (!task)
		return leader;
	if (leader) {
		end(follow, leader);
		tasks_rename(&follow->tasks, leader, 0);
	}
	tasks_rename(&follow->tasks, task, pid);
	task->pid = pid;
	leader = tasks_find(&follow->tasks, 0);
	if (leader)
		tasks_remove(&follow->tasks, leader);
	return tasks_find(&follow->tasks, pid);
}

/*
 * In the exec stop: the next program is in place.  It may be the first stop of a
 * thread that was seized in its execve().
 */
static void executed(struct follow *follow, struct task *task)
{
	task->expected = false;
	task->left = !program_wanted(follow->rules, task->pid);
	if (task->left) {
		end(follow, task);
		follow->left_out++;
		return;
	}
	tasks_describe(task);
	if (task->session < 0) {
		begin(follow, task);
		return;
	}
	if (follow->ops->executed)
		follow->ops->executed(task, follow->arg);
}

static void event_stop(struct follow *follow, struct task *task, int sig)
{
	if (task->expected)
		first_stop(follow, task);
	if (follow->releasing) {
		release(follow, task, 0);
		return;
	}
	/* Stopped by a signal it stays so, until it is continued. */
	if (sig == SIGTRAP)
		cont(task->tid, 0);
	else
		ptrace(PTRACE_LISTEN, task->tid, NULL, NULL);
}

static void stopped(struct follow *follow, struct task *task, int status)
{
	long sig = 0;

	switch (status >> 16) {
	case PTRACE_EVENT_STOP:
		event_stop(follow, task, WSTOPSIG(status));
		return;
	case PTRACE_EVENT_EXEC:
		executed(follow, task);
		break;
	case PTRACE_EVENT_EXIT:
		if (task->session >= 0 && follow->ops->leaving)
			follow->ops->leaving(task, follow->arg);
		break;
	case 0:
		sig = WSTOPSIG(status);
		break;
	}
	if (follow->releasing)
		release(follow, task, sig);
	else
		cont(task->tid, sig);
}

/* Whether others count on in its session, which tells their end. */
static bool has_heirs(const struct follow *follow, const struct task *task)
{
	return follow->awaits_heirs && task->session >= 0 &&
	       !follow->ops->has_ended(task, follow->arg);
}

static void ended(struct follow *follow, struct task *task, int status,
		  const struct rusage *usage)
{
	if (task->tid == follow->command) {
		follow->command_ended = true;
		follow->wait_status = status;
		follow->usage = *usage;
	}
	if (has_heirs(follow, task)) {
		follow->watches = task->watched = true;
		return;
	}
	task->dead = true;
	end(follow, task);
	/* Its zombie may be there for long: nobody can ask whether it was. */
	if (task->unannounced)
		task->gone = true;
	else
		tasks_remove(&follow->tasks, task);
}

/* The thread whose first stop is the first that is heard of it. */
static struct task *unannounced(struct follow *follow, pid_t tid)
{
	struct task *task = tasks_add(&follow->tasks, tid);

	if (!task)
		return NULL;
	task->expected = true;
	task->unannounced = true;
	return task;
}

void follow_event(struct follow *follow, pid_t tid, int status,
		  const struct rusage *usage)
{
	struct task *task = tasks_find(&follow->tasks, tid);
	int event = status >> 16;

	if (!WIFSTOPPED(status)) {
		if (task)
			ended(follow, task, status, usage);
		return;
	}
	if (event == PTRACE_EVENT_FORK || event == PTRACE_EVENT_VFORK ||
	    event == PTRACE_EVENT_CLONE) {
		announce(follow, tid, event);
		/* The list may have moved. */
		task = tasks_find(&follow->tasks, tid);
	} else if (event == PTRACE_EVENT_EXEC) {
		task = take_over(follow, task, tid);
	}
	/* The number of one that has gone may be given again. */
	if (task && task->gone) {
		tasks_remove(&follow->tasks, task);
		task = NULL;
	}
	if (!task)
		task = unannounced(follow, tid);
	if (task)
		stopped(follow, task, status);
	else
		ptrace(PTRACE_DETACH, tid, NULL, NULL);
}

bool follow_traced(const struct follow *follow)
{
	const struct tasks *tasks = &follow->tasks;

	for (int i = 0; i < tasks->count; i++)
		if (!tasks->list[i].untraced && !tasks->list[i].gone)
			return true;
	return false;
}

int follow_watched(const struct follow *follow)
{
	int watched = 0;

	for (int i = 0; follow->watches && i < follow->tasks.count; i++)
		watched += follow->tasks.list[i].watched;
	return watched;
}

/* Nobody traces them: they are read where they are. */
static void release_running(struct follow *follow)
{
	for (int i = follow->tasks.count - 1; i >= 0; i--) {
		struct task *task = &follow->tasks.list[i];

		if (!task->untraced || task->gone)
			continue;
		if (task->session >= 0 && !follow->ops->stop(task, follow->arg))
			continue;
		end_running(follow, task);
		if (task->watched)
			tasks_remove(&follow->tasks, task);
	}
}

/* What cannot be stopped again is told by the failure to read it. */
static void seize_again(struct follow *follow, struct task *task)
{
	if (!ptrace(PTRACE_SEIZE, task->tid, NULL, 0))
		task->untraced = false;
	else if (follow->remote)
		end_running(follow, task);
}

void follow_release(struct follow *follow)
{
	follow->releasing = true;
	if (follow->remote)
		release_running(follow);
	for (int i = 0; i < follow->tasks.count; i++) {
		struct task *task = &follow->tasks.list[i];

		if (task->untraced && task->session >= 0)
			seize_again(follow, task);
		if (!task->untraced && !task->gone)
			ptrace(PTRACE_INTERRUPT, task->tid, NULL, NULL);
	}
}

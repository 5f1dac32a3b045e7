// SPDX-License-Identifier: GPL-2.0-only
/*
 * Starting a command that nobody traces, see launch.h.
 *
 * The child attaches the session to itself and tells the kernel to start it at the
 * end of its execve(). What it has to tell goes through a pipe that execve()
 * closes: when the last word is that it was ready, the program is in place.
 */
#include <errno.h>
#include <perfmon/perfmon.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "diag.h"
#include "engine/clocks.h"
#include "command/launch.h"
#include "command/launch_child.h"
#include "command/refusal.h"

enum step {
	STEP_ATTACH,
	STEP_START,
	STEP_READY, /* for execve(), which has not failed yet */
	STEP_EXEC,
};

struct word {
	enum step step;
	int error;
	struct launch_used used; /* by the child so far */
};

static struct launch_used used_so_far(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (struct launch_used){
		.at = clocks_now(),
		.ns = clocks_process(getpid()),
		.switches = clocks_switches(&usage),
		.faults = clocks_faults(&usage),
		.major_faults = (uint64_t)usage.ru_majflt,
	};
}

/* Without its word the parent sees that nothing was executed all the same. */
static void say(int pipe, enum step step, int error)
{
	struct word word = { step, error, used_so_far() };

	if (write(pipe, &word, sizeof(word)) < 0)
		_exit(STATUS_FAILED);
}

static void become_command(const struct launch *launch, int session,
			   const struct launch_pipes *pipes)
{
	int pipe = pipes->error[1];
	char go;

	launch_prepare_child(launch);
	close(pipes->go[1]);
	if (read(pipes->go[0], &go, 1) != 1)
		_exit(STATUS_FAILED);
	if (pfm_attach_session(session, 0, getpid())) {
		say(pipe, STEP_ATTACH, errno);
		_exit(STATUS_FAILED);
	}
	if (!launch->idle && pfm_start_session(session, PFM_STFL_AT_EXEC)) {
		say(pipe, STEP_START, errno);
		_exit(STATUS_FAILED);
	}
	say(pipe, STEP_READY, 0);
	execvp(launch->argv[0], launch->argv);
	say(pipe, STEP_EXEC, errno);
	_exit(STATUS_FAILED);
}

/* Why the child, which is gone, executed nothing. What launch_self() returns. */
static int explain(const char *command, const struct word *word)
{
	if (word->step == STEP_EXEC)
		return launch_explain_exec(command, word->error);
	if (word->step == STEP_START && word->error == EINVAL)
		return LAUNCH_NOT_HERE;
	if (word->step == STEP_START)
		diag("cannot start counting: %s", strerror(word->error));
	else
		refusal_of_command(word->error);
	return STATUS_FAILED;
}

/* Up to the end of the pipe. Returns what launch_self() does. */
static int hear_child(const char *command, pid_t pid, int pipe,
		      struct launch_used *used)
{
	struct word word = { .step = STEP_ATTACH }, next;
	bool heard = false;
	int status;

	while (read(pipe, &next, sizeof(next)) == sizeof(next)) {
		word = next;
		heard = true;
	}
	*used = word.used;
	if (heard && word.step == STEP_READY)
		return 0;
	if (launch_wait(pid, &status))
		return STATUS_FAILED;
	if (heard)
		return explain(command, &word);
	return launch_explain_death(command, status);
}

int launch_self(const struct launch *launch, int session, pid_t *pid,
		struct launch_used *used)
{
	struct launch_pipes pipes;
	int ret;

	if (launch_make_pipes(&pipes))
		return STATUS_FAILED;
	*pid = fork();
	if (!*pid)
		become_command(launch, session, &pipes);
	close(pipes.error[1]);
	if (*pid < 0) {
		diag("cannot make a process: %s", strerror(errno));
		ret = STATUS_FAILED;
	} else {
		if (launch->forked)
			launch->forked(*pid, launch->arg);
		/* A child that has died already says nothing. */
		if (write(pipes.go[1], "", 1) < 0 && errno != EPIPE)
			diag("cannot write to a pipe: %s", strerror(errno));
		ret = hear_child(launch->argv[0], *pid, pipes.error[0], used);
	}
	close(pipes.error[0]);
	close(pipes.go[0]);
	close(pipes.go[1]);
	return ret;
}

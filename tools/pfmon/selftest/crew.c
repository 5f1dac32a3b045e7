// SPDX-License-Identifier: GPL-2.0-only
/* Processes that measure themselves, see crew.h. */
#include "crew.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct crew *crew_new(void)
{
	struct crew *crew = mmap(NULL, sizeof(*crew), PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return crew == MAP_FAILED ? NULL : crew;
}

void crew_free(struct crew *crew)
{
	munmap(crew, sizeof(*crew));
}

static void be_member(struct crew *crew, struct member *member,
		      void (*work)(struct member *, void *), void *arg)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	__sync_fetch_and_add(&crew->ready, 1);
	while (!crew->go)
		sched_yield();
	work(member, arg);
	member->done = true;
	_exit(0);
}

int crew_add(struct crew *crew, void (*work)(struct member *member, void *arg),
	     void *arg)
{
	struct member *member = &crew->members[crew->size];
	pid_t pid;

	if (crew->size == CREW_MAX)
		return -1;
	pid = fork();
	if (pid < 0)
		return -1;
	if (!pid)
		be_member(crew, member, work, arg);
	member->pid = pid;
	crew->size++;
	return 0;
}

/* The crew must not wait for a member that was killed. */
static bool one_has_ended(void)
{
	siginfo_t info = { .si_pid = 0 };

	return !waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) &&
	       info.si_pid;
}

void crew_run(struct crew *crew)
{
	int status;

	while (crew->ready < crew->size && !one_has_ended())
		sched_yield();
	crew->go = 1;
	for (int i = 0; i < crew->size; i++) {
		struct member *member = &crew->members[i];

		while (waitpid(member->pid, &status, 0) < 0 && errno == EINTR)
			;
		if (!member->done && !member->error)
			member->error = EINTR;
	}
}

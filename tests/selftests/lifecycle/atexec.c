// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sessions that start when their target executes a program (PFM_STFL_AT_EXEC): what
 * a tool needs to count a command from its first instruction on, without ptrace.
 */
#include <errno.h>

#include "child.h"
#include "lifetime_fixture.h"
#include "loop.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"
#include "program_copy.h"
#include "sessions.h"
#include "unprivileged.h"

/* The argument with which this program runs itself. */
#define RUN_LOOP "--run-loop"

/* No library of its own: tests/tools/crowd.c. */
#define KNOWN_PROGRAM "/tests/tools/crowd"

/* A copy of this program for everybody. */
#define COPY "/tmp/atexec-copy"

/* Before the exec: more than the new program has. */
#define BEFORE (10 * (LOOP + LIBC))

/* What the child does between its start and its exec. */
enum before_exec {
	JUST_EXEC,
	FAIL_FIRST,
	STOP_FIRST,
	START_FIRST,
	ATTACH_ANEW,
};

struct launch {
	int fd;
	const char *program;
	enum before_exec before;
	const char *args[2];
};

static int launch_failing(int fd)
{
	uint64_t value;

	execl("/does/not/exist", "nothing", NULL);
	/* It still waits. */
	counted_loop(LOOP);
	return read_pmd(fd, pmu_first()->pmd, &value) || value ? 11 : 0;
}

/* Attaches the session of its parent to itself, and becomes the program. */
static int launch(void *arg)
{
	const struct launch *l = arg;

	if (attach_self(l->fd) || pfm_start_session(l->fd, PFM_STFL_AT_EXEC))
		return 10;
	if (l->before == FAIL_FIRST && launch_failing(l->fd))
		return 11;
	if (l->before == STOP_FIRST && pfm_stop_session(l->fd, 0))
		return 12;
	if (l->before == START_FIRST && pfm_start_session(l->fd, 0))
		return 13;
	if (l->before == ATTACH_ANEW &&
	    (pfm_detach_session(l->fd, 0) || attach_self(l->fd)))
		return 14;
	counted_loop(BEFORE);
	execl(l->program, "atexec", l->args[0], l->args[1], NULL);
	return 127;
}

static void expect_program(struct __test_metadata *_metadata, int fd,
			   enum before_exec before, uint64_t least,
			   uint64_t most)
{
	struct launch l = { fd, "/proc/self/exe", before, { RUN_LOOP } };
	uint64_t value;

	EXPECT_EQ(0, child_wait(child_start(launch, &l)));
	ASSERT_EQ(0, read_pmd(fd, pmu_first()->pmd, &value));
	EXPECT_LE(least, value);
	EXPECT_GE(most, value);
}

TEST_F(session, counting_begins_with_the_new_program)
{
	NEEDS_COUNTERS();
	expect_program(_metadata, self->fd, JUST_EXEC, LOOP, LOOP + LIBC);
	EXPECT_EQ(self->attached_before, sessions_attached());
}

TEST_F(session, an_exec_that_fails_leaves_it_waiting)
{
	NEEDS_COUNTERS();
	expect_program(_metadata, self->fd, FAIL_FIRST, LOOP, LOOP + LIBC);
}

TEST_F(session, a_stop_cancels_it)
{
	NEEDS_COUNTERS();
	expect_program(_metadata, self->fd, STOP_FIRST, 0, 0);
}

TEST_F(session, a_start_does_not_wait)
{
	NEEDS_COUNTERS();
	expect_program(_metadata, self->fd, START_FIRST, BEFORE + LOOP,
		       BEFORE + LOOP + LIBC);
}

/* What a program without a C library counts, whose loop has so many turns. */
static uint64_t known_program(struct __test_metadata *_metadata, int fd,
			      const char *turns)
{
	struct launch l = { fd, KNOWN_PROGRAM, JUST_EXEC, { "loop", turns } };
	uint64_t value = 0;

	EXPECT_EQ(0, write_pmd(fd, pmu_first()->pmd, 0));
	EXPECT_EQ(0, child_wait(child_start(launch, &l)));
	EXPECT_EQ(0, read_pmd(fd, pmu_first()->pmd, &value));
	return value;
}

TEST_F(session, the_count_is_that_of_the_program_and_nothing_else)
{
	uint64_t first, second, more;

	NEEDS_COUNTERS();
	first = known_program(_metadata, self->fd, "500000");
	second = known_program(_metadata, self->fd, "500000");
	more = known_program(_metadata, self->fd, "600000");
	EXPECT_EQ(first, second);
	EXPECT_EQ(first + 2 * 100000, more);
}

static int exec_when_told(void *arg)
{
	const int *go = arg;
	char byte;

	if (read(go[0], &byte, 1) != 1)
		return 1;
	counted_loop(BEFORE);
	execl("/proc/self/exe", "atexec", RUN_LOOP, NULL);
	return 127;
}

TEST_F(session, a_running_thread_can_be_told_so)
{
	uint64_t value;
	pid_t pid;
	int go[2];

	NEEDS_COUNTERS();
	ASSERT_EQ(0, pipe(go));
	pid = child_start(exec_when_told, go);
	ASSERT_LT(0, pid);
	ASSERT_EQ(0, pfm_attach_session(self->fd, PFM_ATFL_RUNNING, pid));
	EXPECT_EQ(ESRCH, ERRNO(pfm_start_session(self->fd, PFM_STFL_AT_EXEC)));
	ASSERT_EQ(0, ERRNO(pfm_start_session(
			     self->fd, PFM_STFL_AT_EXEC | PFM_STFL_RUNNING)));
	ASSERT_EQ(1, write(go[1], "", 1));
	EXPECT_EQ(0, child_wait(pid));
	ASSERT_EQ(0, read_pmd(self->fd, self->pmd, &value));
	EXPECT_LE(LOOP, value);
	EXPECT_GE(LOOP + LIBC, value);
}

TEST_F(session, a_new_attachment_has_forgotten_it)
{
	NEEDS_COUNTERS();
	expect_program(_metadata, self->fd, ATTACH_ANEW, 0, 0);
}

TEST(it_is_for_attached_sessions_of_threads)
{
	int thread = pmu_session(0), cpu = pmu_cpu_session();

	EXPECT_EQ(EINVAL, ERRNO(pfm_start_session(thread, PFM_STFL_AT_EXEC)));
	ASSERT_EQ(0, pfm_attach_session(cpu, 0, 0));
	EXPECT_EQ(EINVAL, ERRNO(pfm_start_session(cpu, PFM_STFL_AT_EXEC)));
	EXPECT_EQ(EINVAL, ERRNO(pfm_start_session(
				  cpu, PFM_STFL_AT_EXEC | PFM_STFL_RESTART)));
	EXPECT_EQ(EINVAL, ERRNO(pfm_stop_session(cpu, PFM_STFL_AT_EXEC)));
	EXPECT_EQ(EBADF, ERRNO(pfm_start_session(-1, PFM_STFL_AT_EXEC)));
	close(thread);
	close(cpu);
}

static int left(int fd)
{
	struct pfarg_setinfo info = { .set_id = 0 };

	return pfm_getinfo_sets(fd, PFM_GIFL_LOSS, &info, 1) ?
		       -1 :
		       (int)info.set_reserved3[PFM_LOSS_LEFT];
}

/* Bits: 1 counted, 2 left, 4 something failed. */
static int launch_copy(void *arg)
{
	struct launch l = { pmu_session(0), COPY, JUST_EXEC, { RUN_LOOP } };
	uint64_t value;

	(void)arg;
	if (child_wait(child_start(launch, &l)) ||
	    read_pmd(l.fd, pmu_first()->pmd, &value) || left(l.fd) < 0)
		return 4;
	return (value ? 1 : 0) | (left(l.fd) == 1 ? 2 : 0);
}

TEST(a_program_with_more_rights_is_not_counted_and_the_session_tells)
{
	NEEDS_COUNTERS();
	ASSERT_EQ(0, program_copy(COPY, 0755));
	EXPECT_EQ(1, unprivileged(NO_GROUP, launch_copy, NULL));
	ASSERT_EQ(0, program_copy(COPY, 04755));
	EXPECT_EQ(2, unprivileged(NO_GROUP, launch_copy, NULL));
	unlink(COPY);
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], RUN_LOOP)) {
		counted_loop(LOOP);
		return 0;
	}
	return test_harness_run(argc, argv);
}

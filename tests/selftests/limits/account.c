// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who pays for the memory of sessions: buffers, event sets and attributes are
 * locked memory of the user who created the session, whatever becomes of his
 * processes and of the descriptor.
 *
 * Nothing shows how much a user has locked. How many sets of one size a session
 * may still have tells it: that many fit below the limit.
 */
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "attr.h"
#include "child.h"
#include "default_format.h"
#include "event_set.h"
#include "machine.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "unprivileged.h"

/* Of locked memory: for many sets, but not for as many as a session may have. */
#define LIMIT 65536ULL
#define MAX_SETS 1023

/* Two of them are more than the limit. */
#define BUFFER (LIMIT * 3 / 4)

#define SOMEBODY_ELSE 1001

#define SESSIONS 10000

/* Argument with which this program runs itself, at most so many times. */
#define HOARD "--hoard"
#define MAX_HOARD 8

static int limit_memlock(uint64_t bytes)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_MEMLOCK, &limit))
		return -1;
	limit.rlim_cur = bytes;
	return setrlimit(RLIMIT_MEMLOCK, &limit);
}

/* Another user without privileges for a while; become(0) ends it. */
static int become(uid_t uid)
{
	return setresuid(uid, uid, 0);
}

/* Makes sets with the numbers 1, 2, ... as long as there is memory for them. */
static unsigned int fill_with_sets(int fd)
{
	unsigned int n = 0;

	while (!set_make(fd, n + 1, 0, 0))
		n++;
	return errno == ENOMEM ? n : 0;
}

/* What the calling user may still lock, in sets. */
static unsigned int room(void)
{
	int fd = pfm_create_session(0);
	unsigned int n = fill_with_sets(fd);

	close(fd);
	return n;
}

/* Attributes that say something: others need no memory. */
static const struct pfarg_pmd_attr attributes = { .reg_smpl_eventid = 1 };

/* PMD number @i of those that each set has. */
static uint16_t nth_pmd(int fd, unsigned int i)
{
	struct pfarg_setinfo info;
	unsigned int num;

	if (set_info(fd, 0, &info))
		return UINT16_MAX;
	for (num = 0; num < PFM_MAX_PMDS; num++)
		if (info.set_avail_pmds[num / 64] >> num % 64 & 1 && !i--)
			return num;
	return UINT16_MAX;
}

/* PMD number @i of the session, going through the sets. */
static struct pfarg_pmr nth_element(int fd, unsigned int i)
{
	unsigned int pmds = dfl_pmds();

	return (struct pfarg_pmr){ .reg_set = i / pmds,
				   .reg_num = nth_pmd(fd, i % pmds),
				   .reg_value = 1 };
}

static int write_elements(int fd, struct pfarg_pmr *pmrs, unsigned int n)
{
	struct pfarg_pmd_attr attrs[32];
	unsigned int i;

	for (i = 0; i < n; i++)
		attrs[i] = attributes;
	return pfm_write_pmrs(fd, PFM_RWFL_PMD | PFM_RWFL_PMD_ATTR, pmrs,
			      (int)n, attrs);
}

/* Writes attributes as long as there is memory for them; returns how many. */
static unsigned int fill_with_attributes(int fd)
{
	struct pfarg_pmr pmr;
	unsigned int n = 0;

	do {
		pmr = nth_element(fd, n++);
	} while (!write_elements(fd, &pmr, 1));
	return errno == ENOMEM ? n - 1 : 0;
}

/* A user who may lock little, and how many sets that is. */
FIXTURE(user)
{
	unsigned int room;
};

FIXTURE_SETUP(user)
{
	ASSERT_EQ(0, limit_memlock(LIMIT));
	ASSERT_EQ(0, become(NOBODY));
	self->room = room();
	ASSERT_LT(0, self->room);
}

FIXTURE_TEARDOWN(user)
{
}

TEST_F(user, sets_of_all_sessions_share_the_limit)
{
	int first = pfm_create_session(0);
	int second = pfm_create_session(0);

	EXPECT_GT(MAX_SETS, self->room);
	ASSERT_EQ(self->room, fill_with_sets(first));
	EXPECT_EQ(ENOMEM, ERRNO(set_make(second, 1, 0, 0)));
	/* It has not been made, and those that exist can still be changed. */
	EXPECT_EQ(EINVAL, ERRNO(set_delete(second, 1)));
	EXPECT_EQ(0, ERRNO(set_make(first, 1, PFM_SETFL_OVFL_SWITCH, 0)));
	close(first);
	EXPECT_EQ(self->room, fill_with_sets(second));
}

TEST_F(user, a_deleted_set_makes_room_for_one)
{
	int fd = pfm_create_session(0);
	unsigned int i;

	ASSERT_EQ(self->room, fill_with_sets(fd));
	for (i = 1; i <= self->room; i++) {
		ASSERT_EQ(0, ERRNO(set_delete(fd, i)));
		ASSERT_EQ(0, ERRNO(set_make(fd, 2000, 0, 0)));
		ASSERT_EQ(ENOMEM, ERRNO(set_make(fd, i, 0, 0)));
		ASSERT_EQ(0, ERRNO(set_delete(fd, 2000)));
		ASSERT_EQ(0, ERRNO(set_make(fd, i, 0, 0)));
	}
}

TEST_F(user, attributes_count_and_go_with_their_set)
{
	int fd = pfm_create_session(0);
	unsigned int sets = self->room / 2, n, i;

	for (i = 1; i <= sets; i++)
		ASSERT_EQ(0, ERRNO(set_make(fd, i, 0, 0)));
	n = fill_with_attributes(fd);
	/* Those of half of the sets may all fit; the other half does it then. */
	if (n < (sets + 1) * dfl_pmds())
		EXPECT_GT(self->room - sets, room());
	for (i = 1; i <= sets; i++)
		ASSERT_EQ(0, ERRNO(set_delete(fd, i)));
	/* What set 0 has keeps its attributes. */
	EXPECT_GE(self->room, room());
	close(fd);
	EXPECT_EQ(self->room, room());
}

/* At the attach, each set gets memory for what members of the family leave behind. */
TEST_F(user, sets_of_a_family_go_with_all_that_they_have)
{
	int fd = pfm_create_session(PFM_FL_INHERIT);
	unsigned int round, left = 0;

	for (round = 0; round < 3; round++) {
		ASSERT_EQ(0, ERRNO(set_make(fd, 1, 0, 0)));
		ASSERT_EQ(0, ERRNO(attach_self(fd)));
		ASSERT_EQ(0, ERRNO(pfm_detach_session(fd, 0)));
		EXPECT_GT(self->room, room());
		ASSERT_EQ(0, ERRNO(set_delete(fd, 1)));
		if (round)
			EXPECT_EQ(left, room());
		left = room();
	}
	close(fd);
	EXPECT_EQ(self->room, room());
}

/*
 * A session in which one more set fits exactly, but not one more and an
 * attribute.
 */
FIXTURE(almost_full)
{
	int fd;
	unsigned int sets;
	unsigned int attrs;
};

FIXTURE_SETUP(almost_full)
{
	ASSERT_EQ(0, limit_memlock(LIMIT));
	ASSERT_EQ(0, become(NOBODY));
	self->fd = pfm_create_session(0);
	self->sets = fill_with_sets(self->fd);
	ASSERT_LT(0, self->sets);
	self->attrs = fill_with_attributes(self->fd);
	ASSERT_GT(self->sets * dfl_pmds(), self->attrs);
	ASSERT_EQ(0, set_delete(self->fd, self->sets));
}

FIXTURE_TEARDOWN(almost_full)
{
	/* The set that had to fit. */
	EXPECT_EQ(0, ERRNO(set_make(self->fd, self->sets, 0, 0)));
	EXPECT_EQ(ENOMEM, ERRNO(set_make(self->fd, self->sets + 1, 0, 0)));
	close(self->fd);
}

TEST_F(almost_full, a_vector_over_the_limit_changes_nothing)
{
	struct pfarg_pmr pmrs[20], first;
	struct pfarg_pmd_attr attr = attributes;
	unsigned int i, last = self->sets - 1;

	/* The room of a set might do for all of them: the last set uses some. */
	for (i = 0; i < dfl_pmds(); i++) {
		first = nth_element(self->fd, last * dfl_pmds() + i);
		ASSERT_EQ(0, ERRNO(write_elements(self->fd, &first, 1)));
	}
	for (i = 0; i < ARRAY_SIZE(pmrs); i++)
		pmrs[i] = nth_element(self->fd, self->attrs + i);
	EXPECT_EQ(ENOMEM,
		  ERRNO(write_elements(self->fd, pmrs, ARRAY_SIZE(pmrs))));
	first = pmrs[0];
	EXPECT_EQ(EINVAL, ERRNO(pfm_read_pmrs(self->fd,
					      PFM_RWFL_PMD | PFM_RWFL_PMD_ATTR,
					      &first, 1, &attr)));
	EXPECT_EQ(0, ERRNO(set_delete(self->fd, (uint16_t)last)));
	EXPECT_EQ(0, ERRNO(set_make(self->fd, (uint16_t)last, 0, 0)));
}

TEST_F(almost_full, elements_after_a_bad_one_cost_nothing)
{
	struct pfarg_pmr pmrs[3];

	pmrs[0] = nth_element(self->fd, self->attrs);
	pmrs[0].reg_flags = ~0U;
	pmrs[1] = nth_element(self->fd, self->attrs);
	pmrs[2] = nth_element(self->fd, self->attrs + 1);
	EXPECT_EQ(EINVAL, ERRNO(write_elements(self->fd, pmrs, 3)));
}

TEST_F(almost_full, attributes_that_are_written_again_cost_nothing)
{
	struct pfarg_pmr pmr = nth_element(self->fd, 0);

	if (!self->attrs)
		SKIP(return, "no room was left for an attribute");
	EXPECT_EQ(0, ERRNO(write_elements(self->fd, &pmr, 1)));
}

/* A user who may lock nothing at all. */
FIXTURE(pauper)
{
	int fd;
};

FIXTURE_SETUP(pauper)
{
	const struct rlimit files = { SESSIONS + 100, SESSIONS + 100 };

	ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &files));
	ASSERT_EQ(0, limit_memlock(0));
	ASSERT_EQ(0, become(NOBODY));
	self->fd = pfm_create_session(0);
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(pauper)
{
}

/* A kernel that looks at itself takes as long as 30 s to make them. */
TEST_F_TIMEOUT(pauper, sessions_are_free, 240)
{
	long i, n = repetitions(SESSIONS), made = 0;

	for (i = 1; i < n; i++)
		made += pfm_create_session(0) >= 0;
	EXPECT_EQ(n - 1, made);
}

TEST_F(pauper, everything_else_is_not)
{
	struct pfarg_pmr pmr = nth_element(self->fd, 0);
	uint64_t value;

	EXPECT_EQ(ENOMEM, ERRNO(dfl_create(0, BUFFER)));
	EXPECT_EQ(ENOMEM, ERRNO(set_make(self->fd, 1, 0, 0)));
	EXPECT_EQ(ENOMEM, ERRNO(write_elements(self->fd, &pmr, 1)));
	/* The register has not been written either. */
	EXPECT_EQ(EINVAL, ERRNO(read_pmd(self->fd, pmr.reg_num, &value)));
}

TEST_F(pauper, attributes_that_say_nothing_are_free)
{
	const struct pfarg_pmd_attr nothing = { .reg_long_reset = 0 };
	struct pfarg_pmr pmr = nth_element(self->fd, 0);
	struct pfarg_pmd_attr attr = attributes;
	uint64_t value;

	EXPECT_EQ(0,
		  ERRNO(write_pmd_attr(self->fd, pmr.reg_num, 0, 5, &nothing)));
	EXPECT_EQ(0,
		  ERRNO(read_pmd_attr(self->fd, pmr.reg_num, &value, &attr)));
	EXPECT_EQ(0, attr.reg_smpl_eventid);
	EXPECT_EQ(5, attr.reg_last_value);
}

TEST_F(user, the_limit_is_that_of_the_creation)
{
	int rich = pfm_create_session(0), poor;

	ASSERT_EQ(0, limit_memlock(0));
	poor = pfm_create_session(0);
	EXPECT_EQ(ENOMEM, ERRNO(set_make(poor, 1, 0, 0)));
	EXPECT_EQ(self->room, fill_with_sets(rich));
	close(rich);
	ASSERT_EQ(0, limit_memlock(LIMIT));
	EXPECT_EQ(ENOMEM, ERRNO(set_make(poor, 1, 0, 0)));
}

TEST_F(user, the_creator_pays_for_what_root_adds)
{
	int fd = pfm_create_session(0);

	ASSERT_EQ(0, become(0));
	EXPECT_EQ(self->room, fill_with_sets(fd));
	ASSERT_EQ(0, become(NOBODY));
	EXPECT_EQ(0, room());
}

TEST_F(user, the_creator_pays_for_what_another_user_adds)
{
	int fd = pfm_create_session(0);

	ASSERT_EQ(0, become(0));
	ASSERT_EQ(0, become(SOMEBODY_ELSE));
	EXPECT_EQ(self->room, fill_with_sets(fd));
	EXPECT_EQ(self->room, room());
	ASSERT_EQ(0, become(0));
	ASSERT_EQ(0, become(NOBODY));
	EXPECT_EQ(0, room());
}

TEST_F(user, who_may_lock_memory_pays_nothing)
{
	int fd;

	ASSERT_EQ(0, become(0));
	ASSERT_EQ(0, limit_memlock(0));
	EXPECT_LE(0, dfl_create(0, 16 * LIMIT));
	fd = pfm_create_session(0);
	EXPECT_EQ(MAX_SETS, fill_with_sets(fd));
	/* Nor does whoever got the session of him. */
	ASSERT_EQ(0, set_delete(fd, 1));
	ASSERT_EQ(0, become(NOBODY));
	EXPECT_EQ(0, ERRNO(set_make(fd, 1, 0, 0)));
	ASSERT_EQ(0, limit_memlock(LIMIT));
	EXPECT_EQ(self->room, room());
}

TEST_F(user, a_mapped_buffer_counts_until_it_goes)
{
	int fd = dfl_create(0, BUFFER);
	void *map;

	ASSERT_LE(0, fd);
	map = mmap(NULL, BUFFER, PROT_READ, MAP_PRIVATE, fd, 0);
	ASSERT_NE(MAP_FAILED, map);
	EXPECT_LT(room(), self->room);
	close(fd);
	EXPECT_LT(room(), self->room);
	EXPECT_EQ(ENOMEM, ERRNO(dfl_create(0, BUFFER)));
	munmap(map, BUFFER);
	EXPECT_EQ(self->room, room());
}

/* mlock() has a limit for each process, which has nothing to do with this one. */
TEST_F(user, memory_of_a_process_is_another_matter_whatever_comes_first)
{
	void *memory = mmap(NULL, BUFFER, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fd = dfl_create(0, BUFFER);

	ASSERT_NE(MAP_FAILED, memory);
	ASSERT_LE(0, fd);
	EXPECT_EQ(0, ERRNO(mlock(memory, BUFFER)));
	close(fd);
	EXPECT_EQ(0, ERRNO(dfl_create(0, BUFFER)));
	EXPECT_EQ(ENOMEM, ERRNO(dfl_create(0, BUFFER)));
}

/* Makes a buffer in each of its lives; exits with their number. */
static int hoard(int buffers)
{
	char number[16];

	if (buffers == MAX_HOARD || dfl_create(0, BUFFER) < 0)
		return buffers;
	snprintf(number, sizeof(number), "%d", buffers + 1);
	execl("/proc/self/exe", "account", HOARD, number, NULL);
	return 255;
}

static int hoard_from_0(void *arg)
{
	(void)arg;
	return hoard(0);
}

TEST_F(user, an_exec_does_not_make_room)
{
	EXPECT_EQ(1, child_wait(child_start(hoard_from_0, NULL)));
	EXPECT_EQ(self->room, room());
}

/* A buffer made by a process that is gone, as if its descriptor had been sent. */
static int inherit_buffer(void)
{
	int lowest = dup(0), status;
	long pid;

	close(lowest);
	pid = syscall(SYS_clone, CLONE_FILES | SIGCHLD, 0, 0, 0, 0);
	if (pid == 0)
		_exit(dfl_create(0, BUFFER) == lowest ? 0 : 1);
	if (pid < 0 || waitpid((pid_t)pid, &status, 0) != pid || status)
		return -1;
	return lowest;
}

TEST_F(user, another_process_does_not_make_room)
{
	int fd = inherit_buffer();

	ASSERT_LE(0, fd);
	EXPECT_EQ(ENOMEM, ERRNO(dfl_create(0, BUFFER)));
	close(fd);
	EXPECT_EQ(self->room, room());
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], HOARD))
		return hoard(atoi(argv[2]));
	return test_harness_run(argc, argv);
}

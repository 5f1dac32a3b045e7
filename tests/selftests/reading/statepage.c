// SPDX-License-Identifier: GPL-2.0-only
/*
 * State pages: who may map them and how, and what they show to a reader who may
 * not execute RDPMC. What the monitored thread reads is the subject of userread.c.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <perfmon/pfm_state.h>

#include "attr.h"
#include "child.h"
#include "counter_check.h"
#include "loop.h"
#include "machine.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"
#include "unprivileged.h"

static size_t page(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

FIXTURE(state)
{
	int fd;
	uint16_t pmd;
};

FIXTURE_SETUP(state)
{
	NEEDS_COUNTERS();
	self->pmd = pmu_first()->pmd;
	self->fd = pmu_session(0);
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(state)
{
	close(self->fd);
}

/* Returns 0 or an errno; what was mapped is unmapped again. */
static int map_errno(size_t length, int prot, int flags, int fd, off_t offset)
{
	void *at = mmap(NULL, length, prot, flags, fd, offset);

	if (at == MAP_FAILED)
		return errno;
	munmap(at, length);
	return 0;
}

TEST_F(state, is_one_page_that_is_shared_and_read_only)
{
	const off_t offset = PFM_MMAP_STATE;
	const size_t one = page();
	int error, fd = self->fd;

	EXPECT_EQ(0, map_errno(one, PROT_READ, MAP_SHARED, fd, offset));
	EXPECT_EQ(0, map_errno(1, PROT_READ, MAP_SHARED, fd, offset));
	EXPECT_EQ(0, map_errno(one, PROT_NONE, MAP_SHARED, fd, offset));
	EXPECT_EQ(EACCES, map_errno(one, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
				    offset));
	EXPECT_EQ(EACCES, map_errno(one, PROT_WRITE, MAP_SHARED, fd, offset));
	/* Later kernels let no file without a name be executed. */
	error = map_errno(one, PROT_READ | PROT_EXEC, MAP_SHARED, fd, offset);
	EXPECT_TRUE(error == EINVAL || error == EPERM);
	EXPECT_EQ(EINVAL, map_errno(one, PROT_READ, MAP_PRIVATE, fd, offset));
	EXPECT_EQ(EINVAL, map_errno(one, PROT_READ | PROT_WRITE, MAP_PRIVATE,
				    fd, offset));
	EXPECT_EQ(EINVAL,
		  map_errno(2 * one, PROT_READ, MAP_SHARED, fd, offset));
	EXPECT_EQ(EINVAL, map_errno(one, PROT_READ, MAP_SHARED, fd,
				    offset + (off_t)one));
	EXPECT_EQ(EINVAL, map_errno(one, PROT_READ, MAP_SHARED, fd,
				    offset - (off_t)one));
}

TEST_F(state, stays_read_only)
{
	const struct pfm_state *state = pfm_map_state(self->fd);
	void *at = (void *)(uintptr_t)state;

	ASSERT_NE(NULL, state);
	EXPECT_EQ(EACCES, ERRNO(mprotect(at, page(), PROT_READ | PROT_WRITE)));
	EXPECT_EQ(EACCES, ERRNO(mprotect(at, page(), PROT_READ | PROT_EXEC)));
	/* Children do not inherit it, whatever they ask for. */
	EXPECT_EQ(EINVAL, ERRNO(madvise(at, page(), MADV_DOFORK)));
	EXPECT_EQ(MAP_FAILED, mremap(at, page(), 2 * page(), MREMAP_MAYMOVE));
	EXPECT_EQ(PFM_STATE_VERSION, state->version);
}

TEST_F(state, the_library_says_why_there_is_none)
{
	int null = open("/dev/null", O_RDONLY);

	EXPECT_EQ(NULL, pfm_map_state(-1));
	EXPECT_EQ(EBADF, errno);
	EXPECT_EQ(NULL, pfm_map_state(null));
	EXPECT_EQ(ENODEV, errno);
	EXPECT_EQ(EINVAL, ERRNO(pfm_unmap_state((const struct pfm_state *)1)));
}

static int map_over_the_limit(void *arg)
{
	const struct rlimit none = { 0, 0 };
	const struct pfm_state *state;
	int fd;

	(void)arg;
	fd = pfm_create_session(0);
	if (fd < 0)
		return -1;
	close(fd);
	if (setrlimit(RLIMIT_MEMLOCK, &none))
		return -1;
	fd = pfm_create_session(0);
	if (fd < 0)
		return -1;
	state = pfm_map_state(fd);
	return state ? 0 : errno;
}

TEST_F(state, is_charged_to_the_creator)
{
	EXPECT_EQ(ENOMEM, unprivileged(NO_GROUP, map_over_the_limit, NULL));
}

static bool is_zero(const void *at, size_t size)
{
	const char *bytes = at;
	size_t i;

	for (i = 0; i < size; i++)
		if (bytes[i])
			return false;
	return true;
}

TEST_F(state, all_that_is_reserved_is_zero)
{
	const struct pfm_state *state = pfm_map_state(self->fd);

	ASSERT_NE(NULL, state);
	ASSERT_EQ(0, attach_self(self->fd));
	EXPECT_EQ(PFM_STATE_VERSION, state->version);
	EXPECT_EQ(sizeof(*state), state->size);
	EXPECT_EQ(0, state->reserved1);
	EXPECT_TRUE(is_zero(state->reserved2, sizeof(state->reserved2)));
	EXPECT_TRUE(
		is_zero(state->counter + state->nr_counters,
			(char *)state + page() -
				(char *)(state->counter + state->nr_counters)));
}

TEST_F(state, names_the_elements_of_the_active_set)
{
	const struct pfm_state *state = pfm_map_state(self->fd);

	ASSERT_NE(NULL, state);
	EXPECT_EQ(-1, pfm_state_index(state, self->pmd, 0));
	ASSERT_EQ(0, attach_self(self->fd));
	EXPECT_LE(0, pfm_state_index(state, self->pmd, 0));
	EXPECT_EQ(-1, pfm_state_index(state, self->pmd, 1));
	EXPECT_EQ(-1, pfm_state_index(state, 319, 0));
	EXPECT_EQ(-1, pfm_state_index(state, PFM_STATE_NO_PMD, 0));
}

TEST_F(state, has_the_values_of_a_session_that_is_stopped)
{
	const struct pfm_state *state = pfm_map_state(self->fd);
	uint64_t value;
	unsigned int i;

	ASSERT_NE(NULL, state);
	ASSERT_EQ(0, attach_self(self->fd));
	i = (unsigned int)pfm_state_index(state, self->pmd, 0);
	ASSERT_EQ(0, counted_run(self->fd, 20000));
	ASSERT_EQ(0, read_pmd(self->fd, self->pmd, &value));
	EXPECT_LT(20000, value);
	EXPECT_FALSE(pfm_state_usable(state));
	EXPECT_NE(0, state->why);
	EXPECT_EQ(value, pfm_state_read(state, i));
	EXPECT_EQ(value, pfm_state_sum(state, i));
	EXPECT_EQ(value, pfm_read_counter(self->fd, state, i));
	ASSERT_EQ(0, write_pmd(self->fd, self->pmd, 77));
	EXPECT_EQ(77, pfm_state_read(state, i));
	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	ASSERT_EQ(0, write_pmd(self->fd, self->pmd, 78));
	EXPECT_EQ(78, pfm_state_read(state, i));
}

TEST_F(state, a_later_mapping_has_them_as_well)
{
	const struct pfm_state *state;
	uint64_t value;

	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, counted_run(self->fd, 20000));
	ASSERT_EQ(0, read_pmd(self->fd, self->pmd, &value));
	state = pfm_map_state(self->fd);
	ASSERT_NE(NULL, state);
	EXPECT_EQ(value, pfm_state_read(state, (unsigned int)pfm_state_index(
						       state, self->pmd, 0)));
}

TEST_F(state, outlives_the_session_and_holds_it_not)
{
	int64_t sessions = attr_number("task_sessions_count");
	const struct pfm_state *state = pfm_map_state(self->fd);
	uint64_t value;
	unsigned int i;

	ASSERT_NE(NULL, state);
	ASSERT_EQ(0, attach_self(self->fd));
	i = (unsigned int)pfm_state_index(state, self->pmd, 0);
	ASSERT_EQ(0, counted_run(self->fd, 20000));
	ASSERT_EQ(0, read_pmd(self->fd, self->pmd, &value));
	close(self->fd);
	EXPECT_EQ(sessions, attr_number("task_sessions_count"));
	EXPECT_EQ(value, pfm_state_read(state, i));
	EXPECT_EQ(UINT64_MAX, pfm_read_counter(self->fd, state, i));
	EXPECT_EQ(EBADF, errno);
	EXPECT_EQ(0, pfm_unmap_state(state));
}

TEST_F(state, an_element_that_does_not_exist_is_an_error)
{
	const struct pfm_state *state = pfm_map_state(self->fd);

	ASSERT_NE(NULL, state);
	ASSERT_EQ(0, attach_self(self->fd));
	EXPECT_EQ(UINT64_MAX, pfm_read_counter(self->fd, state, 31));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(UINT64_MAX, pfm_read_counter(self->fd, state, PFM_STATE_TSC));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(UINT64_MAX, pfm_read_counter(self->fd, state, UINT32_MAX));
	EXPECT_EQ(EINVAL, errno);
}

/* A program learns once which way to read there is, and both are right. */
TEST_F(state, is_usable_for_who_is_monitored_or_says_why_not)
{
	const struct pfm_state *state = pfm_map_state(self->fd);
	uint64_t value;
	unsigned int i;

	ASSERT_NE(NULL, state);
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	EXPECT_EQ(!pfm_state_usable(state), !!state->why);
	EXPECT_NE(PFM_STATE_WHY_MODULE, state->why);
	i = (unsigned int)pfm_state_index(state, self->pmd, 0);
	value = pfm_read_counter(self->fd, state, i);
	counted_loop(20000);
	value = pfm_read_counter(self->fd, state, i) - value;
	EXPECT_LE(20000, value);
	EXPECT_GE(20000 + 2 * CALL_COST, value);
}

/* The tracer never finds the page usable, and sees the target's count grow. */
TEST_F(state, shows_the_tracer_what_was_counted_up_to_the_last_tick)
{
	const struct pfm_state *state = pfm_map_state(self->fd);
	pid_t pid = child_start_stopped(child_spin, NULL);
	uint64_t value, last = 0;
	unsigned int i, grown = 0;

	ASSERT_NE(NULL, state);
	ASSERT_LT(0, pid);
	ASSERT_EQ(0, pfm_attach_session(self->fd, 0, pid));
	i = (unsigned int)pfm_state_index(state, self->pmd, 0);
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	ASSERT_EQ(0, child_continue(pid));
	while (grown < 5) {
		EXPECT_FALSE(pfm_state_usable(state));
		value = pfm_state_read(state, i);
		ASSERT_LE(last, value);
		grown += value > last;
		last = value;
		usleep(1000);
	}
	ASSERT_EQ(0, child_stop(pid));
	ASSERT_EQ(0, read_pmd(self->fd, self->pmd, &value));
	EXPECT_EQ(value, pfm_state_read(state, i));
	child_kill(pid);
}

/* An exit status: the child has died of its look at the page. */
#define FAULTED 7

static void on_fault(int sig)
{
	(void)sig;
	_exit(FAULTED);
}

static int touch(void *arg)
{
	const struct pfm_state *state = arg;

	signal(SIGSEGV, on_fault);
	return (int)(pfm_state_seq(state) & 0);
}

TEST_F(state, is_not_inherited)
{
	const struct pfm_state *state = pfm_map_state(self->fd);

	ASSERT_NE(NULL, state);
	EXPECT_EQ(FAULTED,
		  child_wait(child_start(touch, (void *)(uintptr_t)state)));
}

TEST_F(state, of_a_cpu_has_sums_only)
{
	const struct pfm_state *state;
	uint64_t value;
	int i, fd;

	fd = pmu_cpu_session();
	ASSERT_LE(0, fd);
	state = pfm_map_state(fd);
	ASSERT_NE(NULL, state);
	ASSERT_EQ(0, pfm_attach_session(fd, 0, 0));
	i = pfm_state_index(state, self->pmd, 0);
	ASSERT_LE(0, i);
	ASSERT_EQ(0, pin_to_cpu(0));
	ASSERT_EQ(0, pfm_start_session(fd, 0));
	counted_loop(20000);
	EXPECT_FALSE(pfm_state_usable(state));
	EXPECT_LE(20000, pfm_read_counter(fd, state, (unsigned int)i));
	ASSERT_EQ(0, pfm_stop_session(fd, 0));
	ASSERT_EQ(0, read_pmd(fd, self->pmd, &value));
	EXPECT_EQ(value, pfm_state_read(state, (unsigned int)i));
	close(fd);
}

TEST_F(state, the_mode_of_the_machine_is_a_small_number)
{
	EXPECT_EQ(1, attr_number("rdpmc"));
	EXPECT_EQ(EINVAL, attr_write("rdpmc", "3"));
	EXPECT_EQ(EINVAL, attr_write("rdpmc", "-1"));
	EXPECT_EQ(EINVAL, attr_write("rdpmc", "x"));
	EXPECT_EQ(1, attr_number("rdpmc"));
	EXPECT_EQ(0, attr_write("rdpmc", "2"));
	EXPECT_EQ(2, attr_number("rdpmc"));
	EXPECT_EQ(0, attr_write("rdpmc", "1"));
}

TEST_HARNESS_MAIN

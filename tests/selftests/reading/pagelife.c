// SPDX-License-Identifier: GPL-2.0-only
/*
 * Mappings of state pages over exec, fork and munmap, and of several processes:
 * the right to execute RDPMC goes with the mapping, whoever ends it and when, and
 * nothing is left of a page that has been mapped.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <perfmon/pfm_state.h>

#include "child.h"
#include "loop.h"
#include "machine.h"
#include "may_rdpmc.h"
#include "perf.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"
#include "sessions.h"

/* Arguments with which this program runs itself. */
#define AFTER_EXEC "--after-exec"
#define JUST_END "--just-end"

#define LOOP 20000
/* User instructions around the loop, and of what an interrupted read does again. */
#define AROUND 500

static bool reads_exactly(const struct pfm_state *state)
{
	int i = pfm_state_index(state, pmu_first()->pmd, 0);
	uint64_t n;

	if (i < 0 || !pfm_state_usable(state))
		return false;
	n = pfm_state_read(state, (unsigned int)i);
	counted_loop(LOOP);
	n = pfm_state_read(state, (unsigned int)i) - n;
	return n >= LOOP && n <= LOOP + AROUND;
}

/* Maps the page of a session that counts the caller; NULL if that fails. */
static const struct pfm_state *map_counting(int fd)
{
	const struct pfm_state *state = pfm_map_state(fd);

	if (!state || attach_self(fd) || pfm_start_session(fd, 0))
		return NULL;
	return state;
}

FIXTURE(mapped)
{
	int fd;
	const struct pfm_state *state;
};

FIXTURE_SETUP(mapped)
{
	NEEDS_COUNTERS();
	self->fd = pmu_session(0);
	ASSERT_LE(0, self->fd);
	self->state = map_counting(self->fd);
	ASSERT_NE(NULL, self->state);
	if (!pfm_state_usable(self->state))
		SKIP(return, "programs cannot read counters here");
}

FIXTURE_TEARDOWN_PARENT(mapped)
{
	EXPECT_TRUE(nothing_is_left());
}

static int exec_with(const char *argument, int fd)
{
	char number[16];

	snprintf(number, sizeof(number), "%d", fd);
	execl("/proc/self/exe", "pagelife", argument, number, NULL);
	return 127;
}

/* Becomes a program that inherits the session, and with it no right. */
static int map_and_exec(void *arg)
{
	int fd = pmu_session(0);

	(void)arg;
	return map_counting(fd) && can_rdpmc(0) ? exec_with(AFTER_EXEC, fd) :
						  10;
}

/* The new program. Returns 0, or which of its expectations is wrong. */
static int after_exec(int fd)
{
	const struct pfm_state *state;

	if (can_rdpmc(0))
		return 1;
	/* The session is still that of this thread, and may be mapped anew. */
	state = pfm_map_state(fd);
	if (!state)
		return 2;
	if (!reads_exactly(state) || !can_rdpmc(0))
		return 3;
	if (pfm_unmap_state(state) || can_rdpmc(0))
		return 4;
	return 0;
}

TEST_F(mapped, an_exec_ends_the_mapping_and_the_right)
{
	EXPECT_EQ(0, child_wait(child_start(map_and_exec, NULL)));
}

/* The thread that is monitored goes, and its page with it; others go on. */
static void *exec_beside(void *arg)
{
	(void)arg;
	_exit(map_and_exec(NULL));
}

static int exec_in_another_thread(void *arg)
{
	pthread_t thread;

	if (!map_counting(pmu_session(0)) ||
	    pthread_create(&thread, NULL, exec_beside, arg))
		return 11;
	for (;;)
		counted_loop(LOOP);
}

TEST_F(mapped, an_exec_of_another_thread_ends_all_of_them)
{
	EXPECT_EQ(0, child_wait(child_start(exec_in_another_thread, NULL)));
}

static int child_rdpmc(void *arg)
{
	(void)arg;
	return can_rdpmc(0);
}

TEST_F(mapped, who_forks_goes_on_reading)
{
	long j;

	for (j = 0; j < repetitions(100); j++) {
		pid_t pid = child_start(child_rdpmc, NULL);

		ASSERT_TRUE(reads_exactly(self->state));
		ASSERT_EQ(0, child_wait(pid));
		ASSERT_TRUE(reads_exactly(self->state));
	}
	EXPECT_TRUE(can_rdpmc(0));
}

/* It is in the memory of its parent, but no thread of the session. */
TEST_F(mapped, a_child_that_borrows_the_memory_does_not_read)
{
	volatile bool nothing = false;
	pid_t pid = vfork();

	if (pid == 0) {
		nothing = rdpmc_tells_nothing(0);
		_exit(0);
	}
	ASSERT_EQ(0, child_wait(pid));
	EXPECT_TRUE(nothing);
	EXPECT_TRUE(reads_exactly(self->state));
}

TEST_F(mapped, a_mapping_that_moves_is_still_one)
{
	const size_t size = (size_t)sysconf(_SC_PAGESIZE);
	void *from = (void *)(uintptr_t)self->state;
	void *to =
		mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const struct pfm_state *state;

	ASSERT_NE(MAP_FAILED, to);
	ASSERT_EQ(to,
		  mremap(from, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, to));
	state = to;
	EXPECT_TRUE(reads_exactly(state));
	/* It cannot be copied or split. */
	EXPECT_EQ(MAP_FAILED, mremap(to, 0, size, MREMAP_MAYMOVE));
	EXPECT_EQ(0, pfm_unmap_state(state));
	EXPECT_FALSE(can_rdpmc(0));
}

/* The first event of this kind switches code of the kernel on. */
static int open_page_faults(void)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
					.size = sizeof(attr),
					.config = PERF_COUNT_SW_PAGE_FAULTS };

	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
}

/* The counter itself; 0 if the kernel has skipped the instruction. */
static uint32_t raw_count(const struct pfm_state *state)
{
	int i = pfm_state_index(state, pmu_first()->pmd, 0);
	uint32_t low, high;

	asm volatile("rdpmc"
		     : "=a"(low), "=d"(high)
		     : "c"(state->counter[i].map & ~(1U << 31)));
	return low;
}

/*
 * It does that in other memory, which the CPU of the caller loads for that moment.
 * No thread switch follows that would give the right anew.
 */
TEST_F(mapped, a_kernel_that_patches_itself_takes_nothing)
{
	int fd = perf_open_software(); /* opens no others the slow way */
	long j;

	ASSERT_LE(0, fd);
	for (j = 0; j < 20; j++) {
		int patching = open_page_faults();

		ASSERT_NE(0, raw_count(self->state));
		ASSERT_LE(0, patching);
		ASSERT_TRUE(reads_exactly(self->state));
		close(patching);
		ASSERT_NE(0, raw_count(self->state));
	}
	close(fd);
}

/* Another mapping takes its place. */
TEST_F(mapped, a_mapping_that_is_covered_is_none)
{
	void *at = (void *)(uintptr_t)self->state;

	ASSERT_EQ(at, mmap(at, (size_t)sysconf(_SC_PAGESIZE), PROT_READ,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0));
	EXPECT_FALSE(can_rdpmc(0));
}

/* Executes RDPMC until it cannot any more, and says when it could. */
struct spinner {
	int fd;
	const struct pfm_state *state;
	int ready;
	int gone; /* the page is unmapped */
	unsigned long could; /* how often after that */
};

static void *spin_rdpmc(void *arg)
{
	struct spinner *s = arg;
	int gone;

	s->state = map_counting(s->fd);
	__atomic_store_n(&s->ready, 1, __ATOMIC_RELEASE);
	do {
		gone = __atomic_load_n(&s->gone, __ATOMIC_ACQUIRE);
		s->could += can_rdpmc(0) && gone;
	} while (!gone);
	return NULL;
}

/* When munmap() returns, no processor lets the thread read any more. */
TEST_F(mapped, another_thread_may_unmap_it_at_any_moment)
{
	pthread_t thread;
	long j;

	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	/* The process has the right, with a module, as long as it maps any page. */
	ASSERT_EQ(0, pfm_unmap_state(self->state));
	for (j = 0; j < repetitions(100); j++) {
		struct spinner s = { .fd = pmu_session(0) };

		ASSERT_EQ(0, pthread_create(&thread, NULL, spin_rdpmc, &s));
		while (!__atomic_load_n(&s.ready, __ATOMIC_ACQUIRE))
			usleep(10);
		ASSERT_NE(NULL, s.state);
		usleep((useconds_t)(j % 7) * 30);
		ASSERT_EQ(0, pfm_unmap_state(s.state));
		__atomic_store_n(&s.gone, 1, __ATOMIC_RELEASE);
		pthread_join(thread, NULL);
		ASSERT_EQ(0, s.could);
		close(s.fd);
	}
}

static int come_and_go(void *arg)
{
	const int *fd = arg;
	long j;

	for (j = 0; j < repetitions(300); j++)
		if (pfm_unmap_state(pfm_map_state(*fd)))
			return 1;
	return 0;
}

/* Each time the reader loses the right, and gets it back: no count goes back. */
TEST_F(mapped, a_second_process_may_come_and_go)
{
	unsigned int i =
		(unsigned int)pfm_state_index(self->state, pmu_first()->pmd, 0);
	pid_t pid = child_start(come_and_go, &self->fd);
	uint64_t page, counter, last_page = 0, last = 0;
	siginfo_t info;

	do {
		page = pfm_state_read(self->state, i);
		ASSERT_LE(last_page, page);
		counter = pfm_read_counter(self->fd, self->state, i);
		ASSERT_LT(page, counter);
		ASSERT_LT(last, counter);
		last_page = page;
		last = counter;
		info.si_pid = 0;
		ASSERT_EQ(0, waitid(P_PID, (id_t)pid, &info,
				    WEXITED | WNOHANG | WNOWAIT));
	} while (!info.si_pid);
	EXPECT_EQ(0, child_wait(pid));
	usleep(20000);
	EXPECT_TRUE(reads_exactly(self->state));
}

/* Who is monitored by another has the page of that session. */
static int read_foreign(void *arg)
{
	const int *fd = arg;
	const struct pfm_state *state = pfm_map_state(*fd);

	if (!state)
		return 10;
	return reads_exactly(state) && can_rdpmc(0) ? 0 : (int)state->why + 1;
}

static int foreign_session(const struct pmu_counter *counter, uint64_t event)
{
	int fd = pfm_create_session(0);

	return pmu_program(fd, counter, event, 0) ? -1 : fd;
}

static int monitor(int fd)
{
	pid_t pid = child_start_stopped(read_foreign, &fd);

	if (pid < 0 || pfm_attach_session(fd, 0, pid) ||
	    pfm_start_session(fd, 0) || child_continue(pid))
		return -1;
	return child_wait(pid);
}

TEST_F(mapped, who_is_monitored_by_another_reads_too)
{
	int fd = foreign_session(pmu_first(), pmu_first()->user);

	ASSERT_LE(0, fd);
	EXPECT_EQ(0, monitor(fd));
	close(fd);
}

/* What the kernel does for it is not its own business. */
TEST_F(mapped, but_not_what_that_one_counts_of_the_kernel)
{
	int fd = foreign_session(pmu_first(), pmu_first()->kernel);

	ASSERT_LE(0, fd);
	EXPECT_EQ(PFM_STATE_WHY_LEVEL + 1, monitor(fd));
	close(fd);
}

/* The ways in which descriptor, mapping and process come to an end. */
enum end {
	CLOSE_UNMAP,
	UNMAP_CLOSE,
	CLOSE_EXEC,
	UNMAP_EXEC,
	DETACH_UNMAP,
	STOP_EXEC,
	CLOSE_EXIT,
	UNMAP_EXIT,
	EXIT,
	KILLED,
	ENDS
};

static int come_to_an_end(void *arg)
{
	enum end end = *(enum end *)arg;
	int fd = pmu_session(0);
	const struct pfm_state *state = map_counting(fd);

	if (!state || !reads_exactly(state))
		return 1;
	if (end == DETACH_UNMAP && pfm_detach_session(fd, 0))
		return 2;
	if (end == STOP_EXEC && pfm_stop_session(fd, 0))
		return 3;
	if (end == CLOSE_UNMAP || end == CLOSE_EXEC || end == CLOSE_EXIT)
		close(fd);
	if (end == CLOSE_UNMAP || end == UNMAP_CLOSE || end == UNMAP_EXEC ||
	    end == UNMAP_EXIT || end == DETACH_UNMAP)
		if (pfm_unmap_state(state) || can_rdpmc(0))
			return 4;
	if (end == UNMAP_CLOSE)
		close(fd);
	if (end == CLOSE_EXEC || end == UNMAP_EXEC || end == STOP_EXEC)
		return exec_with(JUST_END, fd);
	if (end == KILLED)
		raise(SIGKILL);
	return 0;
}

TEST_F(mapped, it_ends_in_every_order)
{
	enum end end;
	long j;

	for (j = 0; j < repetitions(20); j++)
		for (end = 0; end < ENDS; end++)
			ASSERT_EQ(
				end == KILLED ? -1 : 0,
				child_wait(child_start(come_to_an_end, &end)));
	EXPECT_TRUE(reads_exactly(self->state));
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], AFTER_EXEC))
		return after_exec(atoi(argv[2]));
	if (argc == 3 && !strcmp(argv[1], JUST_END))
		return can_rdpmc(0);
	return test_harness_run(argc, argv);
}

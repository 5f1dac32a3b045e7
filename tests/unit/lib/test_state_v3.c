// SPDX-License-Identifier: GPL-2.0-only
/*
 * State pages of libpfm: mapping them, finding registers in them, and reading a
 * counter in whichever way the page permits.
 *
 * The page is that of a file, at the offset at which the kernel has it. RDPMC, which
 * faults here, is executed by the handler of the fault; it can also do to the
 * page what the kernel does when it interrupts the reader. pfm_read_pmrs() is below.
 */
#include <errno.h>
#include <perfmon/pfm_state.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <cmocka.h>

#define FIXED 0x40000000U

/* The kernel: its page, its counters, and its answer to pfm_read_pmrs(). */
static struct {
	int fd;
	struct pfm_state *page;
	uint32_t low[2]; /* of the counters 0 and FIXED */
	unsigned int rdpmcs;
	void (*interrupt)(void); /* at the next RDPMC */
	unsigned int calls;
	pfarg_pmr_t asked;
	uint64_t answer;
	int error;
} kernel;

int pfm_read_pmrs(int fd, int flags, pfarg_pmr_t *pmrs, int n, ...)
{
	assert_int_equal(fd, kernel.fd);
	assert_int_equal(flags, PFM_RWFL_PMD);
	assert_int_equal(n, 1);
	kernel.calls++;
	kernel.asked = *pmrs;
	if (kernel.error) {
		errno = kernel.error;
		return -1;
	}
	pmrs->reg_value = kernel.answer;
	return 0;
}

/* Executes RDPMC as the processor would, or as the kernel when the right is lost. */
static void on_fault(int sig, siginfo_t *info, void *context)
{
	static const uint8_t rdpmc[] = { 0x0f, 0x33 };
	greg_t *regs = ((ucontext_t *)context)->uc_mcontext.gregs;
	void (*interrupt)(void) = kernel.interrupt;

	(void)info;
	if (memcmp((void *)regs[REG_RIP], rdpmc, sizeof(rdpmc)) != 0) {
		signal(sig, SIG_DFL);
		return;
	}
	kernel.rdpmcs++;
	regs[REG_RAX] = kernel.low[(uint32_t)regs[REG_RCX] == FIXED];
	regs[REG_RDX] = 0x7f; /* the high half is nobody's business */
	regs[REG_RIP] += (greg_t)sizeof(rdpmc);
	kernel.interrupt = NULL;
	if (interrupt)
		interrupt();
}

static void setup_page(void)
{
	struct pfm_state *page = kernel.page;

	memset(page, 0, sizeof(*page));
	page->version = PFM_STATE_VERSION;
	page->size = sizeof(*page);
	page->active_set = 3;
	page->nr_counters = 2;
	page->tsc_pmd = PFM_STATE_NO_PMD;
	page->pmd[0] = 17;
	page->pmd[1] = 4;
	page->counter[1].map = FIXED;
	page->counter[0].sum = 1000;
	page->counter[1].sum = 1ULL << 40;
}

static int setup(void **state)
{
	const long size = sysconf(_SC_PAGESIZE);
	void *page;

	(void)state;
	memset(&kernel, 0, sizeof(kernel));
	kernel.fd = memfd_create("state", MFD_CLOEXEC);
	if (kernel.fd < 0 || ftruncate(kernel.fd, PFM_MMAP_STATE + size))
		return -1;
	page = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED,
		    kernel.fd, PFM_MMAP_STATE);
	if (page == MAP_FAILED)
		return -1;
	kernel.page = page;
	setup_page();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	munmap(kernel.page, (size_t)sysconf(_SC_PAGESIZE));
	return close(kernel.fd);
}

/* Lets the thread that looks have the counters, which stand at @low. */
static void make_usable(uint32_t low)
{
	const struct sigaction action = { .sa_sigaction = on_fault,
					  .sa_flags = SA_SIGINFO };

	/* cmocka has a handler of its own, for each test anew. */
	sigaction(SIGSEGV, &action, NULL);
	asm volatile("rdpmc" : : "c"(0) : "eax", "edx");
	/* This host lets all programs execute it. */
	if (!kernel.rdpmcs)
		skip();
	kernel.rdpmcs = 0;
	kernel.page->seq |= PFM_STATE_USABLE;
	kernel.low[0] = low;
	kernel.low[1] = low;
}

static const struct pfm_state *map(void)
{
	const struct pfm_state *state = pfm_map_state(kernel.fd);

	assert_non_null(state);
	return state;
}

static void the_page_is_mapped_and_unmapped(void **unused)
{
	const struct pfm_state *state = map();

	(void)unused;
	assert_int_equal(state->size, sizeof(*state));
	assert_int_equal(pfm_unmap_state(state), 0);
	/* It is gone. */
	assert_int_equal(msync((void *)(uintptr_t)state, 1, MS_ASYNC), -1);
	assert_int_equal(errno, ENOMEM);
}

static void a_mapping_that_fails_says_why(void **unused)
{
	(void)unused;
	assert_null(pfm_map_state(-1));
	assert_int_equal(errno, EBADF);
	assert_int_equal(pfm_unmap_state((const struct pfm_state *)1), -1);
	assert_int_equal(errno, EINVAL);
}

static unsigned int mappings(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned int n = 0;
	char line[512];

	assert_non_null(maps);
	while (fgets(line, sizeof(line), maps))
		n += strstr(line, "memfd:state") != NULL;
	fclose(maps);
	return n;
}

static void a_later_version_is_refused_and_not_left_mapped(void **unused)
{
	unsigned int before = mappings();

	(void)unused;
	kernel.page->version = PFM_STATE_VERSION + 1;
	assert_null(pfm_map_state(kernel.fd));
	assert_int_equal(errno, ENOSYS);
	assert_int_equal(mappings(), before);
}

static void registers_of_the_active_set_have_elements(void **unused)
{
	const struct pfm_state *state = map();

	(void)unused;
	assert_int_equal(pfm_state_index(state, 17, 3), 0);
	assert_int_equal(pfm_state_index(state, 4, 3), 1);
	assert_int_equal(pfm_state_index(state, 4, 0), -1);
	assert_int_equal(pfm_state_index(state, 0, 3), -1);
	/* What no register is, though the page says so of its TSC. */
	assert_int_equal(pfm_state_index(state, PFM_STATE_NO_PMD, 3), -1);
	kernel.page->tsc_pmd = 9;
	assert_int_equal(pfm_state_index(state, 9, 3), PFM_STATE_TSC);
	kernel.page->nr_counters = 1;
	assert_int_equal(pfm_state_index(state, 4, 3), -1);
	pfm_unmap_state(state);
}

static void without_the_right_the_inline_functions_yield_sums(void **unused)
{
	const struct pfm_state *state = map();
	uint64_t values[2];

	(void)unused;
	kernel.page->tsc_sum = 5;
	assert_int_equal(pfm_state_read(state, 0), 1000);
	assert_int_equal(pfm_state_read(state, PFM_STATE_TSC), 5);
	pfm_state_read_many(state, 2, values);
	assert_int_equal(values[0], 1000);
	assert_int_equal(values[1], 1ULL << 40);
	assert_int_equal(kernel.rdpmcs, 0);
}

static void with_it_they_add_what_the_counter_has_counted_since(void **unused)
{
	const struct pfm_state *state = map();
	uint64_t values[2];

	(void)unused;
	make_usable(600);
	kernel.page->counter[0].start = 100;
	/* The low half has come round once since. */
	kernel.page->counter[1].start = 0xffffff00;
	assert_int_equal(pfm_state_read(state, 0), 1000 + 500);
	assert_int_equal(pfm_state_read(state, 1), (1ULL << 40) + 0x100 + 600);
	pfm_state_read_many(state, 2, values);
	assert_int_equal(values[0], 1500);
	assert_int_equal(values[1], (1ULL << 40) + 0x100 + 600);
	assert_int_equal(kernel.rdpmcs, 4);
	pfm_unmap_state(state);
}

static void the_time_is_read_as_well(void **unused)
{
	const struct pfm_state *state = map();
	uint64_t now = __builtin_ia32_rdtsc(), value;

	(void)unused;
	make_usable(0);
	kernel.page->tsc_start = now - 1000;
	kernel.page->tsc_sum = 1ULL << 50;
	value = pfm_state_read(state, PFM_STATE_TSC);
	assert_in_range(value, (1ULL << 50) + 1000,
			(1ULL << 50) + 1000 + (__builtin_ia32_rdtsc() - now));
	pfm_unmap_state(state);
}

/* The thread leaves the CPU and comes back. */
static void switch_away_and_back(void)
{
	kernel.page->counter[0].sum = 1500;
	kernel.page->counter[0].start = 9000;
	kernel.low[0] = 9001;
	kernel.page->seq += 8;
}

static void take_the_right(void)
{
	kernel.page->counter[0].sum = 1500;
	kernel.page->seq = 12;
}

static void a_read_that_is_interrupted_is_made_again(void **unused)
{
	const struct pfm_state *state = map();

	(void)unused;
	make_usable(600);
	kernel.interrupt = switch_away_and_back;
	assert_int_equal(pfm_state_read(state, 0), 1501);
	assert_int_equal(kernel.rdpmcs, 2);
	kernel.interrupt = take_the_right;
	assert_int_equal(pfm_state_read(state, 0), 1500);
	assert_int_equal(kernel.rdpmcs, 3);
	pfm_unmap_state(state);
}

static void
a_counter_is_read_without_a_call_where_that_is_possible(void **unused)
{
	const struct pfm_state *state = map();

	(void)unused;
	make_usable(600);
	errno = ESRCH;
	assert_int_equal(pfm_read_counter(kernel.fd, state, 0), 1600);
	assert_int_equal(errno, 0);
	assert_int_equal(kernel.calls, 0);
	pfm_unmap_state(state);
}

static void and_with_a_call_where_it_is_not(void **unused)
{
	const struct pfm_state *state = map();

	(void)unused;
	kernel.answer = 1700;
	errno = ESRCH;
	assert_int_equal(pfm_read_counter(kernel.fd, state, 1), 1700);
	assert_int_equal(errno, 0);
	assert_int_equal(kernel.calls, 1);
	assert_int_equal(kernel.asked.reg_num, 4);
	assert_int_equal(kernel.asked.reg_set, 3);
	kernel.page->tsc_pmd = 9;
	assert_int_equal(pfm_read_counter(kernel.fd, state, PFM_STATE_TSC),
			 1700);
	assert_int_equal(kernel.asked.reg_num, 9);
	pfm_unmap_state(state);
}

/* Not the sum of the last switch, which may be long ago. */
static void nor_does_it_do_without_if_the_right_goes_meanwhile(void **unused)
{
	const struct pfm_state *state = map();

	(void)unused;
	make_usable(600);
	kernel.interrupt = take_the_right;
	kernel.answer = 1700;
	assert_int_equal(pfm_read_counter(kernel.fd, state, 0), 1700);
	assert_int_equal(kernel.calls, 1);
	pfm_unmap_state(state);
}

static void what_the_call_refuses_is_told(void **unused)
{
	const struct pfm_state *state = map();

	(void)unused;
	kernel.error = EBADF;
	assert_true(pfm_read_counter(kernel.fd, state, 0) == UINT64_MAX);
	assert_int_equal(errno, EBADF);
	pfm_unmap_state(state);
}

static void there_is_no_call_for_what_is_no_element(void **unused)
{
	static const unsigned int none[] = { 1,
					     2,
					     PFM_STATE_COUNTERS - 1,
					     PFM_STATE_TSC,
					     PFM_STATE_TSC + 1,
					     UINT32_MAX };
	const struct pfm_state *state = map();
	unsigned int i;

	(void)unused;
	kernel.page->pmd[1] = PFM_STATE_NO_PMD;
	for (i = 0; i < sizeof(none) / sizeof(*none); i++) {
		errno = 0;
		assert_true(pfm_read_counter(kernel.fd, state, none[i]) ==
			    UINT64_MAX);
		assert_int_equal(errno, EINVAL);
	}
	assert_int_equal(kernel.calls, 0);
	pfm_unmap_state(state);
}

static volatile bool writer_stops;

static void set_seq(struct pfm_state *page, uint32_t seq)
{
	__atomic_store_n(&page->seq, seq, __ATOMIC_RELEASE);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/* Another CPU on which the thread runs that is looked at: two sets take turns. */
static void *write_often(void *unused)
{
	struct pfm_state *page = kernel.page;
	uint32_t seq = 0;
	bool odd = false;

	(void)unused;
	while (!writer_stops) {
		seq += 4;
		set_seq(page, seq | PFM_STATE_WRITING);
		*(volatile uint16_t *)&page->active_set = odd ? 4 : 3;
		*(volatile uint16_t *)&page->pmd[1] = odd ? 5 : 4;
		/* In two halves, as a 32-bit kernel does. */
		((volatile uint32_t *)&page->counter[0].sum)[0] = seq;
		((volatile uint32_t *)&page->counter[0].sum)[1] = seq;
		set_seq(page, seq);
		odd = !odd;
	}
	return NULL;
}

static void nobody_sees_a_page_that_is_half_written(void **unused)
{
	const struct pfm_state *state = map();
	pthread_t writer;
	long i;

	(void)unused;
	setup_page();
	writer_stops = false;
	kernel.page->counter[0].sum = 0;
	assert_int_equal(pthread_create(&writer, NULL, write_often, NULL), 0);
	for (i = 0; i < 100000; i++) {
		uint64_t sum = pfm_state_sum(state, 0);

		if (sum >> 32 != (uint32_t)sum)
			break;
		if (pfm_state_index(state, 5, 3) != -1 ||
		    pfm_state_index(state, 4, 4) != -1)
			break;
	}
	writer_stops = true;
	pthread_join(writer, NULL);
	assert_int_equal(i, 100000);
	pfm_unmap_state(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		TEST(the_page_is_mapped_and_unmapped),
		TEST(a_mapping_that_fails_says_why),
		TEST(a_later_version_is_refused_and_not_left_mapped),
		TEST(registers_of_the_active_set_have_elements),
		TEST(without_the_right_the_inline_functions_yield_sums),
		TEST(with_it_they_add_what_the_counter_has_counted_since),
		TEST(the_time_is_read_as_well),
		TEST(a_read_that_is_interrupted_is_made_again),
		TEST(a_counter_is_read_without_a_call_where_that_is_possible),
		TEST(and_with_a_call_where_it_is_not),
		TEST(nor_does_it_do_without_if_the_right_goes_meanwhile),
		TEST(what_the_call_refuses_is_told),
		TEST(there_is_no_call_for_what_is_no_element),
		TEST(nobody_sees_a_page_that_is_half_written),
	};

	return cmocka_run_group_tests_name("lib_state_v3", tests, NULL, NULL);
}

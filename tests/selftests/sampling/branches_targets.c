// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whose branches a sample has: the processor keeps them in one stack for all, and no thread
 * gets another's. A thread that is alone keeps its own over switches, which cost it little.
 */
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "array_size.h"
#include "child.h"
#include "event_set.h"
#include "instruction_track.h"
#include "loop.h"
#include "machine.h"
#include "msr.h"
#include "pebs.h"
#include "perf.h"
#include "pfm_test.h"
#include "pingpong.h"
#include "pmrs.h"
#include "pmu.h"
#include "precise_format.h"

#define PERIOD (kernel_is_slow() ? 9967ull : 997ull)
/* Instructions of the user in which several threads take turns. */
#define LENGTH 50000000ul
/* With which this program runs itself, and spins. */
#define SPIN "--spin"

FIXTURE(targets)
{
	unsigned int depth;
	int msr;
};

FIXTURE_SETUP(targets)
{
	self->depth = branches_depth();
	if (!self->depth || !branch_track_exists())
		SKIP(return, "no branch records, or not for 64-bit programs");
	ASSERT_EQ(0, pin_to_cpu(0));
	self->msr = msr_open(0);
	ASSERT_LE(0, self->msr);
}

FIXTURE_TEARDOWN(targets)
{
	close(self->msr);
}

/* Branches of samples of a thread, or of all: on the track, and elsewhere. */
struct places {
	unsigned int samples;
	unsigned int track;
	unsigned int other;
	unsigned int kernel;
};

static struct places look_at_places(const struct precise *p, pid_t pid)
{
	const struct pfm_precise_smpl_entry *entry = NULL;
	struct places places = { 0 };
	unsigned int i, nr;

	while ((entry = precise_next(p, entry))) {
		const struct pfm_precise_smpl_branch *branch =
			branches_of(entry, &nr);

		if (pid && entry->pid != (uint32_t)pid)
			continue;
		places.samples++;
		for (i = 0; i < nr; i++) {
			places.kernel += branch_is_kernel(&branch[i]);
			if (branch_is_of_track(&branch[i]))
				places.track++;
			else
				places.other++;
		}
	}
	return places;
}

/* A session that samples a running child. */
static int sample_child(struct precise *p, pid_t pid, uint64_t period)
{
	if (branches_open(p, 0, LBR_NO_KERNEL, period) ||
	    pfm_attach_session(p->fd, PFM_ATFL_RUNNING, pid))
		return -1;
	return pfm_start_session(p->fd, PFM_STFL_RUNNING);
}

TEST_F(targets, threads_that_take_turns_have_their_own_branches)
{
	const uint64_t periods[] = { 40 * PERIOD, 43 * PERIOD };
	/* The first one executes nothing else once it runs the track. */
	const child_fn fns[] = { branch_track_child, child_spin };
	struct precise p[ARRAY_SIZE(fns)];
	struct places places;
	pid_t pid[ARRAY_SIZE(fns)];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(fns); i++) {
		pid[i] = child_start(fns[i], NULL);
		ASSERT_LT(0, pid[i]);
	}
	/* Both are where they stay. */
	usleep(200000);
	for (i = 0; i < ARRAY_SIZE(fns); i++)
		ASSERT_EQ(0, sample_child(&p[i], pid[i], periods[i]));
	/* The caller takes turns with them, too. */
	counted_loop(LENGTH);
	for (i = 0; i < ARRAY_SIZE(fns); i++) {
		ASSERT_EQ(0, pfm_stop_session(p[i].fd, PFM_STFL_RUNNING));
		child_kill(pid[i]);
		places = look_at_places(&p[i], 0);
		EXPECT_EQ(0, places.kernel);
		EXPECT_EQ(0, i ? places.track : places.other);
		EXPECT_LT(100, places.samples);
		EXPECT_LT(places.samples * self->depth / 2,
			  i ? places.other : places.track);
		precise_close(&p[i]);
	}
}

/* Accesses to the PMU in @rounds round trips of a thread with a session like this. */
static struct pmu_accesses switch_accesses(struct __test_metadata *_metadata,
					   int msr, bool branches, long rounds)
{
	struct pmu_accesses before, since;
	struct pingpong pingpong;
	struct precise p;

	/* No sample in all that. */
	ASSERT_EQ(0, branches_open(&p, 0,
				   branches ? LBR_NO_KERNEL :
					      LBR_NO_KERNEL | LBR_NO_USER,
				   1ull << 30));
	ASSERT_EQ(0, pingpong_start(&pingpong, 0, NULL));
	ASSERT_EQ(0, attach_self(p.fd));
	ASSERT_EQ(0, pfm_start_session(p.fd, 0));
	ASSERT_EQ(0, pingpong_play(&pingpong, 10));
	before = pmu_accesses(msr);
	ASSERT_EQ(0, pingpong_play(&pingpong, rounds));
	since = pmu_accesses_since(msr, &before);
	ASSERT_EQ(0, pfm_stop_session(p.fd, 0));
	pingpong_stop(&pingpong);
	precise_close(&p);
	return since;
}

TEST_F(targets, a_thread_that_is_alone_has_switches_without_a_wipe)
{
	const long rounds = repetitions(10000);
	const long slack = rounds / 20 + 2 * self->depth;
	struct pmu_accesses with, without;
	bool shared = branches_have_erratum();

	without = switch_accesses(_metadata, self->msr, false, rounds);
	with = switch_accesses(_metadata, self->msr, true, rounds);
	/* Off and on again; where threads of a core share the filter, DEBUGCTL as well. */
	EXPECT_GE((shared ? 3 : 2) * rounds + slack,
		  (long)(with.wrmsr - without.wrmsr));
	EXPECT_GE((shared ? 2 : 1) * rounds + slack,
		  (long)(with.rdmsr - without.rdmsr));
	/* The machine counts these accesses. */
	EXPECT_LE(2 * rounds - slack, (long)(with.wrmsr - without.wrmsr));
}

/* Lets others run, and has no session. */
static int yield_for_ever(void *arg)
{
	(void)arg;
	while (!sched_yield())
		;
	return 1;
}

TEST_F(targets, history_goes_on_over_switches_of_a_thread_that_is_alone)
{
	const struct pfm_precise_smpl_entry *entry = NULL;
	unsigned int nr, samples = 0, whole = 0;
	struct precise p;
	pid_t other;
	long i;

	other = child_start(yield_for_ever, NULL);
	ASSERT_LT(0, other);
	ASSERT_EQ(0, branches_open(&p, 0, LBR_NO_KERNEL, PERIOD));
	ASSERT_EQ(0, attach_self(p.fd));
	ASSERT_EQ(0, pfm_start_session(p.fd, 0));
	/* The program takes some branches only from one switch to the next. */
	for (i = 0; i < 20000; i++)
		sched_yield();
	ASSERT_EQ(0, pfm_stop_session(p.fd, 0));
	child_kill(other);
	while ((entry = precise_next(&p, entry))) {
		branches_of(entry, &nr);
		samples++;
		whole += nr == self->depth;
	}
	EXPECT_LT(10, samples);
	EXPECT_EQ(samples, whole);
	precise_close(&p);
}

TEST_F(targets, branches_of_a_cpu_are_of_the_thread_of_the_sample)
{
	const uint64_t selects[] = { LBR_NO_KERNEL, LBR_NO_KERNEL | LBR_NO_FAR,
				     0 };
	struct places track, spin;
	struct precise p;
	pid_t pid[2];
	size_t i;

	pid[0] = child_start(branch_track_child, NULL);
	pid[1] = child_start(child_spin, NULL);
	ASSERT_LT(0, pid[0]);
	ASSERT_LT(0, pid[1]);
	usleep(200000);
	for (i = 0; i < ARRAY_SIZE(selects); i++) {
		ASSERT_EQ(0, branches_open(&p, PFM_FL_SYSTEM_WIDE, selects[i],
					   40 * PERIOD));
		ASSERT_EQ(0, pfm_attach_session(p.fd, 0, 0));
		ASSERT_EQ(0, pfm_start_session(p.fd, 0));
		counted_loop(LENGTH);
		ASSERT_EQ(0, pfm_stop_session(p.fd, 0));
		track = look_at_places(&p, pid[0]);
		spin = look_at_places(&p, pid[1]);
		EXPECT_LT(50, track.samples);
		EXPECT_LT(50, spin.samples);
		EXPECT_LT(track.samples * self->depth / 2, track.track);
		EXPECT_EQ(0, spin.track);
		if (selects[i]) {
			EXPECT_EQ(0, track.other);
			EXPECT_EQ(0, track.kernel | spin.kernel);
		}
		precise_close(&p);
	}
	child_kill(pid[0]);
	child_kill(pid[1]);
}

/* Some code where the next program has none. */
#define PLACE ((void *)0x10000000)
#define PLACE_SIZE 4096

static bool is_in_place(uint64_t address)
{
	return address - (uintptr_t)PLACE < PLACE_SIZE;
}

/* Loops there and becomes another program, without a branch in between. */
static int exec_from_place(void *arg)
{
	/* dec %ecx; jnz -4; mov $59, %eax; syscall; ret */
	static const unsigned char code[] = { 0xff, 0xc9, 0x75, 0xfc,
					      0xb8, 0x3b, 0,	0,
					      0,    0x0f, 0x05, 0xc3 };
	char *const args[] = { "branches_targets", SPIN, NULL };
	void (*loop_and_exec)(const char *path, char *const *args,
			      char *const *env, unsigned int rounds);
	void *place = mmap(PLACE, PLACE_SIZE,
			   PROT_READ | PROT_WRITE | PROT_EXEC,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);

	(void)arg;
	if (place != PLACE)
		return 126;
	memcpy(place, code, sizeof(code));
	memcpy(&loop_and_exec, &place, sizeof(place));
	loop_and_exec("/proc/self/exe", args, environ, 2000);
	return 127;
}

static unsigned int
branches_in_place(const struct pfm_precise_smpl_entry *entry)
{
	const struct pfm_precise_smpl_branch *branch;
	unsigned int i, nr, found = 0;

	branch = branches_of(entry, &nr);
	for (i = 0; i < nr; i++)
		found += is_in_place(branch[i].from) ||
			 is_in_place(branch[i].to);
	return found;
}

TEST_F(targets, a_new_program_has_no_branches_of_the_old_one)
{
	/* The new one has not taken many branches at its first sample. */
	const uint64_t period = 47;
	const struct pfm_precise_smpl_entry *entry = NULL;
	unsigned int before = 0, after = 0;
	uint64_t k, old;
	struct precise p;
	int status;
	pid_t pid;

	pid = child_start_stopped(exec_from_place, NULL);
	ASSERT_LT(0, pid);
	ASSERT_EQ(0, branches_open(&p, 0, LBR_NO_KERNEL, period));
	ASSERT_EQ(0, pfm_attach_session(p.fd, 0, pid));
	ASSERT_EQ(0, pfm_start_session(p.fd, 0));
	ASSERT_EQ(0, child_continue(pid));
	/* A traced child stops once when it has become the new program. */
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	ASSERT_TRUE(WIFSTOPPED(status));
	old = p.hdr->hdr_count;
	ASSERT_EQ(0, child_continue(pid));
	usleep(200000);
	child_kill(pid);
	for (k = 0; (entry = precise_next(&p, entry)); k++) {
		if (k < old)
			before += branches_in_place(entry);
		else
			after += branches_in_place(entry);
	}
	EXPECT_LT(50 * self->depth, before);
	EXPECT_LT(old, k);
	EXPECT_EQ(0, after);
	precise_close(&p);
}

TEST_F(targets, event_sets_have_their_own_branches)
{
	const struct pfm_precise_smpl_entry *entry = NULL;
	const uint64_t selects[] = {
		LBR_NO_KERNEL | (LBR_NO_KINDS & ~LBR_NO_COND),
		LBR_NO_KERNEL | (LBR_NO_KINDS & ~LBR_NO_REL_JMP),
	};
	struct pfarg_pmd_attr attr = { .reg_long_reset = -20 * PERIOD,
				       .reg_short_reset = -20 * PERIOD };
	const struct pfm_precise_smpl_arg arg = {
		.buf_size = 1 << 20,
		.blocks = PFM_PRECISE_SMPL_BRANCHES,
	};
	const uint64_t timeout = timer_round(1000000);
	struct track_branch expected[MOST_BRANCHES];
	unsigned int i, nr, samples[2] = { 0 };
	struct precise p;
	uint16_t set;

	ASSERT_EQ(0, precise_open(&p, 0, &arg));
	for (set = 0; set < 2; set++) {
		ASSERT_EQ(0,
			  set_make(p.fd, set, PFM_SETFL_TIME_SWITCH, timeout));
		ASSERT_EQ(0, set_write_pmc(p.fd, set, 0, PEBS_INSTRUCTIONS));
		ASSERT_EQ(0, set_write_pmd_attr(p.fd, set, 0, 0, -20 * PERIOD,
						&attr));
		ASSERT_EQ(0, set_write_pmc(p.fd, set, PMC_LBR_SELECT,
					   selects[set]));
	}
	ASSERT_EQ(0, attach_self(p.fd));
	ASSERT_EQ(0, branch_track_run(p.fd, LENGTH / BRANCH_ROUND));
	while ((entry = precise_next(&p, entry))) {
		const struct pfm_precise_smpl_branch *branch =
			branches_of(entry, &nr);

		/* Somewhere in the middle: the kinds are what matters. */
		branch_track_last(20 * BRANCH_ROUND, selects[entry->set],
				  expected, 2);
		for (i = 0; i < nr; i++)
			EXPECT_TRUE(branch[i].from == expected[0].from ||
				    branch[i].from == expected[1].from);
		samples[entry->set]++;
	}
	EXPECT_LT(30, samples[0]);
	EXPECT_LT(30, samples[1]);
	precise_close(&p);
}

/* The stack of branches, and the bits of DEBUGCTL that are about it. */
#define DEBUGCTL 0x1d9
#define DEBUGCTL_LBR 0x801

static uint64_t read_msr(int msr, off_t address)
{
	uint64_t value;

	return pread(msr, &value, sizeof(value), address) == sizeof(value) ?
		       value :
		       ~0ULL;
}

/* By the register that filters them. */
static off_t stack_of(uint32_t control)
{
	return control == 0x1c8	 ? 0x680 :
	       control == 0x14ce ? 0x1500 :
				   0xc0010300;
}

/* What another user of the PMU finds. */
static bool nothing_is_left(int msr, unsigned int depth)
{
	struct pmu_reg reg;
	unsigned int i;

	if (!pmu_reg(PMU_PMC, PMC_LBR_SELECT, &reg) || read_msr(msr, reg.addr))
		return false;
	for (i = 0; i < depth; i++)
		if (read_msr(msr, stack_of(reg.addr) + (off_t)i))
			return false;
	return !(read_msr(msr, DEBUGCTL) & DEBUGCTL_LBR);
}

TEST_F(targets, perf_event_has_the_pmu_in_between)
{
	struct precise p;
	int i;

	for (i = 0; i < 3; i++) {
		ASSERT_EQ(0, branches_open(&p, 0, LBR_NO_KERNEL, 20 * PERIOD));
		ASSERT_EQ(0, attach_self(p.fd));
		ASSERT_EQ(0,
			  branch_track_run(p.fd, LENGTH / 10 / BRANCH_ROUND));
		EXPECT_EQ(0, look_at_places(&p, 0).other);
		EXPECT_LT(100, look_at_places(&p, 0).track);
		EXPECT_FALSE(nothing_is_left(self->msr, self->depth));
		precise_close(&p);
		EXPECT_STREQ("", perf_trouble());
		EXPECT_TRUE(nothing_is_left(self->msr, self->depth));
	}
}

TEST_F(targets, a_cpu_that_comes_back_records_branches)
{
	struct precise p;

	if (cpus_online() < 2)
		SKIP(return, "there is only one CPU");
	ASSERT_EQ(0, branches_open(&p, 0, LBR_NO_KERNEL, 20 * PERIOD));
	ASSERT_EQ(0, pin_to_cpu(1));
	ASSERT_EQ(0, attach_self(p.fd));
	ASSERT_EQ(0, branch_track_run(p.fd, LENGTH / 10 / BRANCH_ROUND));
	ASSERT_EQ(0, pin_to_cpu(0));
	ASSERT_EQ(0, cpu_set_online(1, false));
	ASSERT_EQ(0, branch_track_run(p.fd, LENGTH / 10 / BRANCH_ROUND));
	ASSERT_EQ(0, cpu_set_online(1, true));
	ASSERT_EQ(0, pin_to_cpu(1));
	ASSERT_EQ(0, branch_track_run(p.fd, LENGTH / 10 / BRANCH_ROUND));
	EXPECT_EQ(0, look_at_places(&p, 0).other);
	EXPECT_LT(3 * 100, look_at_places(&p, 0).track);
	precise_close(&p);
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], SPIN))
		return child_spin(NULL);
	return test_harness_run(argc, argv);
}

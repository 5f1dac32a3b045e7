// SPDX-License-Identifier: GPL-2.0-only
/*
 * Overflow interrupts that do not come when they should: after the stop, into
 * the next state, on another processor, never, or without an overflow. Nothing
 * is counted twice, no overflow is forgotten, and nobody complains. The test
 * machine delays, loses and invents interrupts on demand.
 */
#include <time.h>

#include "attr.h"
#include "imode_model.h"
#include "kmsg.h"
#include "loop.h"
#include "machine.h"
#include "message.h"
#include "msr.h"
#include "overflow_period.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"

/*
 * Instructions, at all levels, by which an interrupt is late: far more than a
 * test needs to look at a run and begin the next one, with a million of a
 * kernel's thread between them, or until another CPU has its turn and answers.
 * The period of that run is so long that the log has room for its overflows.
 */
#define LATE 10000000
#define NEXT_PERIOD 9973

/* A run that overflows once, and goes on for some time. */
#define PERIOD 1000
#define ITERATIONS 750

/* Kernel instructions; far more than the way to a system call and back. */
#define KERNEL_LOOP 1000000
#define KERNEL_PERIOD (KERNEL_LOOP - 10)

FIXTURE(late)
{
	int fd;
	int msr;
	int kmsg;
	struct perfctr_probe_log log;
	struct perfctr_probe_record records[PERFCTR_PROBE_LOG_RECORDS];
};

FIXTURE_SETUP(late)
{
	const char *skip;

	self->kmsg = kmsg_open();
	self->fd = probe_start(PERFCTR_PROBE_PCINT, &skip);
	if (skip)
		SKIP(return, "%s", skip);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, pin_to_cpu(0));
	self->msr = msr_open(0);
	ASSERT_LE(0, self->msr);
}

FIXTURE_TEARDOWN(late)
{
	if (self->msr >= 0)
		EXPECT_EQ(0, msr_fault(self->msr, PMU_FAULT_CLEAR));
	close(self->fd);
	EXPECT_EQ(0, probe_unload());
	/* "Dazed and confused": an interrupt that nobody knows. */
	EXPECT_FALSE(kmsg_says(self->kmsg, "NMI"));
}

static struct probe_control one(int period)
{
	return (struct probe_control){
		.i_mode = { pmu_first() },
		.period = { period },
	};
}

static void take_log(struct __test_metadata *_metadata,
		     FIXTURE_DATA(late) * self, int cpu)
{
	ASSERT_EQ(0, probe_log(self->fd, cpu, self->records, &self->log));
}

/* What the log of the processor says; nothing of it is left afterwards. */
static void expect_log(struct __test_metadata *_metadata,
		       FIXTURE_DATA(late) * self, int cpu,
		       unsigned int recorded, unsigned int spurious,
		       unsigned int late)
{
	take_log(_metadata, self, cpu);
	EXPECT_EQ(recorded, self->log.recorded);
	EXPECT_EQ(spurious, self->log.spurious);
	EXPECT_EQ(late, self->log.late);
}

/* Slot 0 overflows in a run, but the interrupt does not come within it. */
static void overflow_without_interrupt(struct __test_metadata *_metadata,
				       FIXTURE_DATA(late) * self,
				       uint64_t fault)
{
	struct probe_control control = one(PERIOD);

	ASSERT_EQ(0, probe_set(self->fd, 0, &control));
	ASSERT_EQ(0, msr_fault(self->msr, fault));
	ASSERT_EQ(0, probe_run(self->fd, 0, ITERATIONS));
	EXPECT_EQ(probe_run_length(ITERATIONS), probe_sum(self->fd, 0, 0));
	expect_log(_metadata, self, 0, 0, 0, 0);
}

/* The overflow of slot 0 is found when it is resumed, exactly once. */
static void expect_found(struct __test_metadata *_metadata,
			 FIXTURE_DATA(late) * self, int cpu)
{
	uint64_t sum = probe_sum(self->fd, 0, 0);

	ASSERT_EQ(0, probe_run(self->fd, 0, ITERATIONS));
	take_log(_metadata, self, cpu);
	/* The one that was late, in the resume, and the next one. */
	ASSERT_EQ(2, self->log.recorded);
	EXPECT_TRUE(probe_in_kernel(self->records[0].ip));
	EXPECT_EQ(1, self->records[0].overflowed);
	EXPECT_EQ(sum, self->records[0].sum[0]);
	EXPECT_EQ(probe_run_address(ITERATIONS, PERIOD), self->records[1].ip);
	EXPECT_EQ(sum + PERIOD, self->records[1].sum[0]);
	EXPECT_EQ(0, self->log.spurious + self->log.late);
	EXPECT_EQ(sum + probe_run_length(ITERATIONS),
		  probe_sum(self->fd, 0, 0));
}

TEST_F(late, an_interrupt_after_the_stop_is_swallowed)
{
	overflow_without_interrupt(_metadata, self,
				   PMU_FAULT(PMU_FAULT_DELAY, LATE));
	counted_loop(2 * LATE);
	expect_log(_metadata, self, 0, 0, 0, 1);
	expect_found(_metadata, self, 0);
}

TEST_F(late, an_interrupt_into_the_next_state_disturbs_nobody)
{
	struct probe_control control = one(NEXT_PERIOD);
	struct predicted other;
	const char *wrong;

	ASSERT_EQ(0, predict_set(self->fd, 1, &control, &other));
	overflow_without_interrupt(_metadata, self,
				   PMU_FAULT(PMU_FAULT_DELAY, LATE));
	ASSERT_EQ(0, probe_run(self->fd, 1, LATE));
	take_log(_metadata, self, 0);
	wrong = predict_run(&other, LATE, self->records, self->log.recorded);
	if (self->log.lost)
		SKIP(return, "the log is too short");
	EXPECT_EQ(NULL, wrong)
	{
		TH_LOG("%s", wrong);
	}
	EXPECT_EQ(other.sum, probe_sum(self->fd, 1, 0));
	/* Intel's APIC drops one that comes while another is being handled. */
	EXPECT_GE(1, self->log.spurious);
	EXPECT_EQ(0, self->log.late);
	expect_found(_metadata, self, 0);
}

TEST_F(late, an_interrupt_while_only_a_mode_counters_run_is_spurious)
{
	struct probe_control control = { .a_mode = { pmu_first() } };

	ASSERT_EQ(1, probe_set(self->fd, 1, &control));
	overflow_without_interrupt(_metadata, self,
				   PMU_FAULT(PMU_FAULT_DELAY, LATE));
	ASSERT_EQ(0, probe_run(self->fd, 1, LATE));
	EXPECT_EQ(probe_run_length(LATE), probe_sum(self->fd, 1, 0));
	expect_log(_metadata, self, 0, 0, 1, 0);
	expect_found(_metadata, self, 0);
}

TEST_F(late, a_lost_interrupt_is_made_up_for_by_the_next_resume)
{
	overflow_without_interrupt(_metadata, self,
				   PMU_FAULT(PMU_FAULT_LOSE, 1));
	counted_loop(2 * LATE);
	expect_log(_metadata, self, 0, 0, 0, 0);
	expect_found(_metadata, self, 0);
}

TEST_F(late, a_late_interrupt_finds_its_state_on_another_processor)
{
	if (cpus_that_count() < 2)
		SKIP(return, "needs two processors");
	overflow_without_interrupt(_metadata, self,
				   PMU_FAULT(PMU_FAULT_DELAY, LATE));
	ASSERT_EQ(0, pin_to_cpu(1));
	expect_found(_metadata, self, 1);
	ASSERT_EQ(0, pin_to_cpu(0));
	counted_loop(2 * LATE);
	expect_log(_metadata, self, 0, 0, 0, 1);
}

TEST_F(late, an_interrupt_without_an_overflow_changes_nothing)
{
	struct probe_control control = one(PERIOD);
	uint64_t sum;
	unsigned int i;

	ASSERT_EQ(0, probe_set(self->fd, 0, &control));
	ASSERT_EQ(0, probe_resume(self->fd, 0));
	for (i = 0; i < 10; i++) {
		counted_loop(12345 * 2);
		ASSERT_EQ(0, msr_fault(self->msr,
				       PMU_FAULT(PMU_FAULT_SPURIOUS, 0)));
	}
	ASSERT_EQ(0, probe_suspend(self->fd, 0));
	sum = probe_sum(self->fd, 0, 0);
	expect_log(_metadata, self, 0, (unsigned int)(sum / PERIOD), 10, 0);
	for (i = 0; i < self->log.recorded; i++)
		EXPECT_EQ(PERIOD * (i + 1ULL), self->records[i].sum[0]);

	/* ... nor when nothing is there at all. */
	ASSERT_EQ(0, msr_fault(self->msr, PMU_FAULT(PMU_FAULT_SPURIOUS, 0)));
	counted_loop(100000);
	expect_log(_metadata, self, 0, 0, 0, 1);
}

/* Slot 0 overflows in the kernel with interrupts off, and is taken off. */
static void overflow_with_interrupts_off(struct __test_metadata *_metadata,
					 FIXTURE_DATA(late) * self, bool stay)
{
	struct probe_control control = one(KERNEL_PERIOD);

	control.kernel = true;
	ASSERT_EQ(0, probe_set(self->fd, 0, &control));
	ASSERT_EQ(0, probe_kernel_loop(self->fd, 0, KERNEL_LOOP, stay));
}

/* The log has been taken. @others: other interrupts may have come first. */
static void expect_found_in_kernel(struct __test_metadata *_metadata,
				   FIXTURE_DATA(late) * self, bool others)
{
	/* Of the operations themselves; more where all memory is checked. */
	const unsigned int rest = kernel_is_slow() || others ? 10000 : 1000;

	ASSERT_EQ(1, self->log.recorded);
	EXPECT_EQ(1, self->records[0].overflowed);
	EXPECT_TRUE(probe_in_kernel(self->records[0].ip));
	EXPECT_LE(KERNEL_LOOP, self->records[0].sum[0]);
	EXPECT_GT(KERNEL_LOOP + rest, self->records[0].sum[0]);
	EXPECT_EQ(0, self->log.spurious);
}

TEST_F(late, interrupts_off_delay_the_overflow_to_the_resume)
{
	overflow_with_interrupts_off(_metadata, self, false);
	/* The interrupt itself came as soon as it could: to nobody. */
	expect_log(_metadata, self, 0, 0, 0, 1);
	ASSERT_EQ(0, probe_resume(self->fd, 0));
	ASSERT_EQ(0, probe_suspend(self->fd, 0));
	take_log(_metadata, self, 0);
	expect_found_in_kernel(_metadata, self, false);
	EXPECT_EQ(0, self->log.late);
}

TEST_F(late, interrupts_off_delay_the_overflow_to_a_resume_elsewhere)
{
	if (cpus_that_count() < 2)
		SKIP(return, "needs two processors");
	overflow_with_interrupts_off(_metadata, self, false);
	ASSERT_EQ(0, pin_to_cpu(1));
	ASSERT_EQ(0, probe_resume(self->fd, 0));
	ASSERT_EQ(0, probe_suspend(self->fd, 0));
	take_log(_metadata, self, 1);
	expect_found_in_kernel(_metadata, self, false);
	expect_log(_metadata, self, 0, 0, 0, 1);
}

TEST_F(late, interrupts_off_across_suspend_and_resume_lose_nothing)
{
	int tries = kernel_is_slow() ? 5 : 1;

	/*
	 * A thread of the kernel that comes before the suspend counts, too: once it
	 * had a million instructions for a second overflow, of a kernel that checks
	 * its memory.
	 */
	do {
		overflow_with_interrupts_off(_metadata, self, true);
		ASSERT_EQ(0, probe_suspend(self->fd, 0));
		take_log(_metadata, self, 0);
	} while (self->log.recorded > 1 && --tries);
	/* Interrupts that other CPUs sent meanwhile are taken first, and count. */
	expect_found_in_kernel(_metadata, self, cpus_online() > 1);
	EXPECT_EQ(0, self->log.late);
}

/* The kernel instructions of a loop with interrupts off, and some more. */
static uint64_t counted_kernel_loop(int fd, unsigned int instructions)
{
	uint64_t before = probe_sum(fd, 0, 0);

	if (probe_kernel_loop(fd, 0, instructions, false))
		return 0;
	return probe_sum(fd, 0, 0) - before;
}

TEST_F(late, kernel_instructions_are_counted_exactly)
{
	struct probe_control control = one(KERNEL_PERIOD);
	uint64_t constant;

	control.kernel = true;
	ASSERT_EQ(0, probe_set(self->fd, 0, &control));
	/* The first resume writes the counter, the others do not. */
	counted_kernel_loop(self->fd, 2000);
	constant = counted_kernel_loop(self->fd, 2000) - 2000;
	EXPECT_GT(1000, constant);
	EXPECT_EQ(20000 + constant, counted_kernel_loop(self->fd, 20000));
	EXPECT_EQ(200000 + constant, counted_kernel_loop(self->fd, 200000));
	expect_log(_metadata, self, 0, 0, 0, 0);
}

/*
 * The same for a session of a thread that is never switched: nothing but the
 * tick can notice.
 */
FIXTURE(tick)
{
	int fd;
	int msr;
};

FIXTURE_SETUP(tick)
{
	NEEDS_INTERRUPTS();
	ASSERT_EQ(0, pin_to_cpu(0));
	self->msr = msr_open(0);
	if (self->msr < 0)
		SKIP(return, "not the test machine");
	self->fd = period_session(0, PERIOD);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, attach_self(self->fd));
}

FIXTURE_TEARDOWN(tick)
{
	EXPECT_EQ(0, msr_fault(self->msr, PMU_FAULT_CLEAR));
	close(self->fd);
	close(self->msr);
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

/* The coarse clock is one that the tick brings up to date. */
static uint64_t tick_ns(void)
{
	struct timespec t;

	clock_getres(CLOCK_MONOTONIC_COARSE, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

/* Nanoseconds until there is a message, at most @limit. */
static uint64_t wait_busily(int fd, union pfarg_msg *msg, uint64_t limit)
{
	const uint64_t start = now_ns();
	uint64_t elapsed;

	do {
		counted_loop(PERIOD);
		elapsed = now_ns() - start;
	} while (message_take(fd, msg) && elapsed < limit);
	return elapsed;
}

TEST_F(tick, a_lost_interrupt_is_made_up_for_by_the_tick)
{
	const int64_t before =
		file_number(PERFMON_DEBUGFS "cpu0/ovfl_intr_replay_count");
	const uint64_t limit = 10 * tick_ns();
	union pfarg_msg msg;

	ASSERT_EQ(0, msr_fault(self->msr, PMU_FAULT(PMU_FAULT_LOSE, 1)));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	/* The overflow itself, and what the kernel does, take a little. */
	EXPECT_GE(3 * tick_ns(), wait_busily(self->fd, &msg, limit));
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	EXPECT_TRUE(message_names(&msg, 1ULL << pmu_first()->pmd));
	if (before >= 0)
		EXPECT_EQ(before + 1,
			  file_number(PERFMON_DEBUGFS
				      "cpu0/ovfl_intr_replay_count"));
}

TEST_HARNESS_MAIN

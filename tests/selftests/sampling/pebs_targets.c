// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records of PEBS where the processor has several to write for: threads that take turns,
 * CPUs, event sets, and CPUs that come and go. No record is another's, and none is lost
 * without being counted.
 *
 * See pebs.c for what the machine puts into a record.
 */
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "array_size.h"
#include "attr.h"
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
#include "precise_format.h"
#include "unprivileged.h"

#define PERIOD (kernel_is_slow() ? 9967ull : 997ull)
#define BUFFER (1 << 20)
/* Instructions of the user in which several threads take turns. */
#define LENGTH 50000000ul

FIXTURE(targets)
{
	int msr;
};

FIXTURE_SETUP(targets)
{
	if (!pebs_exists())
		SKIP(return, "no PEBS");
	ASSERT_EQ(0, pin_to_cpu(0));
	self->msr = msr_open(0);
	ASSERT_LE(0, self->msr);
}

FIXTURE_TEARDOWN(targets)
{
	close(self->msr);
}

/* With entries that have neither blocks nor values. */
static int open_plain(struct precise *p, int flags, uint32_t buf_flags,
		      uint64_t size)
{
	const struct pfm_precise_smpl_arg arg = { .buf_size = size,
						  .buf_flags = buf_flags };

	return precise_open(p, flags, &arg);
}

/* Records of the user: on the track, and elsewhere. */
struct places {
	unsigned int track;
	unsigned int other;
	unsigned int kernel;
	unsigned int wrong_pid;
};

static struct places look_at_places(const struct precise *p, pid_t pid)
{
	const struct pfm_precise_smpl_entry *entry = NULL;
	struct places places = { 0 };

	while ((entry = precise_next(p, entry))) {
		places.wrong_pid += entry->pid != (uint32_t)pid;
		if (pebs_is_kernel(entry->ip))
			places.kernel++;
		else if (track_position(entry->ip) >= 0)
			places.track++;
		else
			places.other++;
	}
	return places;
}

/* A session that samples a running child. */
static int sample_child(struct precise *p, pid_t pid, uint64_t period)
{
	if (open_plain(p, 0, 0, BUFFER) ||
	    pebs_instructions(p->fd, 0, period) ||
	    pfm_attach_session(p->fd, PFM_ATFL_RUNNING, pid))
		return -1;
	return pfm_start_session(p->fd, PFM_STFL_RUNNING);
}

TEST_F(targets, threads_that_take_turns_have_their_own_records)
{
	/* One runs the track, the other one does not, with records of the same counter. */
	const uint64_t periods[] = { 20 * PERIOD, 23 * PERIOD };
	const child_fn fns[] = { track_child, child_spin };
	struct precise p[ARRAY_SIZE(fns)];
	struct places places;
	pid_t pid[ARRAY_SIZE(fns)];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(fns); i++) {
		pid[i] = child_start(fns[i], NULL);
		ASSERT_LT(0, pid[i]);
		ASSERT_EQ(0, sample_child(&p[i], pid[i], periods[i]));
	}
	/* The caller takes turns with them, too. */
	counted_loop(LENGTH);
	for (i = 0; i < ARRAY_SIZE(fns); i++) {
		ASSERT_EQ(0, pfm_stop_session(p[i].fd, PFM_STFL_RUNNING));
		child_kill(pid[i]);
		places = look_at_places(&p[i], pid[i]);
		EXPECT_EQ(0, places.kernel | places.wrong_pid);
		EXPECT_EQ(0, i ? places.track : places.other);
		EXPECT_LT(LENGTH / (23 * PERIOD) / 5,
			  i ? places.other : places.track);
		precise_close(&p[i]);
	}
}

TEST_F(targets, no_record_is_lost_in_switches)
{
	/* The user's instructions of a round are few. */
	const uint64_t period = 97;
	struct pingpong pingpong;
	uint64_t events, value, accounted;
	struct precise p[2];
	size_t i;

	ASSERT_EQ(0, pingpong_start(&pingpong, 0, NULL));
	for (i = 0; i < ARRAY_SIZE(p); i++) {
		ASSERT_EQ(0, open_plain(&p[i], 0, 0, BUFFER));
		ASSERT_EQ(0, pebs_instructions(p[i].fd, 0, period));
		/* One beside it counts what there was. */
		ASSERT_EQ(0, write_pmc(p[i].fd, 1, PEBS_INSTRUCTIONS));
		ASSERT_EQ(0, write_pmd(p[i].fd, 1, 0));
		ASSERT_EQ(0,
			  pfm_attach_session(p[i].fd, PFM_ATFL_RUNNING,
					     i ? pingpong.partner : gettid()));
		ASSERT_EQ(0, pfm_start_session(p[i].fd, PFM_STFL_RUNNING));
	}
	ASSERT_EQ(0, pingpong_play(&pingpong, repetitions(5000)));
	for (i = 0; i < ARRAY_SIZE(p); i++)
		ASSERT_EQ(0, pfm_stop_session(p[i].fd, PFM_STFL_RUNNING));
	for (i = 0; i < ARRAY_SIZE(p); i++) {
		ASSERT_EQ(0, pfm_attach_session(p[i].fd, PFM_ATFL_RUNNING,
						PFM_NO_TARGET));
		ASSERT_EQ(0, read_pmd(p[i].fd, 0, &value));
		ASSERT_EQ(0, read_pmd(p[i].fd, 1, &events));
		accounted = (p[i].hdr->hdr_count + p[i].hdr->hdr_filtered) *
				    (period + 1) +
			    value + period;
		/*
		 * One more for each switch between an overflow and its record.  The
		 * counters do not start and stop at the same instruction.
		 */
		EXPECT_LE(accounted, events);
		EXPECT_GE(accounted + repetitions(5000) / 10 + 2, events)
		{
			TH_LOG("%llu of %llu events in %llu records",
			       (unsigned long long)accounted,
			       (unsigned long long)events,
			       (unsigned long long)p[i].hdr->hdr_count);
		}
		EXPECT_LT(0, p[i].hdr->hdr_count);
		EXPECT_EQ(0, p[i].hdr->hdr_stray);
		precise_close(&p[i]);
	}
	pingpong_stop(&pingpong);
}

TEST_F(targets, a_counter_without_records_interrupts_in_another_thread)
{
	const unsigned long rounds = 20000 * PERIOD / TRACK_ROUND;
	const uint64_t period = 20 * PERIOD, skid = 7;
	struct precise records, plain;
	pid_t pid;

	/* The same counter makes records of the child, and overflows of the caller. */
	pid = child_start(child_spin, NULL);
	ASSERT_LT(0, pid);
	ASSERT_EQ(0, sample_child(&records, pid, 50 * PERIOD));
	ASSERT_EQ(0, open_plain(&plain, 0, 0, BUFFER));
	ASSERT_EQ(0, pebs_program(plain.fd, 0, PEBS_INSTRUCTIONS, 0, period));
	ASSERT_EQ(0, attach_self(plain.fd));
	/* So late that a record would be there before the interrupt. */
	ASSERT_EQ(0, msr_fault(self->msr, PMU_FAULT(PMU_FAULT_SKID, skid)));
	ASSERT_EQ(0, track_run(plain.fd, rounds));
	ASSERT_EQ(0, msr_fault(self->msr, PMU_FAULT_CLEAR));
	child_kill(pid);
	EXPECT_GE(track_length(rounds) / period, plain.hdr->hdr_count);
	EXPECT_LE(track_length(rounds) / (period + skid + 1),
		  plain.hdr->hdr_count);
	EXPECT_LT(0, records.hdr->hdr_count);
	EXPECT_EQ(0, look_at_places(&records, pid).track);
	EXPECT_EQ(0, records.hdr->hdr_stray);
	precise_close(&plain);
	precise_close(&records);
}

TEST_F(targets, records_of_a_cpu_have_the_ids_of_their_thread)
{
	const struct pfm_precise_smpl_entry *entry = NULL;
	unsigned int child = 0, other = 0;
	struct precise p;
	pid_t pid;

	pid = child_start(track_child, NULL);
	ASSERT_LT(0, pid);
	ASSERT_EQ(0, open_plain(&p, PFM_FL_SYSTEM_WIDE, 0, BUFFER));
	EXPECT_EQ(1, p.hdr->hdr_batch);
	ASSERT_EQ(0, pebs_instructions(p.fd, 0, 20 * PERIOD));
	ASSERT_EQ(0, pfm_attach_session(p.fd, 0, 0));
	ASSERT_EQ(0, pfm_start_session(p.fd, 0));
	counted_loop(LENGTH);
	ASSERT_EQ(0, pfm_stop_session(p.fd, 0));
	child_kill(pid);
	while ((entry = precise_next(&p, entry))) {
		EXPECT_FALSE(pebs_is_kernel(entry->ip));
		EXPECT_EQ(entry->pid == (uint32_t)pid,
			  track_position(entry->ip) >= 0);
		if (entry->pid == (uint32_t)pid)
			child++;
		else
			other++;
	}
	EXPECT_LT(100, child);
	EXPECT_LT(100, other);
	precise_close(&p);
}

TEST_F(targets, records_of_a_cpu_without_ids_come_in_batches)
{
	const struct pfm_precise_smpl_entry *entry = NULL;
	uint64_t interrupts, records;
	struct precise p;

	ASSERT_EQ(0, open_plain(&p, PFM_FL_SYSTEM_WIDE, PFM_PRECISE_SMPL_NO_IDS,
				BUFFER));
	ASSERT_EQ(0, pebs_instructions(p.fd, 0, PERIOD));
	ASSERT_EQ(0, pfm_attach_session(p.fd, 0, 0));
	records = msr_stat(self->msr, PMU_STAT_PEBS);
	interrupts = msr_stat(self->msr, PMU_STAT_PMI);
	ASSERT_EQ(0, pfm_start_session(p.fd, 0));
	counted_loop(1000 * PERIOD);
	ASSERT_EQ(0, pfm_stop_session(p.fd, 0));
	interrupts = msr_stat(self->msr, PMU_STAT_PMI) - interrupts;
	records = msr_stat(self->msr, PMU_STAT_PEBS) - records;
	EXPECT_LT(990, records);
	EXPECT_EQ(records, p.hdr->hdr_count);
	EXPECT_EQ(records / 64, interrupts);
	while ((entry = precise_next(&p, entry)))
		ASSERT_EQ(0, entry->pid | entry->tgid);
	precise_close(&p);
}

TEST_F(targets, records_without_room_are_counted)
{
	const unsigned long rounds = 1000 * PERIOD / TRACK_ROUND;
	uint64_t made, dropped, stored;
	struct precise p;

	ASSERT_EQ(0, open_plain(&p, 0, PFM_PRECISE_SMPL_HALVES, 20000));
	ASSERT_EQ(0, pebs_instructions(p.fd, 0, PERIOD));
	ASSERT_EQ(0, attach_self(p.fd));
	made = msr_stat(self->msr, PMU_STAT_PEBS);
	dropped = msr_stat(self->msr, PMU_STAT_PEBS_DROPPED);
	ASSERT_EQ(0, track_run(p.fd, rounds));
	made = msr_stat(self->msr, PMU_STAT_PEBS) - made;
	EXPECT_EQ(dropped, msr_stat(self->msr, PMU_STAT_PEBS_DROPPED));
	/* Both halves have been filled once. */
	stored = (p.hdr->hdr_full_offs[0] - sizeof(*p.hdr) +
		  p.hdr->hdr_full_offs[1] - sizeof(*p.hdr) -
		  p.hdr->hdr_half_size) /
		 sizeof(struct pfm_precise_smpl_entry);
	EXPECT_LT(100, stored);
	EXPECT_EQ(track_length(rounds) / (PERIOD + 1), made);
	EXPECT_EQ(made, stored + precise_lost(p.fd));
	EXPECT_EQ(2, p.hdr->hdr_overflows);
	precise_close(&p);
}

TEST_F(targets, lost_interrupts_are_made_up_for)
{
	uint64_t made, dropped;
	struct precise p;

	/* A switch would take the records as well. */
	ASSERT_EQ(0, pebs_take_the_cpu());
	ASSERT_EQ(0, open_plain(&p, 0, 0, BUFFER));
	ASSERT_EQ(0, pebs_instructions(p.fd, 0, 50 * PERIOD));
	ASSERT_EQ(0, attach_self(p.fd));
	made = msr_stat(self->msr, PMU_STAT_PEBS);
	dropped = msr_stat(self->msr, PMU_STAT_PEBS_DROPPED);
	/* None comes at all: the tick finds that the memory is full. */
	ASSERT_EQ(0, msr_fault(self->msr, PMU_FAULT(PMU_FAULT_LOSE, 1000000)));
	ASSERT_EQ(0, pfm_start_session(p.fd, 0));
	counted_loop(LENGTH);
	ASSERT_EQ(0, pfm_stop_session(p.fd, 0));
	ASSERT_EQ(0, msr_fault(self->msr, PMU_FAULT_CLEAR));
	made = msr_stat(self->msr, PMU_STAT_PEBS) - made;
	EXPECT_EQ(dropped, msr_stat(self->msr, PMU_STAT_PEBS_DROPPED));
	EXPECT_EQ(made, p.hdr->hdr_count);
	EXPECT_EQ(LENGTH / (50 * PERIOD + 1), p.hdr->hdr_count);
	precise_close(&p);
}

TEST_F(targets, event_sets_have_their_own_records)
{
	const struct pfm_precise_smpl_entry *entry = NULL;
	uint64_t events, value, records[2] = { 0 };
	struct pfarg_pmd_attr attr = { .reg_long_reset = -20 * PERIOD,
				       .reg_short_reset = -20 * PERIOD };
	const uint64_t timeout = timer_round(1000000);
	struct precise p;
	uint16_t set;

	ASSERT_EQ(0, open_plain(&p, 0, 0, BUFFER));
	for (set = 0; set < 2; set++) {
		ASSERT_EQ(0,
			  set_make(p.fd, set, PFM_SETFL_TIME_SWITCH, timeout));
		ASSERT_EQ(0, set_write_pmc(p.fd, set, set, PEBS_INSTRUCTIONS));
		ASSERT_EQ(0, set_write_pmd_attr(p.fd, set, set, 0, -20 * PERIOD,
						&attr));
		ASSERT_EQ(0, set_write_pmc(p.fd, set, PMC_PEBS_ENABLE,
					   1ULL << set));
		ASSERT_EQ(0, set_write_pmc(p.fd, set, 2, PEBS_INSTRUCTIONS));
		ASSERT_EQ(0, set_write_pmd(p.fd, set, 2, 0));
	}
	ASSERT_EQ(0, attach_self(p.fd));
	ASSERT_EQ(0, pfm_start_session(p.fd, 0));
	counted_loop(LENGTH);
	ASSERT_EQ(0, pfm_stop_session(p.fd, 0));
	while ((entry = precise_next(&p, entry))) {
		ASSERT_EQ(entry->set, entry->ovfl_pmd);
		ASSERT_EQ(1ULL << entry->set, entry->pmds);
		records[entry->set]++;
	}
	for (set = 0; set < 2; set++) {
		EXPECT_LT(100, records[set]);
		ASSERT_EQ(0, set_read_pmd(p.fd, set, set, &value));
		ASSERT_EQ(0, set_read_pmd(p.fd, set, 2, &events));
		/* See above: the counters start and stop one after the other. */
		EXPECT_GT(100, events - records[set] * (20 * PERIOD + 1) -
				       value - 20 * PERIOD);
	}
	precise_close(&p);
}

TEST_F(targets, perf_event_has_the_pmu_in_between)
{
	const unsigned long rounds = 100 * PERIOD / TRACK_ROUND;
	struct precise p;
	int i;

	for (i = 0; i < 3; i++) {
		ASSERT_EQ(0, open_plain(&p, 0, 0, BUFFER));
		ASSERT_EQ(0, pebs_instructions(p.fd, 0, PERIOD));
		ASSERT_EQ(0, attach_self(p.fd));
		ASSERT_EQ(0, track_run(p.fd, rounds));
		EXPECT_EQ(track_length(rounds) / (PERIOD + 1),
			  p.hdr->hdr_count);
		precise_close(&p);
		EXPECT_STREQ("", perf_trouble());
	}
}

TEST_F(targets, a_cpu_that_comes_back_makes_records)
{
	const unsigned long rounds = 100 * PERIOD / TRACK_ROUND;
	struct precise p;

	if (cpus_online() < 2)
		SKIP(return, "there is only one CPU");
	ASSERT_EQ(0, cpu_set_online(1, false));
	ASSERT_EQ(0, open_plain(&p, 0, 0, BUFFER));
	ASSERT_EQ(0, pebs_instructions(p.fd, 0, PERIOD));
	ASSERT_EQ(0, cpu_set_online(1, true));
	ASSERT_EQ(0, pin_to_cpu(1));
	ASSERT_EQ(0, attach_self(p.fd));
	ASSERT_EQ(0, track_run(p.fd, rounds));
	EXPECT_EQ(track_length(rounds) / (PERIOD + 1), p.hdr->hdr_count);
	precise_close(&p);
	/* And one that leaves while it makes some. */
	ASSERT_EQ(0, pin_to_cpu(0));
	ASSERT_EQ(0, open_plain(&p, PFM_FL_SYSTEM_WIDE, 0, BUFFER));
	ASSERT_EQ(0, pebs_instructions(p.fd, 0, PERIOD));
	ASSERT_EQ(0, pfm_attach_session(p.fd, 0, 1));
	ASSERT_EQ(0, pfm_start_session(p.fd, PFM_STFL_RUNNING));
	ASSERT_EQ(0, cpu_set_online(1, false));
	ASSERT_EQ(0, cpu_set_online(1, true));
	EXPECT_EQ(EINVAL, ERRNO(pfm_stop_session(p.fd, PFM_STFL_RUNNING)));
	precise_close(&p);
}

/*
 * No word of the buffer is an address of the kernel. Registers may have other negative
 * numbers: small ones, and the random one that protects the stack.
 */
static bool buffer_is_clean(const struct precise *p)
{
	const uint64_t *word = (const void *)(p->hdr + 1);
	const uint64_t *end =
		(const void *)((const char *)p->hdr + p->hdr->hdr_cur_offs);

	for (; word < end; word++)
		if (*word >= 0xffff800000000000 && *word < -(1ULL << 20))
			return false;
	return true;
}

/* As a user without rights; the result is the number of the step that failed, or 0. */
static int sample_unprivileged(void *unused)
{
	const struct pfm_precise_smpl_arg arg = {
		.buf_size = BUFFER,
		.blocks = PFM_PRECISE_SMPL_GPRS | PFM_PRECISE_SMPL_MEM,
	};
	struct precise p;
	int i;

	(void)unused;
	if (precise_open(&p, 0, &arg))
		return 1;
	if (!write_pmc(p.fd, 0, PEBS_INSTRUCTIONS | PEBS_KERNEL) ||
	    errno != EPERM)
		return 2;
	/* So that the instruction that calls the kernel is hit now and then. */
	if (pebs_instructions(p.fd, 0, pebs_shortest() < 12 ? 12 : 37))
		return 3;
	if (attach_self(p.fd) || pfm_start_session(p.fd, 0))
		return 4;
	for (i = 0; i < 2000; i++)
		syscall(SYS_getppid);
	if (pfm_stop_session(p.fd, 0))
		return 5;
	if (!p.hdr->hdr_count)
		return 6;
	if (!p.hdr->hdr_filtered)
		return 7;
	if (!buffer_is_clean(&p))
		return 8;
	return 0;
}

TEST_F(targets, users_sample_their_programs_without_the_kernel)
{
	EXPECT_EQ(0, unprivileged(NO_GROUP, sample_unprivileged, NULL));
}

TEST_HARNESS_MAIN

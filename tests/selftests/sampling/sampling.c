// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sampling format "default": what is recorded, and what happens when the
 * buffer is full. Conformance cases C112 to C115, C118 and C120, for
 * which these programs also run as 32-bit programs. Buffers as such are the
 * subject of buffer.c, the exactness of the periods that of periods.c.
 */
#include <pthread.h>

#include "child.h"
#include "default_format.h"
#include "instruction_track.h"
#include "layout.h"
#include "machine.h"
#include "message.h"
#include "overflow_period.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"

#define PERIOD 1000
#define ENTRIES 100

/* More instructions than it takes to fill the buffer once, but not twice. */
#define ROUNDS 20000UL

FIXTURE(self)
{
	struct sampler sampler;
	const struct pfm_dfl_smpl_hdr *hdr;
	int fd;
	uint16_t pmd;
};

FIXTURE_SETUP(self)
{
	NEEDS_INTERRUPTS();
	self->pmd = pmu_first()->pmd;
	ASSERT_EQ(0, sampler_open(&self->sampler, 0, dfl_size(ENTRIES)));
	self->fd = self->sampler.fd;
	self->hdr = self->sampler.hdr;
	ASSERT_EQ(0, period_program(self->fd, pmu_first(),
				    PFM_REGFL_OVFL_NOTIFY, PERIOD, NULL));
	ASSERT_EQ(0, attach_self(self->fd));
}

FIXTURE_TEARDOWN(self)
{
	sampler_close(&self->sampler);
}

TEST_F(self, C112_the_header_tells_of_a_full_buffer)
{
	union pfarg_msg msg;

	ASSERT_EQ(0, track_run(self->fd, ROUNDS));
	ASSERT_EQ(0, message_take(self->fd, &msg));
	/* The sample that fills the buffer is in it. */
	EXPECT_EQ(track_ip(ROUNDS, PERIOD * ENTRIES + 1),
		  msg.pfm_ovfl_msg.msg_ovfl_ip);
	EXPECT_EQ(EAGAIN, message_take(self->fd, &msg));
	EXPECT_EQ(1, self->hdr->hdr_overflows);
	EXPECT_EQ(ENTRIES, self->hdr->hdr_count);
	EXPECT_EQ(128 + 40 * ENTRIES, self->hdr->hdr_cur_offs);
	EXPECT_GT(self->hdr->hdr_min_buf_space,
		  self->hdr->hdr_buf_size - self->hdr->hdr_cur_offs);
}

TEST_F(self, C112_an_entry_tells_of_an_overflow)
{
	const struct pfm_dfl_smpl_entry *entry = NULL;
	uint64_t last[8] = { 0 };
	unsigned int n = 0;

	ASSERT_EQ(0, track_run(self->fd, ROUNDS));
	while ((entry = sampler_next(&self->sampler, entry, 0))) {
		n++;
		ASSERT_EQ((uint32_t)gettid(), entry->pid);
		ASSERT_EQ((uint32_t)getpid(), entry->tgid);
		ASSERT_EQ(self->pmd, entry->ovfl_pmd);
		ASSERT_EQ(0, entry->doubled);
		ASSERT_EQ(0, entry->set);
		ASSERT_EQ(-PERIOD, (int64_t)entry->last_reset_val);
		ASSERT_EQ(track_ip(ROUNDS, PERIOD * n + 1), entry->ip);
		ASSERT_GT(ARRAY_SIZE(last), entry->cpu);
		ASSERT_LT(last[entry->cpu], entry->tstamp);
		last[entry->cpu] = entry->tstamp;
	}
	EXPECT_EQ(ENTRIES, n);
}

/* A thread that is not the first one of its process, on the last processor. */
static void *sample_on_last_cpu(void *arg)
{
	struct sampler *sampler = arg;

	if (pin_to_cpu(cpus_that_count() - 1) || attach_self(sampler->fd) ||
	    track_run(sampler->fd, ROUNDS))
		return NULL;
	return (void *)(long)gettid();
}

TEST_F(self, C112_an_entry_names_thread_process_and_cpu)
{
	const struct pfm_dfl_smpl_entry *entry = NULL;
	unsigned int n = 0;
	pthread_t thread;
	void *tid;

	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	ASSERT_EQ(0, pthread_create(&thread, NULL, sample_on_last_cpu,
				    &self->sampler));
	ASSERT_EQ(0, pthread_join(thread, &tid));
	ASSERT_NE(NULL, tid);
	ASSERT_NE(getpid(), (long)tid);
	while ((entry = sampler_next(&self->sampler, entry, 0))) {
		n++;
		ASSERT_EQ((long)tid, (long)entry->pid);
		ASSERT_EQ((uint32_t)getpid(), entry->tgid);
		ASSERT_EQ(cpus_that_count() - 1, entry->cpu);
	}
	EXPECT_EQ(ENTRIES, n);
}

TEST_F(self, C113_a_restart_empties_the_buffer)
{
	const struct pfm_dfl_smpl_entry *entry;
	union pfarg_msg msg;
	unsigned int i;

	for (i = 1; i <= 3; i++) {
		ASSERT_EQ(0, track_run(self->fd, ROUNDS));
		EXPECT_EQ(ENTRIES, self->hdr->hdr_count);
		EXPECT_EQ(i, self->hdr->hdr_overflows);
		ASSERT_EQ(0, message_take(self->fd, &msg));
		ASSERT_EQ(0, ERRNO(period_restart(self->fd)));
		EXPECT_EQ(0, self->hdr->hdr_count);
		EXPECT_EQ(128, self->hdr->hdr_cur_offs);
		EXPECT_EQ(i, self->hdr->hdr_overflows);
		/* The first of the old entries has not been touched. */
		entry = (const void *)(self->hdr + 1);
		EXPECT_EQ(track_ip(ROUNDS, PERIOD + 1), entry->ip);
	}
}

TEST_F(self, C113_the_restart_loads_the_long_reset_value)
{
	struct pfarg_pmd_attr attr = { .reg_long_reset = -500,
				       .reg_short_reset = -PERIOD };
	const struct pfm_dfl_smpl_entry *entry;

	ASSERT_EQ(0, write_pmd_attr(self->fd, self->pmd, PFM_REGFL_OVFL_NOTIFY,
				    -PERIOD, &attr));
	ASSERT_EQ(0, track_run(self->fd, ROUNDS));
	ASSERT_EQ(0, period_restart(self->fd));
	ASSERT_EQ(0, track_run(self->fd, ROUNDS));
	entry = sampler_next(&self->sampler, NULL, 0);
	ASSERT_NE(NULL, entry);
	EXPECT_EQ(-500, (int64_t)entry->last_reset_val);
	EXPECT_EQ(track_ip(ROUNDS, 501), entry->ip);
	entry = sampler_next(&self->sampler, entry, 0);
	ASSERT_NE(NULL, entry);
	EXPECT_EQ(-PERIOD, (int64_t)entry->last_reset_val);
	EXPECT_EQ(track_ip(ROUNDS, 501 + PERIOD), entry->ip);
}

/* Further counters of the same events, from @preset; returns their number. */
static unsigned int add_counters(int fd, uint64_t preset, uint64_t *mask)
{
	const struct pmu *pmu = pmu_get();
	unsigned int i;

	for (i = 1; i < pmu->counters && i <= 2; i++) {
		if (pmu_count_user(fd, &pmu->counter[i], preset))
			return 0;
		pmd_mark(mask, pmu->counter[i].pmd);
	}
	return i - 1;
}

TEST_F(self, C114_an_entry_has_the_values_of_other_pmds)
{
	const struct pfm_dfl_smpl_entry *entry = NULL;
	struct pfarg_pmd_attr attr = { 0 };
	unsigned int i, values;
	uint64_t n = 0;

	values = add_counters(self->fd, 0, attr.reg_smpl_pmds);
	if (!values)
		SKIP(return, "needs two counters");
	ASSERT_EQ(0, period_program(self->fd, pmu_first(),
				    PFM_REGFL_OVFL_NOTIFY, PERIOD, &attr));
	/* Tells them apart. */
	for (i = 1; i <= values; i++)
		ASSERT_EQ(0, write_pmd(self->fd, pmu_get()->counter[i].pmd,
				       i * 1000000));
	ASSERT_EQ(0, track_run(self->fd, 2000));
	while ((entry = sampler_next(&self->sampler, entry, values))) {
		n++;
		ASSERT_EQ(track_ip(2000, PERIOD * n + 1), entry->ip);
		for (i = 0; i < values; i++)
			ASSERT_EQ((i + 1) * 1000000 + PERIOD * n,
				  sampler_value(entry, i));
	}
	EXPECT_EQ(14, n);
	EXPECT_EQ(n, self->hdr->hdr_count);
}

TEST_F(self, C114_values_are_recorded_before_they_are_reset)
{
	const struct pfm_dfl_smpl_entry *entry = NULL;
	struct pfarg_pmd_attr attr = { 0 };
	struct pfarg_pmd_attr resets = { .reg_short_reset = 77 };
	unsigned int n = 0;
	uint16_t other;

	if (pmu_get()->counters < 2)
		SKIP(return, "needs two counters");
	other = pmu_get()->counter[1].pmd;
	ASSERT_EQ(0, pmu_count_user(self->fd, &pmu_get()->counter[1], 0));
	ASSERT_EQ(0, write_pmd_attr(self->fd, other, 0, 5, &resets));
	pmd_mark(attr.reg_smpl_pmds, self->pmd);
	pmd_mark(attr.reg_smpl_pmds, other);
	pmd_mark(attr.reg_reset_pmds, other);
	ASSERT_EQ(0, period_program(self->fd, pmu_first(),
				    PFM_REGFL_OVFL_NOTIFY, PERIOD, &attr));
	ASSERT_EQ(0, track_run(self->fd, 2000));
	while ((entry = sampler_next(&self->sampler, entry, 2))) {
		ASSERT_EQ(0, sampler_value(entry, 0));
		ASSERT_EQ(n++ ? 77 + PERIOD : 5 + PERIOD,
			  sampler_value(entry, 1));
	}
	EXPECT_EQ(14, n);
}

TEST_F(self, C115_a_full_buffer_that_nobody_hears_of_ends_counting)
{
	union pfarg_msg msg;
	uint64_t value;

	ASSERT_EQ(0, message_signal(self->fd, SIGIO));
	ASSERT_EQ(0, period_program(self->fd, pmu_first(), 0, PERIOD, NULL));
	ASSERT_EQ(0, track_run(self->fd, ROUNDS));
	EXPECT_EQ(ENTRIES, self->hdr->hdr_count);
	ASSERT_EQ(0, track_run(self->fd, ROUNDS));
	EXPECT_EQ(ENTRIES, self->hdr->hdr_count);
	EXPECT_EQ(1, self->hdr->hdr_overflows);
	EXPECT_EQ(0, ERRNO(read_pmd(self->fd, self->pmd, &value)));
	EXPECT_EQ(0, value);
	EXPECT_EQ(0, message_signals);
	EXPECT_EQ(EAGAIN, message_take(self->fd, &msg));
	EXPECT_EQ(EBUSY, ERRNO(period_restart(self->fd)));
}

TEST_F(self, C118_a_restart_that_nobody_is_waiting_for_is_refused)
{
	EXPECT_EQ(EBUSY, ERRNO(period_restart(self->fd)));
	/* Some samples, but the buffer is not full. */
	ASSERT_EQ(0, track_run(self->fd, 2000));
	EXPECT_EQ(14, self->hdr->hdr_count);
	EXPECT_EQ(EBUSY, ERRNO(period_restart(self->fd)));
	EXPECT_EQ(14, self->hdr->hdr_count);
	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	EXPECT_EQ(14, self->hdr->hdr_count);
}

TEST_F(self, C118_a_restart_is_not_owed_to_the_next_attachment)
{
	ASSERT_EQ(0, track_run(self->fd, ROUNDS));
	EXPECT_EQ(ENTRIES, self->hdr->hdr_count);
	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	ASSERT_EQ(0, attach_self(self->fd));
	EXPECT_EQ(EBUSY, ERRNO(period_restart(self->fd)));
	EXPECT_EQ(ENTRIES, self->hdr->hdr_count);
}

TEST_F(self, C120_a_32_bit_process_sees_the_same_buffer)
{
	struct pfarg_pmd_attr attr = { 0 };
	const char *entry = (const char *)self->hdr + 128;

	NEEDS_COMPAT();
	pmd_mark(attr.reg_smpl_pmds, self->pmd);
	ASSERT_EQ(0, period_program(self->fd, pmu_first(),
				    PFM_REGFL_OVFL_NOTIFY, PERIOD, &attr));
	ASSERT_EQ(0, track_run(self->fd, 2000));
	EXPECT_EQ(14, field_at(self->hdr, 0, 8));
	EXPECT_EQ(128 + 14 * 48, field_at(self->hdr, 8, 8));
	EXPECT_EQ(0, field_at(self->hdr, 16, 8));
	EXPECT_EQ(dfl_size(ENTRIES), field_at(self->hdr, 24, 8));
	EXPECT_EQ(40 + 8 * dfl_pmds(), field_at(self->hdr, 32, 8));
	EXPECT_EQ(0x10000, field_at(self->hdr, 40, 4));
	EXPECT_EQ(0, field_at(self->hdr, 44, 4));
	/* The second entry. */
	entry += 48;
	EXPECT_EQ(gettid(), (pid_t)field_at(entry, 0, 4));
	EXPECT_EQ(self->pmd, field_at(entry, 4, 2));
	EXPECT_EQ(0, field_at(entry, 6, 2));
	EXPECT_EQ(-PERIOD, (int64_t)field_at(entry, 8, 8));
	EXPECT_EQ(track_ip(2000, 2 * PERIOD + 1), field_at(entry, 16, 8));
	EXPECT_LT(field_at(entry - 48, 24, 8), field_at(entry, 24, 8));
	EXPECT_GT(cpus_online(), (int)field_at(entry, 32, 2));
	EXPECT_EQ(0, field_at(entry, 34, 2));
	EXPECT_EQ(getpid(), (pid_t)field_at(entry, 36, 4));
	EXPECT_EQ(0, field_at(entry, 40, 8));
}

/* All counters overflow at once: @n of them fit into the buffer. */
static void sample_all(struct __test_metadata *_metadata,
		       const struct sampler *sampler, unsigned int n)
{
	const struct pmu *pmu = pmu_get();
	const struct pfm_dfl_smpl_entry *entry = NULL;
	unsigned int i;

	for (i = pmu->counters; i-- > 0;)
		ASSERT_EQ(0,
			  period_program(sampler->fd, &pmu->counter[i],
					 PFM_REGFL_OVFL_NOTIFY, PERIOD, NULL));
	ASSERT_EQ(0, track_run(sampler->fd, PERIOD / TRACK_ROUND + 1));
	ASSERT_EQ(n, sampler->hdr->hdr_count);
	for (i = 0; i < n; i++) {
		entry = sampler_next(sampler, entry, 0);
		EXPECT_EQ(pmu->counter[i].pmd, entry->ovfl_pmd);
		EXPECT_EQ(track_ip(PERIOD, PERIOD + 1), entry->ip);
	}
}

TEST_F(self, pmds_that_overflow_together_have_an_entry_each)
{
	sample_all(_metadata, &self->sampler, pmu_get()->counters);
	EXPECT_EQ(0, self->hdr->hdr_overflows);
}

TEST(no_entry_follows_the_one_that_fills_the_buffer)
{
	struct sampler sampler;
	union pfarg_msg msg;

	NEEDS_INTERRUPTS();
	ASSERT_EQ(0, sampler_open(&sampler, 0, dfl_size(1)));
	ASSERT_EQ(0, attach_self(sampler.fd));
	sample_all(_metadata, &sampler, 1);
	EXPECT_EQ(1, sampler.hdr->hdr_overflows);
	EXPECT_EQ(0, message_take(sampler.fd, &msg));
	EXPECT_EQ(EAGAIN, message_take(sampler.fd, &msg));
}

static int run_and_exit(void *arg)
{
	const unsigned long *rounds = arg;

	return track_run(-1, *rounds);
}

TEST_F(self, the_end_of_the_thread_leaves_its_samples)
{
	unsigned long rounds = 2000;
	const struct pfm_dfl_smpl_entry *entry = NULL;
	unsigned int on_track = 0;
	union pfarg_msg msg;
	pid_t pid;

	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	pid = child_start_stopped(run_and_exit, &rounds);
	ASSERT_LT(0, pid);
	ASSERT_EQ(0, pfm_attach_session(self->fd, 0, pid));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	ASSERT_EQ(0, child_continue(pid));
	EXPECT_EQ(0, child_wait(pid));
	EXPECT_EQ(0, message_take(self->fd, &msg));
	EXPECT_EQ(PFM_MSG_END, msg.type);
	while ((entry = sampler_next(&self->sampler, entry, 0))) {
		EXPECT_EQ((uint32_t)pid, entry->tgid);
		on_track += track_position(entry->ip) >= 0;
	}
	/* 14 periods, of which the first and the last may be cut. */
	EXPECT_LE(13, on_track);
	EXPECT_GE(14, on_track);
}

TEST_HARNESS_MAIN

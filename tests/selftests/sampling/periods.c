// SPDX-License-Identifier: GPL-2.0-only
/*
 * The exactness of sampling: a period of P instructions gives a sample at each
 * P-th instruction, none less and none more, for short and long, fixed and
 * random periods, on each counter, and whoever else runs meanwhile.
 *
 * Sample k has the address of the instruction after the k * P-th one; the track
 * (instruction_track.h) knows where that is.
 */
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include "attr.h"
#include "child.h"
#include "default_format.h"
#include "instruction_track.h"
#include "kmsg.h"
#include "machine.h"
#include "message.h"
#include "overflow_period.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"

#define BUFFER (1 << 20)

FIXTURE(self)
{
	struct sampler sampler;
	int fd;
	uint16_t pmd;
};

FIXTURE_SETUP(self)
{
	NEEDS_INTERRUPTS();
	self->pmd = pmu_first()->pmd;
	ASSERT_EQ(0, sampler_open(&self->sampler, 0, BUFFER));
	self->fd = self->sampler.fd;
	ASSERT_EQ(0, attach_self(self->fd));
}

FIXTURE_TEARDOWN(self)
{
	sampler_close(&self->sampler);
}

/* Every sample of a run with one period, on a session that is programmed. */
static void check_samples(struct __test_metadata *_metadata,
			  const struct sampler *sampler, uint64_t period,
			  unsigned long rounds)
{
	const struct pfm_dfl_smpl_entry *entry = NULL;
	uint64_t n = 0;

	ASSERT_EQ(0, track_run(sampler->fd, rounds));
	while ((entry = sampler_next(sampler, entry, 0))) {
		n++;
		ASSERT_EQ(-period, entry->last_reset_val);
		ASSERT_EQ(track_ip(rounds, n * period + 1), entry->ip)
		{
			TH_LOG("sample %u of %u", (unsigned int)n,
			       (unsigned int)sampler->hdr->hdr_count);
		}
	}
	EXPECT_EQ(track_length(rounds) / period, n);
	EXPECT_EQ(n, sampler->hdr->hdr_count);
}

static void check_period(struct __test_metadata *_metadata,
			 const struct sampler *sampler, uint64_t period,
			 unsigned long rounds)
{
	ASSERT_EQ(0, period_program(sampler->fd, pmu_first(), 0, period, NULL));
	check_samples(_metadata, sampler, period, rounds);
}

TEST_F(self, a_period_of_997_instructions_is_exact)
{
	check_period(_metadata, &self->sampler, 997, 1000000);
}

TEST_F(self, a_period_of_1000_instructions_is_exact)
{
	check_period(_metadata, &self->sampler, 1000, 1000000);
}

TEST_F(self, a_period_of_100000_instructions_is_exact)
{
	check_period(_metadata, &self->sampler, 100000, 15000000);
}

TEST_F(self, a_period_that_is_written_later_holds)
{
	static const uint64_t periods[] = { 997, 1499, 997 };
	const struct pfm_dfl_smpl_entry *entry = NULL, *next;
	const unsigned long rounds = 10000;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(periods); i++) {
		uint64_t n = 0;

		ASSERT_EQ(0, period_program(self->fd, pmu_first(), 0,
					    periods[i], NULL));
		ASSERT_EQ(0, track_run(self->fd, rounds));
		while ((next = sampler_next(&self->sampler, entry, 0))) {
			entry = next;
			n++;
			ASSERT_EQ(-periods[i], entry->last_reset_val);
			ASSERT_EQ(track_ip(rounds, n * periods[i] + 1),
				  entry->ip);
		}
		EXPECT_EQ(track_length(rounds) / periods[i], n);
	}
}

TEST_F(self, each_counter_samples_exactly)
{
	const struct pmu *pmu = pmu_get();
	struct sampler sampler;
	unsigned int i;

	sampler_close(&self->sampler);
	for (i = 0; i < pmu->counters; i++) {
		ASSERT_EQ(0, sampler_open(&sampler, 0, BUFFER));
		ASSERT_EQ(0, period_program(sampler.fd, &pmu->counter[i], 0,
					    1009, NULL));
		ASSERT_EQ(0, attach_self(sampler.fd));
		TH_LOG("pmd%u", pmu->counter[i].pmd);
		check_samples(_metadata, &sampler, 1009, 20000);
		sampler_close(&sampler);
	}
	ASSERT_EQ(0, sampler_open(&self->sampler, 0, BUFFER));
}

TEST_F(self, counters_with_periods_of_their_own_do_not_disturb_each_other)
{
	const struct pmu *pmu = pmu_get();
	const uint64_t periods[] = { 997, 1499, 9973 };
	const struct pfm_dfl_smpl_entry *entry = NULL;
	uint64_t samples[ARRAY_SIZE(periods)] = { 0 };
	unsigned int n = pmu->counters, i;

	if (n > ARRAY_SIZE(periods))
		n = ARRAY_SIZE(periods);
	for (i = n; i-- > 0;)
		ASSERT_EQ(0, period_program(self->fd, &pmu->counter[i], 0,
					    periods[i], NULL));
	ASSERT_EQ(0, track_run(self->fd, 500000));
	while ((entry = sampler_next(&self->sampler, entry, 0))) {
		for (i = 0; i < n; i++)
			if (entry->ovfl_pmd == pmu->counter[i].pmd)
				break;
		ASSERT_GT(n, i);
		samples[i]++;
		ASSERT_EQ(-periods[i], entry->last_reset_val);
		ASSERT_EQ(track_ip(500000, samples[i] * periods[i] + 1),
			  entry->ip);
	}
	for (i = 0; i < n; i++)
		EXPECT_EQ(track_length(500000) / periods[i], samples[i]);
}

TEST_F(self, random_periods_add_up_to_the_count)
{
	struct pfarg_pmd_attr attr = { .reg_random_mask = 0x3ff };
	const struct pfm_dfl_smpl_entry *entry = NULL;
	const unsigned long rounds = 1000000;
	uint64_t position = 0, last = 0, seen = 0, value;

	ASSERT_EQ(0, period_program(self->fd, pmu_first(), PFM_REGFL_RANDOM,
				    3000, &attr));
	ASSERT_EQ(0, track_run(self->fd, rounds));
	while ((entry = sampler_next(&self->sampler, entry, 0))) {
		last = -entry->last_reset_val;
		ASSERT_LE(3000, last);
		ASSERT_GE(3000 + 0x3ff, last);
		seen |= last - 3000;
		position += last;
		ASSERT_EQ(track_ip(rounds, position + 1), entry->ip);
	}
	EXPECT_EQ(0x3ff, seen);
	/* What is left is in the counter. */
	ASSERT_EQ(0, read_pmd_attr(self->fd, self->pmd, &value, &attr));
	EXPECT_EQ(track_length(rounds),
		  position + (value - attr.reg_last_value));
}

TEST_F(self, the_rest_of_a_period_survives_a_stop)
{
	const unsigned long rounds = 100;
	const uint64_t length = track_length(rounds);
	const struct pfm_dfl_smpl_entry *entry = NULL;
	uint64_t n = 0, position;
	int i;

	ASSERT_EQ(0, period_program(self->fd, pmu_first(), 0, 997, NULL));
	for (i = 0; i < 1000; i++)
		ASSERT_EQ(0, track_run(self->fd, rounds));
	while ((entry = sampler_next(&self->sampler, entry, 0))) {
		position = (++n * 997 - 1) % length + 1;
		ASSERT_EQ(track_ip(rounds, position + 1), entry->ip);
	}
	EXPECT_EQ(1000 * length / 997, n);
}

TEST_F(self, a_period_above_32_bits_ends_where_it_is_written_to_end)
{
	uint64_t value;

	ASSERT_EQ(0,
		  period_program(self->fd, pmu_first(), 0, 1ULL << 33, NULL));
	ASSERT_EQ(0, track_run(self->fd, 1000));
	ASSERT_EQ(0, read_pmd(self->fd, self->pmd, &value));
	EXPECT_EQ(-(1ULL << 33) + track_length(1000), value);
	EXPECT_EQ(0, self->sampler.hdr->hdr_count);

	/* The bits above those of the hardware have nothing to carry. */
	ASSERT_EQ(0, write_pmd(self->fd, self->pmd, -5000));
	ASSERT_EQ(0, track_run(self->fd, 1000));
	ASSERT_EQ(1, self->sampler.hdr->hdr_count);
	EXPECT_EQ(track_ip(1000, 5001),
		  sampler_next(&self->sampler, NULL, 0)->ip);
	ASSERT_EQ(0, read_pmd(self->fd, self->pmd, &value));
	EXPECT_EQ(-(1ULL << 33) + track_length(1000) - 5000, value);
}

/* How often sessions were stopped for a while, because of a storm. */
static int64_t throttled(void)
{
	char path[64];
	int64_t sum = 0;
	int cpu;

	for (cpu = 0; cpu < cpus_online(); cpu++) {
		snprintf(path, sizeof(path),
			 PERFMON_DEBUGFS "cpu%d/throttled_count", cpu);
		sum += file_number(path);
	}
	return sum;
}

TEST_F(self, C106_the_shortest_period_can_be_sampled)
{
	const struct pfm_dfl_smpl_entry *entry = NULL;
	struct pfarg_pmd_attr attr = { 0 };
	int64_t before = throttled(), gaps = 0;
	int expected = -1, position;
	uint64_t n = 0, step;

	if (pmu_get()->counters < 2)
		SKIP(return, "needs two counters");
	ASSERT_EQ(0, pmu_count_user(self->fd, &pmu_get()->counter[1], 0));
	pmd_mark(attr.reg_smpl_pmds, pmu_get()->counter[1].pmd);
	ASSERT_EQ(0, period_program(self->fd, pmu_first(), 0, 1, &attr));
	ASSERT_EQ(0, track_run(self->fd, 1000000));
	while ((entry = sampler_next(&self->sampler, entry, 1))) {
		/* No processor does 1, and the value says what this one does. */
		step = -entry->last_reset_val;
		ASSERT_LT(1, step);
		ASSERT_GE(32, step);
		/* What was counted was sampled, */
		n += step;
		ASSERT_EQ(n, sampler_value(entry, 0));
		/* and only a pause counts nothing. */
		position = track_position(entry->ip);
		gaps += expected >= 0 && position != expected;
		expected = position < 0 ? -1 :
					  (position + (int)step) % TRACK_ROUND;
	}
	EXPECT_LE(500, n);
	EXPECT_LE(gaps, throttled() - before);
}

TEST_F(self, C106_a_storm_in_the_kernel_lets_the_thread_go_on)
{
	const struct pmu_counter *counter = pmu_first();
	int64_t before = throttled();
	int kmsg = kmsg_open();

	ASSERT_LE(0, kmsg);
	ASSERT_EQ(0, period_program(self->fd, counter, 0, 1, NULL));
	ASSERT_EQ(0, write_pmc(self->fd, counter->pmc, counter->kernel));
	/* No instruction is executed between two of its interrupts. */
	ASSERT_EQ(0, track_run(self->fd, 1000));
	/*
	 * CPUs that share the time of the machine have less of it for a storm.
	 * A module's interrupts take so long there that a tick has no room for
	 * too many.
	 */
	if (cpus_online() == 1 && !perfmon_is_module())
		EXPECT_LT(before, throttled());
	EXPECT_LT(0, self->sampler.hdr->hdr_count);
	EXPECT_FALSE(kmsg_says(kmsg, "NMI"));
}

/* Neighbours that want the same processor. */
TEST_F_TIMEOUT(self, context_switches_do_not_disturb_the_periods, 60)
{
	pid_t neighbours[2];
	int i;

	ASSERT_EQ(0, pin_to_cpu(0));
	for (i = 0; i < 2; i++)
		neighbours[i] = child_start(track_child, NULL);
	check_period(_metadata, &self->sampler, 9973, 5000000);
	for (i = 0; i < 2; i++)
		child_kill(neighbours[i]);
}

struct mover {
	pid_t target;
	int stop;
	int moves;
};

static void *move_target(void *arg)
{
	struct mover *mover = arg;
	cpu_set_t set;

	while (!__atomic_load_n(&mover->stop, __ATOMIC_ACQUIRE)) {
		CPU_ZERO(&set);
		CPU_SET(mover->moves & 1, &set);
		if (sched_setaffinity(mover->target, sizeof(set), &set))
			break;
		mover->moves++;
		usleep(1000);
	}
	return NULL;
}

TEST_F_TIMEOUT(self, migrations_do_not_disturb_the_periods, 60)
{
	struct mover mover = { .target = gettid() };
	pthread_t thread;

	if (cpus_online() < 2)
		SKIP(return, "needs two processors");
	ASSERT_EQ(0, pthread_create(&thread, NULL, move_target, &mover));
	check_period(_metadata, &self->sampler, 9973, 5000000);
	__atomic_store_n(&mover.stop, 1, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);
	EXPECT_LT(10, mover.moves);
}

TEST_HARNESS_MAIN

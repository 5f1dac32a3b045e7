// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records of PEBS: each names the instruction that was sampled, whatever the interrupt
 * finds, and the session gets all records of its thread and no others.
 *
 * The machine puts the number of the user instruction into the latency of a record. An
 * overflow arms the counter and the next event is recorded: with a period of P
 * instructions record k is of instruction k * (P + 1) of the track.
 */
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "array_size.h"
#include "attr.h"
#include "child.h"
#include "default_format.h"
#include "instruction_track.h"
#include "loop.h"
#include "machine.h"
#include "message.h"
#include "msr.h"
#include "overflow_period.h"
#include "pebs.h"
#include "pfm_test.h"
#include "pingpong.h"
#include "pmrs.h"
#include "pmu.h"
#include "precise_format.h"
#include "unprivileged.h"

/* On a kernel that checks itself a tick takes longer than a short period. */
#define PERIOD (kernel_is_slow() ? 9967ull : 997ull)
#define RECORDS 1003ull
/* Rounds of the track with so many records, and half a period more. */
#define ROUNDS \
	((unsigned long)((RECORDS * (PERIOD + 1) + PERIOD / 2) / TRACK_ROUND))
#define BUFFER (1 << 20)
#define BATCH 64

#define MEM PFM_PRECISE_SMPL_MEM
#define GPRS PFM_PRECISE_SMPL_GPRS
#define NOTIFY PFM_REGFL_OVFL_NOTIFY
#define EXACT PFM_PRECISE_SMPL_EXACT
#define NEXT PFM_PRECISE_SMPL_NEXT

FIXTURE(pebs)
{
	struct precise p;
	int msr;
};

FIXTURE_SETUP(pebs)
{
	const struct pfm_precise_smpl_arg arg = { .buf_size = BUFFER,
						  .blocks = GPRS | MEM };

	if (!pebs_exists())
		SKIP(return, "no PEBS");
	ASSERT_EQ(0, pin_to_cpu(0));
	self->msr = msr_open(0);
	ASSERT_LE(0, self->msr);
	ASSERT_EQ(0, precise_open(&self->p, 0, &arg));
}

FIXTURE_TEARDOWN(pebs)
{
	precise_close(&self->p);
	close(self->msr);
}

static const struct pfm_precise_smpl_gprs *
gprs_of(const struct pfm_precise_smpl_entry *entry)
{
	const struct pfm_precise_smpl_blocks *blocks = precise_after_ips(entry);

	return (const void *)(blocks + 1);
}

static const struct pfm_precise_smpl_mem *
mem_of(const struct pfm_precise_smpl_entry *entry)
{
	return (const void *)(gprs_of(entry) + 1);
}

static uint64_t records_on_track(unsigned long rounds, uint64_t distance)
{
	return track_length(rounds) / distance;
}

TEST_F(pebs, registers_have_the_numbers_of_libpfm)
{
	/* By format: their bits, and in sysfs the counters that make records. */
	static const struct {
		uint64_t enable;
		uint64_t counters;
	} expected[] = {
		[1] = { 0xf0000000f, 0xf },
		[2] = { 0xf0000000f, 0xf },
		[3] = { 0xf0000000f, 0xf },
		[4] = { 0xf000000ff, 0xf000000ff },
		[5] = { 0xf000000ff, 0xf000000ff },
	};
	unsigned int format = 0;
	struct pmu_reg reg;
	uint64_t counters;

	ASSERT_EQ(0, pebs_read(&format, &counters));
	ASSERT_GT(ARRAY_SIZE(expected), format);
	ASSERT_TRUE(expected[format].enable);
	EXPECT_EQ(expected[format].counters, counters);
	EXPECT_EQ(format + 1, self->p.hdr->hdr_hw & PFM_PRECISE_SMPL_HW_PEBS);
	ASSERT_TRUE(pmu_reg(PMU_PMC, PMC_PEBS_ENABLE, &reg));
	EXPECT_STREQ("PEBS_ENABLE", reg.name);
	EXPECT_EQ(0x3f1, reg.addr);
	EXPECT_EQ(~expected[format].enable, reg.rsvd_msk);
	ASSERT_TRUE(pmu_reg(PMU_PMC, PMC_LD_LAT, &reg));
	EXPECT_STREQ("LD_LAT", reg.name);
	EXPECT_EQ(0x3f6, reg.addr);
	EXPECT_EQ(~0xffffULL, reg.rsvd_msk);
}

/*
 * Record @k of the track, of counter 0. Returns the number of the first check that fails,
 * or 0.
 */
static int look_at_record(const struct pfm_precise_smpl_entry *entry,
			  uint64_t k, uint64_t period)
{
	const uint64_t n = k * (period + 1);
	const unsigned int late = pebs_late();
	const struct pfm_precise_smpl_blocks *blocks = precise_after_ips(entry);
	const struct {
		bool right;
	} checks[] = {
		{ entry->ip == track_ip(ROUNDS, n + late) },
		{ entry->next_ip == (late ? 0 : track_ip(ROUNDS, n + 1)) },
		{ (entry->flags & (EXACT | NEXT)) == (late ? NEXT : EXACT) },
		{ entry->pid == (uint32_t)gettid() },
		{ entry->tgid == (uint32_t)getpid() },
		{ !entry->ovfl_pmd && entry->pmds == 1 },
		{ entry->last_reset_val == -period },
		{ !entry->cpu && !entry->set && !entry->repeat },
		{ blocks->present == (GPRS | MEM) },
		{ gprs_of(entry)->ip == track_ip(ROUNDS, n + 1) },
		{ mem_of(entry)->daddr == mem_of(entry)->latency },
		{ !mem_of(entry)->paddr && !mem_of(entry)->tsx },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(checks); i++)
		if (!checks[i].right)
			return (int)i + 1;
	return 0;
}

/* All records of the track since @before have to be right. Returns their number. */
static uint64_t look_at_track(struct __test_metadata *_metadata,
			      const struct precise *p, uint64_t period)
{
	const struct pfm_precise_smpl_entry *entry = NULL, *last = NULL;
	uint64_t k = 0;

	while ((entry = precise_next(p, entry))) {
		ASSERT_EQ(0, look_at_record(entry, k + 1, period))
		{
			TH_LOG("record %llu", (unsigned long long)k + 1);
		}
		if (last) {
			ASSERT_EQ(period + 1, mem_of(entry)->latency -
						      mem_of(last)->latency);
			ASSERT_LE(last->tstamp, entry->tstamp);
		}
		last = entry;
		k++;
	}
	return k;
}

TEST_F(pebs, records_name_the_instruction_itself)
{
	/* Instructions by which the interrupt is late. */
	static const unsigned int late[] = { 0, 7 };
	uint64_t value;
	size_t i;

	ASSERT_EQ(0, pebs_take_the_cpu());
	for (i = 0; i < ARRAY_SIZE(late); i++) {
		const struct pfm_precise_smpl_arg arg = {
			.buf_size = BUFFER,
			.blocks = GPRS | MEM,
		};
		struct precise p;

		ASSERT_EQ(0, precise_open(&p, 0, &arg));
		ASSERT_EQ(0, pebs_instructions(p.fd, 0, PERIOD));
		ASSERT_EQ(0, attach_self(p.fd));
		ASSERT_EQ(0, msr_fault(self->msr,
				       PMU_FAULT(PMU_FAULT_SKID, late[i])));
		ASSERT_EQ(0, track_run(p.fd, ROUNDS));
		ASSERT_EQ(0, msr_fault(self->msr, PMU_FAULT_CLEAR));
		EXPECT_EQ(records_on_track(ROUNDS, PERIOD + 1),
			  look_at_track(_metadata, &p, PERIOD));
		ASSERT_EQ(0, read_pmd(p.fd, 0, &value));
		EXPECT_EQ(track_length(ROUNDS) % (PERIOD + 1), value + PERIOD);
		EXPECT_EQ(0, p.hdr->hdr_stray | p.hdr->hdr_filtered |
				     p.hdr->hdr_ambiguous);
		precise_close(&p);
	}
}

TEST_F(pebs, many_records_have_one_interrupt)
{
	static const uint32_t batches[] = { 0, 1, 7, BATCH, 100000 };
	/* Half of what finds room in the memory of a CPU. */
	const unsigned int expected[] = {
		BATCH, 1, 7, BATCH, 0x10000 / pebs_record_bytes(GPRS | MEM) / 2
	};
	size_t i;

	ASSERT_EQ(0, pebs_take_the_cpu());
	for (i = 0; i < ARRAY_SIZE(batches); i++) {
		const struct pfm_precise_smpl_arg arg = {
			.buf_size = BUFFER,
			.blocks = GPRS | MEM,
			.batch = batches[i],
		};
		const struct pfm_precise_smpl_entry *entry = NULL;
		uint64_t interrupts, late = 0;
		struct precise p;

		ASSERT_EQ(0, precise_open(&p, 0, &arg));
		ASSERT_EQ(0, pebs_instructions(p.fd, 0, PERIOD));
		ASSERT_EQ(0, attach_self(p.fd));
		interrupts = msr_stat(self->msr, PMU_STAT_PMI);
		ASSERT_EQ(0, track_run(p.fd, ROUNDS));
		interrupts = msr_stat(self->msr, PMU_STAT_PMI) - interrupts;
		ASSERT_EQ(RECORDS, look_at_track(_metadata, &p, PERIOD));
		while ((entry = precise_next(&p, entry)))
			late += !!(entry->flags & PFM_PRECISE_SMPL_LATE);
		/* A switch to another thread, or the stop, takes what there is. */
		EXPECT_GE(RECORDS / expected[i], interrupts);
		EXPECT_LE((RECORDS - late) / expected[i], interrupts);
		EXPECT_LE(RECORDS % expected[i], late);
		precise_close(&p);
	}
}

TEST_F(pebs, a_full_buffer_masks_and_loses_nothing)
{
	const unsigned int places = 104;
	const struct pfm_precise_smpl_arg arg = {
		.buf_size = sizeof(struct pfm_precise_smpl_hdr) +
			    places * sizeof(struct pfm_precise_smpl_entry) +
			    dfl_pmds() * sizeof(uint64_t),
	};
	unsigned int messages = 0, records = 0;
	union pfarg_msg msg;
	struct precise p;
	int child;

	ASSERT_EQ(0, precise_open(&p, 0, &arg));
	ASSERT_EQ(0, pebs_instructions(p.fd, NOTIFY, PERIOD));
	child = child_start_stopped(track_child, NULL);
	ASSERT_LT(0, child);
	ASSERT_EQ(0, pfm_attach_session(p.fd, 0, child));
	ASSERT_EQ(0, pfm_start_session(p.fd, 0));
	ASSERT_EQ(0, child_continue(child));
	while (messages < 10) {
		ASSERT_EQ(0, message_wait(p.fd, &msg));
		ASSERT_TRUE(message_names(&msg, 1));
		messages++;
		ASSERT_EQ(places, p.hdr->hdr_count);
		ASSERT_EQ(messages, p.hdr->hdr_overflows);
		records += p.hdr->hdr_count;
		ASSERT_EQ(0, period_restart(p.fd));
	}
	child_kill(child);
	EXPECT_EQ(10 * places, records);
	EXPECT_EQ(0, precise_lost(p.fd));
	precise_close(&p);
}

TEST_F(pebs, counters_that_overflow_together_have_one_record)
{
	const uint64_t twice = 2 * PERIOD + 1;
	const struct pfm_precise_smpl_entry *entry = NULL;
	unsigned int format = 0;
	uint64_t k = 0, value;
	bool ambiguous;

	ASSERT_EQ(0, pebs_read(&format, &value));
	ambiguous = format < PEBS_FORMAT_STATUS;
	ASSERT_EQ(0, pebs_take_the_cpu());
	ASSERT_EQ(0, pebs_program(self->p.fd, 1, PEBS_INSTRUCTIONS, 0, PERIOD));
	ASSERT_EQ(0, pebs_program(self->p.fd, 3, PEBS_INSTRUCTIONS, 0, twice));
	ASSERT_EQ(0, write_pmc(self->p.fd, PMC_PEBS_ENABLE, 0xa));
	/* One beside them that counts only. */
	ASSERT_EQ(0, write_pmc(self->p.fd, 2, PEBS_INSTRUCTIONS));
	ASSERT_EQ(0, write_pmd(self->p.fd, 2, 0));
	ASSERT_EQ(0, attach_self(self->p.fd));
	ASSERT_EQ(0, track_run(self->p.fd, ROUNDS));
	while ((entry = precise_next(&self->p, entry))) {
		k++;
		/* The next one is of both, and it cannot be known. */
		if (ambiguous && k > 1)
			k++;
		ASSERT_EQ(track_ip(ROUNDS, k * (PERIOD + 1) + pebs_late()),
			  entry->ip);
		ASSERT_EQ(k % 2 ? 0x2 : 0xa, entry->pmds);
		ASSERT_EQ(1, entry->ovfl_pmd);
		ASSERT_EQ(-PERIOD, entry->last_reset_val);
	}
	EXPECT_EQ(RECORDS, k);
	EXPECT_EQ(ambiguous ? RECORDS / 2 : 0, self->p.hdr->hdr_ambiguous);
	ASSERT_EQ(0, read_pmd(self->p.fd, 2, &value));
	EXPECT_EQ(track_length(ROUNDS), value);
	ASSERT_EQ(0, read_pmd(self->p.fd, 3, &value));
	EXPECT_EQ(track_length(ROUNDS) % (twice + 1), value + twice);
}

/* One with records and one that interrupts, for a session with these flags. */
static void sample_beside(struct __test_metadata *_metadata, int flags)
{
	const struct pfm_precise_smpl_arg sampling = { .buf_size = BUFFER };
	const struct pfarg_pmd_attr attr = { .reg_long_reset = -100003,
					     .reg_short_reset = -100003 };
	const struct pfm_precise_smpl_entry *entry = NULL;
	uint64_t records = 0, overflows = 0;
	struct precise p;

	ASSERT_EQ(0, precise_open(&p, flags, &sampling));
	ASSERT_EQ(0, pebs_instructions(p.fd, 0, PERIOD));
	ASSERT_EQ(0, write_pmc(p.fd, 1, PEBS_INSTRUCTIONS));
	ASSERT_EQ(0, write_pmd_attr(p.fd, 1, 0, -100003, &attr));
	ASSERT_EQ(0, attach_self(p.fd));
	ASSERT_EQ(0, track_run(p.fd, ROUNDS));
	while ((entry = precise_next(&p, entry))) {
		if (entry->ovfl_pmd) {
			EXPECT_EQ(0, entry->flags & (PFM_PRECISE_SMPL_EXACT |
						     PFM_PRECISE_SMPL_NEXT));
			EXPECT_EQ(-100003ULL, entry->last_reset_val);
			overflows++;
			continue;
		}
		records++;
		EXPECT_EQ(track_ip(ROUNDS,
				   records * (PERIOD + 1) + pebs_late()),
			  entry->ip);
	}
	EXPECT_EQ(RECORDS, records);
	EXPECT_EQ(track_length(ROUNDS) / 100003, overflows);
	precise_close(&p);
}

TEST_F(pebs, an_ordinary_counter_samples_beside_it)
{
	ASSERT_EQ(0, pebs_take_the_cpu());
	sample_beside(_metadata, 0);
	/* The interrupt of full memory is an NMI then, too. */
	sample_beside(_metadata, PFM_FL_NMI);
	sample_beside(_metadata, 0);
}

TEST_F(pebs, a_stop_and_a_start_do_not_break_a_period)
{
	const unsigned long rounds = ROUNDS / 100;
	const struct pfm_precise_smpl_entry *entry = NULL;
	uint64_t k = 0, before = 0, all = 100 * track_length(rounds);
	int i;

	ASSERT_EQ(0, pebs_take_the_cpu());
	ASSERT_EQ(0, pebs_instructions(self->p.fd, 0, PERIOD));
	ASSERT_EQ(0, attach_self(self->p.fd));
	for (i = 0; i < 100; i++)
		ASSERT_EQ(0, track_run(self->p.fd, rounds));
	while ((entry = precise_next(&self->p, entry))) {
		uint64_t n = ++k * (PERIOD + 1);
		uint64_t part = (n - 1) / track_length(rounds);

		ASSERT_EQ(track_ip(rounds, n - part * track_length(rounds) +
						   pebs_late()),
			  entry->ip)
		{
			TH_LOG("record %llu", (unsigned long long)k);
		}
		before = n;
	}
	EXPECT_GT(PERIOD + 1, all - before);
}

TEST_F(pebs, records_of_a_thread_are_of_its_code)
{
	/* So that the buffer has room for all. */
	const uint64_t period = 20 * PERIOD, length = 50000000;
	const struct pfm_precise_smpl_entry *entry = NULL;
	unsigned int track = 0, other = 0;
	pid_t pid;

	/* It runs the track, and has no session. */
	pid = child_start(track_child, NULL);
	ASSERT_LT(0, pid);
	ASSERT_EQ(0, pebs_instructions(self->p.fd, 0, period));
	ASSERT_EQ(0, attach_self(self->p.fd));
	ASSERT_EQ(0, pfm_start_session(self->p.fd, 0));
	counted_loop(length);
	ASSERT_EQ(0, pfm_stop_session(self->p.fd, 0));
	child_kill(pid);
	while ((entry = precise_next(&self->p, entry))) {
		ASSERT_EQ((uint32_t)getpid(), entry->pid);
		if (track_position(entry->ip) >= 0)
			track++;
		else
			other++;
	}
	EXPECT_EQ(0, track);
	EXPECT_LE(length / (period + 1), other);
	EXPECT_EQ(0, self->p.hdr->hdr_stray);
}

TEST_F(pebs, both_levels_are_sampled_by_who_may)
{
	const struct pfm_precise_smpl_entry *entry = NULL;
	unsigned int user = 0, kernel = 0;
	int i;

	ASSERT_EQ(0, pebs_program(self->p.fd, 0,
				  PEBS_INSTRUCTIONS | PEBS_KERNEL, 0, PERIOD));
	ASSERT_EQ(0, write_pmc(self->p.fd, PMC_PEBS_ENABLE, 1));
	ASSERT_EQ(0, attach_self(self->p.fd));
	ASSERT_EQ(0, pfm_start_session(self->p.fd, 0));
	for (i = 0; i < 5000; i++)
		syscall(SYS_getppid);
	ASSERT_EQ(0, pfm_stop_session(self->p.fd, 0));
	while ((entry = precise_next(&self->p, entry))) {
		if (pebs_is_kernel(entry->ip))
			kernel++;
		else
			user++;
	}
	EXPECT_LT(0, user);
	EXPECT_LT(100, kernel);
	EXPECT_EQ(0, self->p.hdr->hdr_filtered);
}

TEST_F(pebs, a_value_that_is_read_is_the_present_one)
{
	const unsigned long length = 10 * PERIOD;
	uint64_t before, after, number;
	int i;

	ASSERT_EQ(0, pebs_instructions(self->p.fd, 0, 100 * length));
	ASSERT_EQ(0, attach_self(self->p.fd));
	ASSERT_EQ(0, pfm_start_session(self->p.fd, 0));
	for (i = 0; i < 20; i++) {
		ASSERT_EQ(0, read_pmd(self->p.fd, 0, &before));
		counted_loop(length);
		ASSERT_EQ(0, read_pmd(self->p.fd, 0, &after));
		number = after - before;
		EXPECT_LE(length, number);
		EXPECT_GT(length + CALL_COST, number);
	}
	ASSERT_EQ(0, pfm_stop_session(self->p.fd, 0));
}

TEST_HARNESS_MAIN

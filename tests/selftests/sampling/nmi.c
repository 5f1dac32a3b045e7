// SPDX-License-Identifier: GPL-2.0-only
/*
 * PFM_FL_NMI: samples of code that runs with interrupts off have its addresses, callers
 * and time, and none of its events is missing; perfmon claims its own NMIs and no others.
 *
 * planted_section.ko has code without interrupts of known length. planted_nmi.ko sends
 * NMIs and counts those that no handler has claimed; each test looks at this number.
 */
#include <stdlib.h>
#include <string.h>

#include "attr.h"
#include "default_format.h"
#include "family.h"
#include "instruction_track.h"
#include "kernel_symbol.h"
#include "machine.h"
#include "module.h"
#include "msr.h"
#include "overflow_period.h"
#include "pfm_test.h"
#include "pingpong.h"
#include "pmrs.h"
#include "pmu.h"
#include "stacks_format.h"
#include "unprivileged.h"

#define SECTION "planted_section"
#define NMI "planted_nmi"
#define CAPTURED PERFMON_DEBUGFS "cpu0/ovfl_nmi_captured_count"
#define DROPPED PERFMON_DEBUGFS "cpu0/ovfl_nmi_dropped_count"
#define PARAMETER(module, name) "/sys/module/" module "/parameters/" name

/* The planted loop is shorter than this. */
#define PLANTED_BYTES 32

#define BUFFER (1 << 20)

FIXTURE(nmi)
{
	uint64_t planted;
	int64_t unknown; /* NMIs before the test */
	int fd;
	uint16_t pmd;
	struct sampler sampler;
};

static bool delivers_nmis(void)
{
	char text[32];

	return !attr_read("delivery", text, sizeof(text)) &&
	       strstr(text, "nmi");
}

FIXTURE_SETUP(nmi)
{
	int err;

	NEEDS_INTERRUPTS();
	ASSERT_TRUE(delivers_nmis());
	ASSERT_EQ(0, pin_to_cpu(0));
	err = module_load(SECTION, "");
	ASSERT_TRUE(err == 0 || err == EEXIST);
	err = module_load(NMI, "");
	ASSERT_TRUE(err == 0 || err == EEXIST);
	self->planted = kernel_symbol("planted_odd");
	ASSERT_NE(0, self->planted);
	self->unknown = file_number(PARAMETER(NMI, "unknown"));
	self->pmd = pmu_first()->pmd;
	ASSERT_EQ(0, sampler_open(&self->sampler, PFM_FL_NMI, BUFFER));
	self->fd = self->sampler.fd;
}

FIXTURE_TEARDOWN(nmi)
{
	sampler_close(&self->sampler);
	EXPECT_EQ(self->unknown, file_number(PARAMETER(NMI, "unknown")));
	module_unload(NMI);
	module_unload(SECTION);
}

static int plant(unsigned int instructions)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", instructions);
	return file_write(PARAMETER(SECTION, "instructions"), text);
}

static int send_nmis(unsigned int n)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", n);
	return file_write(PARAMETER(NMI, "send"), text);
}

static bool is_planted(uint64_t planted, uint64_t ip)
{
	return ip - planted < PLANTED_BYTES;
}

/* Lets the first counter of a session sample at all levels. */
static int program_kernel(int fd, uint64_t period, uint32_t flags)
{
	const struct pfarg_pmd_attr attr = { .reg_long_reset = -period,
					     .reg_short_reset = -period };
	const struct pmu_counter *counter = pmu_first();

	if (pmu_program(fd, counter, counter->kernel, 0))
		return -1;
	return write_pmd_attr(fd, counter->pmd, flags, -period, &attr);
}

/* Samples a planted section of these many instructions. */
static int sample_section(int fd, uint64_t period, unsigned int instructions)
{
	if (program_kernel(fd, period, 0) || attach_self(fd) ||
	    pfm_start_session(fd, 0) || plant(instructions))
		return -1;
	return pfm_stop_session(fd, 0);
}

/*
 * Periods that NMIs end have to be longer than an interrupt: in the debug kernel they are
 * so many times as long, and the section is, too.
 */
static unsigned int scale(void)
{
	return kernel_is_slow() ? 100 : 1;
}

static int sample_section_by_nmis(int fd, uint64_t period,
				  unsigned int instructions)
{
	return sample_section(fd, period * scale(), instructions * scale() | 1);
}

/*
 * Samples of the section, without its first instruction, which takes the interrupts off,
 * that stand for several periods.
 */
static const struct pfm_dfl_smpl_entry *
section_sample(const struct sampler *sampler, uint64_t planted,
	       unsigned int *samples)
{
	const struct pfm_dfl_smpl_entry *entry = NULL, *found = NULL;

	*samples = 0;
	while ((entry = sampler_next(sampler, entry, 0)))
		if (is_planted(planted, entry->ip) && entry->ip != planted &&
		    entry->repeat) {
			found = entry;
			++*samples;
		}
	return found;
}

#define SECTION_INSTRUCTIONS 100001
#define SECTION_PERIOD 1009

TEST_F(nmi, without_it_code_without_interrupts_has_no_samples)
{
	const struct pfm_dfl_smpl_entry *entry = NULL;
	struct sampler sampler;

	ASSERT_EQ(0, sampler_open(&sampler, 0, BUFFER));
	ASSERT_EQ(0, sample_section(sampler.fd, SECTION_PERIOD,
				    SECTION_INSTRUCTIONS));
	while ((entry = sampler_next(&sampler, entry, 0))) {
		/* The first instruction takes the interrupts off. */
		ASSERT_FALSE(entry->ip != self->planted &&
			     is_planted(self->planted, entry->ip));
		ASSERT_EQ(0, entry->repeat);
	}
	EXPECT_LT(1, sampler.hdr->hdr_count);
	sampler_close(&sampler);
}

TEST_F(nmi, with_it_a_sample_stands_for_all_periods_of_such_code)
{
	const struct pfm_dfl_smpl_entry *entry;
	/* What the kernel executes until the counter is stopped, times scale(). */
	const uint64_t most = 20000;
	unsigned int samples;

	ASSERT_EQ(0, sample_section_by_nmis(self->fd, SECTION_PERIOD,
					    SECTION_INSTRUCTIONS));
	entry = section_sample(&self->sampler, self->planted, &samples);
	ASSERT_EQ(1, samples);
	EXPECT_EQ(-(uint64_t)SECTION_PERIOD * scale(), entry->last_reset_val);
	EXPECT_LE(SECTION_INSTRUCTIONS / SECTION_PERIOD - 2, entry->repeat);
	EXPECT_GE((SECTION_INSTRUCTIONS + most) / SECTION_PERIOD,
		  entry->repeat);
}

TEST_F(nmi, periods_that_no_sample_has_room_for_are_lost_and_counted)
{
	const struct pfm_dfl_smpl_entry *entry;
	unsigned int samples;

	ASSERT_EQ(0, sample_section_by_nmis(self->fd, SECTION_PERIOD,
					    6 * SECTION_INSTRUCTIONS + 1));
	entry = section_sample(&self->sampler, self->planted, &samples);
	ASSERT_EQ(1, samples);
	EXPECT_EQ(255, entry->repeat);
	EXPECT_LE(6 * SECTION_INSTRUCTIONS / SECTION_PERIOD - 2 - 255,
		  family_loss(self->fd, PFM_LOSS_OVERFLOWS));
}

/* Periods of the samples, and what has been counted of the next one. */
static uint64_t events_of_samples(const struct sampler *sampler,
				  uint64_t period, uint64_t value)
{
	const struct pfm_dfl_smpl_entry *entry = NULL;
	uint64_t events = period + value;

	while ((entry = sampler_next(sampler, entry, 0)))
		events += (1 + entry->repeat) * period;
	return events;
}

TEST_F(nmi, samples_stand_for_all_that_was_counted)
{
	static const uint64_t periods[] = { 997, 1000, 4999 };
	const unsigned long rounds = 20000;
	unsigned int i;
	uint64_t value;

	ASSERT_EQ(0, attach_self(self->fd));
	for (i = 0; i < ARRAY_SIZE(periods); i++) {
		struct sampler sampler;

		ASSERT_EQ(0, sampler_open(&sampler, PFM_FL_NMI, BUFFER));
		ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
		ASSERT_EQ(0, period_program(sampler.fd, pmu_first(), 0,
					    periods[i], NULL));
		ASSERT_EQ(0, attach_self(sampler.fd));
		ASSERT_EQ(0, track_run(sampler.fd, rounds));
		ASSERT_EQ(0, read_pmd(sampler.fd, self->pmd, &value));
		EXPECT_EQ(track_length(rounds),
			  events_of_samples(&sampler, periods[i], value));
		EXPECT_EQ(track_length(rounds) / periods[i],
			  sampler.hdr->hdr_count);
		sampler_close(&sampler);
		ASSERT_EQ(0, attach_self(self->fd));
	}
}

/* Instructions by which the machine lets each overflow interrupt be late. */
#define SKID 7

TEST_F(nmi, periods_end_where_they_should_even_if_interrupts_are_late)
{
	const struct pfm_dfl_smpl_entry *entry = NULL;
	const unsigned long rounds = 20000;
	const uint64_t period = 997;
	int msr = msr_open(0);
	uint64_t n = 0;

	if (msr < 0)
		SKIP(return, "needs the test machine");
	ASSERT_EQ(0, period_program(self->fd, pmu_first(), 0, period, NULL));
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, msr_fault(msr, PMU_FAULT(PMU_FAULT_SKID, SKID)));
	ASSERT_EQ(0, track_run(self->fd, rounds));
	ASSERT_EQ(0, msr_fault(msr, PMU_FAULT(PMU_FAULT_CLEAR, 0)));
	while ((entry = sampler_next(&self->sampler, entry, 0))) {
		n++;
		ASSERT_EQ(track_ip(rounds, n * period + SKID + 1), entry->ip);
		ASSERT_EQ(-period, entry->last_reset_val);
		ASSERT_EQ(0, entry->repeat);
	}
	EXPECT_EQ((track_length(rounds) - SKID) / period, n);
	close(msr);
}

/* Late interrupts of the program's instructions find the kernel, with interrupts off. */
TEST_F(nmi, who_does_not_count_the_kernel_does_not_see_it)
{
	const struct pfm_dfl_smpl_entry *entry = NULL;
	int i, msr = msr_open(0);

	if (msr < 0)
		SKIP(return, "needs the test machine");
	ASSERT_EQ(0, period_program(self->fd, pmu_first(), 0, 101, NULL));
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, msr_fault(msr, PMU_FAULT(PMU_FAULT_SKID, SKID)));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	for (i = 0; i < 2000; i++)
		getppid();
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	ASSERT_EQ(0, msr_fault(msr, PMU_FAULT(PMU_FAULT_CLEAR, 0)));
	while ((entry = sampler_next(&self->sampler, entry, 0)))
		ASSERT_FALSE(stacks_of_kernel(entry->ip));
	EXPECT_LT(50, self->sampler.hdr->hdr_count);
	close(msr);
}

/* Whether an address is of a function, and of no other one far behind it. */
static bool is_within(uint64_t function, uint64_t ip)
{
	return ip - function < 4096;
}

TEST_F(nmi, the_chain_is_that_of_the_code_without_interrupts)
{
	const struct pfm_stacks_smpl_entry *entry = NULL;
	uint64_t setter = kernel_symbol("set_instructions");
	uint64_t store = kernel_symbol("param_attr_store");
	struct stacker stacker;
	const uint64_t *ips;
	unsigned int n = 0;
	bool missed;
	const struct pfm_stacks_smpl_arg arg = {
		.buf_size = BUFFER,
	};

	ASSERT_EQ(0, stacker_open_flags(&stacker, PFM_FL_NMI, &arg));
	ASSERT_EQ(0, sample_section_by_nmis(stacker.fd, 10007,
					    SECTION_INSTRUCTIONS));
	while ((entry = stacker_next(&stacker, entry))) {
		ips = stacker_ips(entry);
		if (!is_planted(self->planted, ips[0]) || !entry->repeat)
			continue;
		n++;
		EXPECT_LE(SECTION_INSTRUCTIONS / 10007 - 2, entry->repeat);
		EXPECT_EQ(entry->ip, ips[0]);
		/* Its caller, others of the kernel, and the program's. */
		ASSERT_LT(3, entry->nr_kernel);
		/* Frame pointers, of 32-bit and debug kernels, may miss the caller. */
		missed = (sizeof(long) == 4 || kernel_is_slow()) &&
			 is_within(store, ips[1]);
		EXPECT_TRUE(!setter || missed || is_within(setter, ips[1]));
		EXPECT_TRUE(stacks_of_kernel(ips[entry->nr_kernel - 1]));
		ASSERT_LT(entry->nr_kernel, entry->nr);
		EXPECT_FALSE(stacks_of_kernel(ips[entry->nr_kernel]));
	}
	EXPECT_EQ(1, n);
	stacker_close(&stacker);
}

/*
 * Two processes hand a byte to each other, sampled in the kernel: overflows come in the
 * context switch, in wakeups, in the interrupt and in the NMI itself.
 */
static void sample_pipe(struct __test_metadata *_metadata,
			const struct pingpong *pingpong, uint64_t period,
			uint64_t *instructions)
{
	const struct pmu *pmu = pmu_get();
	/* Those of a Pentium 4 share what chooses the level. */
	const bool two = pmu->counters > 1 && pmu->counter[1].selector;
	struct sampler sampler;

	ASSERT_EQ(0, sampler_open(&sampler, PFM_FL_NMI, BUFFER));
	/* The first one comes last: on a P6 it enables both. */
	if (two)
		ASSERT_EQ(0, pmu_count_user(sampler.fd, &pmu->counter[1], 0));
	ASSERT_EQ(0, program_kernel(sampler.fd, period, 0));
	ASSERT_EQ(0, attach_self(sampler.fd));
	ASSERT_EQ(0, pfm_start_session(sampler.fd, 0));
	ASSERT_EQ(0, pingpong_play(pingpong, 20));
	ASSERT_EQ(0, pfm_stop_session(sampler.fd, 0));
	EXPECT_LT(0, sampler.hdr->hdr_count);
	if (two)
		ASSERT_EQ(0, read_pmd(sampler.fd, pmu->counter[1].pmd,
				      instructions));
	sampler_close(&sampler);
}

TEST_F(nmi, overflows_in_the_hottest_code_of_the_kernel_do_no_harm)
{
	const long n = repetitions(200);
	uint64_t first = 0, instructions = 0;
	const int64_t captured = file_number(CAPTURED);
	const int64_t dropped = file_number(DROPPED);
	struct pingpong pingpong;
	long i;

	ASSERT_EQ(0, pingpong_start(&pingpong, 0, NULL));
	sample_pipe(_metadata, &pingpong, 1499, &first);
	for (i = 0; i < n; i++) {
		sample_pipe(_metadata, &pingpong, 1500 + (uint64_t)i,
			    &instructions);
		/* The program is the same, whatever interrupts it. */
		ASSERT_EQ(first, instructions);
	}
	pingpong_stop(&pingpong);
	/* Some were in a context switch, and their session was off the CPU later. */
	EXPECT_LT(captured, file_number(CAPTURED));
	EXPECT_LT(dropped, file_number(DROPPED));
}

TEST_F(nmi, a_session_of_a_cpu_knows_who_was_interrupted)
{
	const struct pfm_dfl_smpl_entry *entry;
	const long n = repetitions(200);
	struct pingpong pingpong;
	struct sampler sampler;
	unsigned int samples;

	ASSERT_EQ(0, sampler_open(&sampler, PFM_FL_NMI | PFM_FL_SYSTEM_WIDE,
				  BUFFER));
	ASSERT_EQ(0, program_kernel(sampler.fd, 3001 * scale(), 0));
	ASSERT_EQ(0, pfm_attach_session(sampler.fd, 0, 0));
	ASSERT_EQ(0, pingpong_start(&pingpong, 0, NULL));
	ASSERT_EQ(0, pfm_start_session(sampler.fd, 0));
	ASSERT_EQ(0, plant(SECTION_INSTRUCTIONS * scale() | 1));
	ASSERT_EQ(0, pingpong_play(&pingpong, n));
	ASSERT_EQ(0, pfm_stop_session(sampler.fd, 0));
	pingpong_stop(&pingpong);
	entry = section_sample(&sampler, self->planted, &samples);
	ASSERT_EQ(1, samples);
	EXPECT_EQ(gettid(), (pid_t)entry->pid);
	EXPECT_EQ(getpid(), (pid_t)entry->tgid);
	sampler_close(&sampler);
}

TEST_F(nmi, nmis_of_others_are_not_claimed)
{
	ASSERT_EQ(0, send_nmis(1));
	EXPECT_EQ(self->unknown + 1, file_number(PARAMETER(NMI, "unknown")));
	/* A session that has not overflowed has not caused it. */
	ASSERT_EQ(0, program_kernel(self->fd, 1ULL << 40, 0));
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	ASSERT_EQ(0, send_nmis(1));
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	EXPECT_EQ(self->unknown + 2, file_number(PARAMETER(NMI, "unknown")));
	self->unknown += 2;
}

TEST_F(nmi, an_nmi_that_comes_after_its_counter_was_stopped_is_claimed)
{
	const int delay = 2000;
	int i, msr = msr_open(0);

	if (msr < 0)
		SKIP(return, "needs the test machine");
	ASSERT_EQ(0, program_kernel(self->fd, 100003, 0));
	ASSERT_EQ(0, attach_self(self->fd));
	for (i = 0; i < 20; i++) {
		ASSERT_EQ(0, msr_fault(msr, PMU_FAULT(PMU_FAULT_DELAY, delay)));
		ASSERT_EQ(0, write_pmd(self->fd, self->pmd,
				       -(uint64_t)(200 + 100 * i)));
		ASSERT_EQ(0, pfm_start_session(self->fd, 0));
		ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	}
	ASSERT_EQ(0, msr_fault(msr, PMU_FAULT(PMU_FAULT_CLEAR, 0)));
	close(msr);
}

static int create_with_nmi(void *arg)
{
	(void)arg;
	return pfm_create_session(PFM_FL_NMI) < 0 ? errno : 0;
}

TEST_F(nmi, who_may_not_count_the_kernel_gets_none)
{
	EXPECT_EQ(EPERM, unprivileged(NO_GROUP, create_with_nmi, NULL));
}

TEST(sysfs_tells_how_overflows_are_delivered)
{
	char text[32];
	int fd;

	ASSERT_EQ(0, attr_read("delivery", text, sizeof(text)));
	fd = pfm_create_session(PFM_FL_NMI);
	if (pmu_get() && pmu_interrupts()) {
		EXPECT_STREQ("vector nmi\n", text);
		EXPECT_LE(0, fd);
	} else {
		EXPECT_STREQ("none\n", text);
		EXPECT_EQ(EINVAL, fd < 0 ? errno : 0);
	}
	if (fd >= 0)
		close(fd);
}

TEST_HARNESS_MAIN

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Instruction-based sampling of AMD processors: the registers of a sample name the
 * instruction itself, whatever the interrupt finds, and the sample's thread is right.
 *
 * The machine puts the number of the user instruction that was sampled into IBSOPDATA, so
 * that the address of each sample is known. planted_section.ko has code without
 * interrupts of known length.
 */
#include <cpuid.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "array_size.h"
#include "attr.h"
#include "child.h"
#include "default_format.h"
#include "instruction_track.h"
#include "kernel_symbol.h"
#include "loop.h"
#include "machine.h"
#include "module.h"
#include "msr.h"
#include "overflow_period.h"
#include "pfm_test.h"
#include "pingpong.h"
#include "pmrs.h"
#include "pmu.h"
#include "unprivileged.h"

#define PMC_FETCH 6
#define PMC_OP 7
#define PMD_FETCH 6
#define PMD_FETCH_LINEAR 7
#define PMD_OP 9
#define PMD_OP_RIP 10
#define PMD_OP_DATA 11

/*
 * CPUID: the count of the op unit can be written, so that a period may be interrupted; it
 * may be of operations and not of cycles.
 */
#define CPUID_IBS 0x8000001b
#define CAN_WRITE_COUNT 0x8
#define CAN_COUNT_OPS 0x10

/* Control registers: enable, a sample is there, count instructions and not cycles. */
#define FETCH_ENABLE (1ULL << 48)
#define FETCH_VALID (1ULL << 49)
#define OP_ENABLE (1ULL << 17)
#define OP_VALID (1ULL << 18)
#define OP_COUNTS_OPS (1ULL << 19)

/* For a kernel that checks itself they are longer than its interrupts, too. */
#define PERIOD (kernel_is_slow() ? 99200u : 992u)
#define ROUNDS (kernel_is_slow() ? 1200000ul : 60000ul)
#define SECTION_INSTRUCTIONS (kernel_is_slow() ? "10000001" : "100001")

#define SECTION "planted_section"
#define SECTION_LENGTH "/sys/module/" SECTION "/parameters/instructions"
#define PLANTED_BYTES 32

#define BUFFER (1 << 20)

FIXTURE(ibs)
{
	struct sampler sampler;
	int fd;
};

FIXTURE_SETUP(ibs)
{
	struct pmu_reg reg;

	if (!pmu_reg(PMU_PMC, PMC_OP, &reg) || strcmp(reg.name, "IBSOPCTL"))
		SKIP(return, "no instruction-based sampling");
	ASSERT_EQ(0, pin_to_cpu(0));
	ASSERT_EQ(0, sampler_open(&self->sampler, 0, BUFFER));
	self->fd = self->sampler.fd;
}

FIXTURE_TEARDOWN(ibs)
{
	sampler_close(&self->sampler);
}

/* Has @pmd interrupt with the values of these PMDs in each sample. */
static int sample_with(int fd, uint16_t pmd, const uint16_t *values,
		       unsigned int n)
{
	/* The register is no counter, and has no use for reset values. */
	struct pfarg_pmd_attr attr = { .reg_long_reset = -7,
				       .reg_short_reset = -7 };
	unsigned int i;

	for (i = 0; i < n; i++)
		pmd_mark(attr.reg_smpl_pmds, values[i]);
	return write_pmd_attr(fd, pmd, 0, 0, &attr);
}

static const uint16_t op_values[] = { PMD_OP, PMD_OP_RIP, PMD_OP_DATA };
#define OP_VALUES ARRAY_SIZE(op_values)

/* Samples each @period instructions, at all levels. */
static int program_op(int fd, uint64_t period)
{
	if (sample_with(fd, PMD_OP, op_values, OP_VALUES))
		return -1;
	return write_pmc(fd, PMC_OP, OP_ENABLE | OP_COUNTS_OPS | period >> 4);
}

static unsigned int capabilities(void)
{
	unsigned int eax = 0, ebx, ecx, edx;

	__get_cpuid(CPUID_IBS, &eax, &ebx, &ecx, &edx);
	return eax;
}

static bool is_user(uint64_t address)
{
	return !(address >> 63);
}

TEST_F(ibs, registers_have_the_numbers_of_libpfm)
{
	static const struct {
		enum pmu_kind kind;
		unsigned int num;
		const char *name;
		uint32_t address;
	} expected[] = {
		{ PMU_PMC, 6, "IBSFETCHCTL", 0xc0011030 },
		{ PMU_PMC, 7, "IBSOPCTL", 0xc0011033 },
		{ PMU_PMD, 6, "IBSFETCHCTL", 0xc0011030 },
		{ PMU_PMD, 7, "IBSFETCHLINAD", 0xc0011031 },
		{ PMU_PMD, 8, "IBSFETCHPHYSAD", 0xc0011032 },
		{ PMU_PMD, 9, "IBSOPCTL", 0xc0011033 },
		{ PMU_PMD, 10, "IBSOPRIP", 0xc0011034 },
		{ PMU_PMD, 11, "IBSOPDATA", 0xc0011035 },
		{ PMU_PMD, 12, "IBSOPDATA2", 0xc0011036 },
		{ PMU_PMD, 13, "IBSOPDATA3", 0xc0011037 },
		{ PMU_PMD, 14, "IBSDCLINAD", 0xc0011038 },
		{ PMU_PMD, 15, "IBSDCPHYSAD", 0xc0011039 },
	};
	struct pmu_reg reg;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(expected); i++) {
		ASSERT_TRUE(pmu_reg(expected[i].kind, expected[i].num, &reg));
		EXPECT_STREQ(expected[i].name, reg.name);
		EXPECT_EQ(expected[i].address, reg.addr);
	}
}

/*
 * Samples of a buffer, by where they are; those that are wrong; and the operations that
 * they stand for.
 */
struct found {
	unsigned int user;
	unsigned int kernel;
	unsigned int wrong;
	uint64_t operations;
};

/*
 * The track has the same instructions in each round, so that the distance between two
 * samples says which one of a round the second is, if the first is known.
 */
static struct found look_at_track(const struct sampler *sampler)
{
	const struct pfm_dfl_smpl_entry *entry = NULL;
	uint32_t number, before = 0;
	struct found found = { 0 };
	int position, expected = 0;
	uint64_t rip;

	while ((entry = sampler_next(sampler, entry, OP_VALUES))) {
		rip = sampler_value(entry, 1);
		number = sampler_value(entry, 2);
		if (!(sampler_value(entry, 0) & OP_VALID))
			found.wrong++;
		if (entry->last_reset_val != -(uint64_t)PERIOD)
			found.wrong++;
		found.operations += PERIOD;
		found.kernel += !is_user(rip);
		position = track_position(rip);
		if (!is_user(rip) || position < 0)
			continue;
		if (found.user++) {
			expected += (number - before) % TRACK_ROUND;
			found.wrong += expected % TRACK_ROUND != position;
		}
		expected = position;
		before = number;
	}
	return found;
}

TEST_F(ibs, op_samples_name_the_instruction_itself)
{
	/* Instructions by which the interrupt is late. */
	static const unsigned int late[] = { 0, 7 };
	/* Cycles are three halves of the instructions. */
	const uint64_t executed = ROUNDS * TRACK_ROUND *
				  (capabilities() & CAN_COUNT_OPS ? 2 : 3) / 2;
	struct sampler sampler;
	struct found found;
	size_t i;
	int msr;

	msr = msr_open(0);
	ASSERT_LE(0, msr);
	for (i = 0; i < ARRAY_SIZE(late); i++) {
		ASSERT_EQ(0, sampler_open(&sampler, 0, BUFFER));
		ASSERT_EQ(0, program_op(sampler.fd, PERIOD));
		ASSERT_EQ(0, attach_self(sampler.fd));
		ASSERT_EQ(0,
			  msr_fault(msr, PMU_FAULT(PMU_FAULT_SKID, late[i])));
		ASSERT_EQ(0, track_run(sampler.fd, ROUNDS));
		ASSERT_EQ(0, msr_fault(msr, PMU_FAULT_CLEAR));
		found = look_at_track(&sampler);
		EXPECT_EQ(0, found.wrong);
		EXPECT_LT(executed / PERIOD * 3 / 4, found.user);
		/* The rest is the kernel's: ticks, and the way back from the interrupt. */
		EXPECT_LT(executed - PERIOD, found.operations);
		EXPECT_GT(2 * executed, found.operations)
		{
			TH_LOG("late %u: %llu of %llu operations in %u samples",
			       late[i], (unsigned long long)found.operations,
			       (unsigned long long)executed,
			       found.user + found.kernel);
		}
		sampler_close(&sampler);
	}
	close(msr);
}

TEST_F(ibs, fetch_samples_name_the_instruction_itself)
{
	static const uint16_t values[] = { PMD_FETCH, PMD_FETCH_LINEAR };
	const struct pfm_dfl_smpl_entry *entry = NULL;
	unsigned int user = 0;

	ASSERT_EQ(0, sample_with(self->fd, PMD_FETCH, values, 2));
	ASSERT_EQ(0,
		  write_pmc(self->fd, PMC_FETCH, FETCH_ENABLE | PERIOD >> 4));
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, track_run(self->fd, ROUNDS));
	while ((entry = sampler_next(&self->sampler, entry, 2))) {
		EXPECT_NE(0, sampler_value(entry, 0) & FETCH_VALID);
		EXPECT_EQ(-(uint64_t)PERIOD, entry->last_reset_val);
		user += track_position(sampler_value(entry, 1)) >= 0;
	}
	/* Each fourth instruction is a fetch. */
	EXPECT_LT(9 * ROUNDS * TRACK_ROUND / PERIOD / 4 / 10, user);
}

TEST_F(ibs, code_without_interrupts_has_its_place)
{
	const struct pfm_dfl_smpl_entry *entry = NULL;
	unsigned int inside = 0;
	uint64_t planted, rip;
	int err;

	err = module_load(SECTION, "");
	ASSERT_TRUE(err == 0 || err == EEXIST);
	planted = kernel_symbol("planted_odd");
	ASSERT_NE(0, planted);
	ASSERT_EQ(0, program_op(self->fd, PERIOD));
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	ASSERT_EQ(0, file_write(SECTION_LENGTH, SECTION_INSTRUCTIONS));
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	while ((entry = sampler_next(&self->sampler, entry, OP_VALUES))) {
		rip = sampler_value(entry, 1);
		/* The first instruction takes the interrupts off. */
		if (rip == planted || rip - planted >= PLANTED_BYTES)
			continue;
		inside++;
		EXPECT_GT(PLANTED_BYTES, entry->ip - planted);
	}
	/* The unit stands still until interrupts are on. */
	EXPECT_EQ(1, inside);
	module_unload(SECTION);
}

/* What a user without rights gets who has a descriptor. */
static int write_unprivileged(void *fd)
{
	return ERRNO(write_pmc(*(int *)fd, PMC_OP, OP_ENABLE | PERIOD >> 4));
}

TEST_F(ibs, bad_values_are_refused)
{
	static const struct {
		uint16_t pmc;
		uint64_t value;
		int err;
	} cases[] = {
		{ PMC_OP, OP_ENABLE | 8, EINVAL },
		{ PMC_OP, OP_ENABLE, EINVAL },
		{ PMC_OP, OP_ENABLE | 9, 0 },
		{ PMC_FETCH, FETCH_ENABLE, EINVAL },
		{ PMC_FETCH, FETCH_ENABLE | 1, 0 },
		{ PMC_OP, 0, 0 },
		{ PMC_FETCH, 0, 0 },
	};
	struct pfarg_pmd_attr attr = { 0 };
	uint64_t value;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		EXPECT_EQ(cases[i].err, ERRNO(write_pmc(self->fd, cases[i].pmc,
							cases[i].value)));
	/* What the hardware writes stays out of its control. */
	ASSERT_EQ(0, write_pmc(self->fd, PMC_OP, ~0ULL));
	ASSERT_EQ(0, read_pmc(self->fd, PMC_OP, &value));
	EXPECT_EQ(0, value & (OP_VALID | 0xffffffffULL << 32));
	/* A register that the hardware fills cannot be reset. */
	pmd_mark(attr.reg_reset_pmds, PMD_OP_RIP);
	EXPECT_EQ(EINVAL, ERRNO(write_pmd_attr(self->fd, PMD_OP, 0, 0, &attr)));
	EXPECT_EQ(EPERM, unprivileged(NO_GROUP, write_unprivileged, &self->fd));
}

TEST_F(ibs, samples_of_a_thread_are_of_its_code)
{
	const struct pfm_dfl_smpl_entry *entry = NULL;
	unsigned int track = 0, other = 0;
	pid_t pid;

	/* It runs the track, and has no session. */
	pid = child_start(track_child, NULL);
	ASSERT_LT(0, pid);
	ASSERT_EQ(0, program_op(self->fd, PERIOD));
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	counted_loop(50000000);
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	child_kill(pid);
	while ((entry = sampler_next(&self->sampler, entry, OP_VALUES))) {
		EXPECT_EQ((uint32_t)getpid(), entry->pid);
		if (track_position(sampler_value(entry, 1)) >= 0)
			track++;
		else
			other++;
	}
	EXPECT_EQ(0, track);
	EXPECT_LT(kernel_is_slow() ? 250 : 1000, other);
}

TEST_F(ibs, a_period_goes_on_after_a_switch)
{
	const struct pfm_dfl_smpl_entry *entry = NULL;
	/* More instructions than a thread executes between two switches. */
	const uint64_t period = 65536;
	struct pingpong pingpong;
	unsigned int samples = 0;

	if (!(capabilities() & CAN_WRITE_COUNT))
		SKIP(return, "periods begin anew after a switch");
	ASSERT_EQ(0, pingpong_start(&pingpong, 0, NULL));
	ASSERT_EQ(0, program_op(self->fd, period));
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	ASSERT_EQ(0, pingpong_play(&pingpong, 500));
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	pingpong_stop(&pingpong);
	while ((entry = sampler_next(&self->sampler, entry, OP_VALUES)))
		samples++;
	EXPECT_LT(500 * 1000 / period, samples);
}

TEST_F(ibs, a_counter_samples_beside_it_by_nmis)
{
	const struct pmu_counter *counter = pmu_first();
	const uint64_t period = 100003;
	const struct pfm_dfl_smpl_entry *entry = NULL;
	unsigned int units = 0, counters = 0;
	struct pfarg_pmd_attr attr = { 0 };
	struct sampler sampler;
	unsigned int i;

	for (i = 0; i < OP_VALUES; i++)
		pmd_mark(attr.reg_smpl_pmds, op_values[i]);
	ASSERT_EQ(0, sampler_open(&sampler, PFM_FL_NMI, BUFFER));
	ASSERT_EQ(0, program_op(sampler.fd, PERIOD));
	ASSERT_EQ(0, period_program(sampler.fd, counter, 0, period, &attr));
	ASSERT_EQ(0, attach_self(sampler.fd));
	ASSERT_EQ(0, track_run(sampler.fd, ROUNDS));
	while ((entry = sampler_next(&sampler, entry, OP_VALUES))) {
		units += entry->ovfl_pmd == PMD_OP;
		counters += entry->ovfl_pmd == counter->pmd;
		/* A unit stands still, so that no period is over beside a sample's. */
		EXPECT_EQ(0, entry->repeat);
		EXPECT_EQ(entry->ovfl_pmd == PMD_OP ? -(uint64_t)PERIOD :
						      -period,
			  entry->last_reset_val);
	}
	EXPECT_LT(kernel_is_slow() ? 50 : 100, units);
	EXPECT_EQ(track_length(ROUNDS) / period, counters);
	sampler_close(&sampler);
}

TEST_F(ibs, sampling_goes_on_whatever_has_stopped_it)
{
	/* Another one writes the control after so many instructions; an NMI is lost. */
	static const uint64_t faults[] = {
		PMU_FAULT(PMU_FAULT_IBS_FOREIGN, 100000),
		PMU_FAULT(PMU_FAULT_LOSE, 1),
	};
	const uint64_t length = 20000000, expected = length / PERIOD / 2;
	struct sampler sampler;
	size_t i;
	int msr;

	msr = msr_open(0);
	ASSERT_LE(0, msr);
	for (i = 0; i < ARRAY_SIZE(faults); i++) {
		ASSERT_EQ(0, sampler_open(&sampler, 0, BUFFER));
		ASSERT_EQ(0, program_op(sampler.fd, PERIOD));
		ASSERT_EQ(0, attach_self(sampler.fd));
		ASSERT_EQ(0, pfm_start_session(sampler.fd, 0));
		ASSERT_EQ(0, msr_fault(msr, faults[i]));
		counted_loop(length);
		ASSERT_EQ(0, pfm_stop_session(sampler.fd, 0));
		ASSERT_EQ(0, msr_fault(msr, PMU_FAULT_CLEAR));
		EXPECT_LT(expected, sampler.hdr->hdr_count);
		sampler_close(&sampler);
	}
	close(msr);
}

/*
 * Its NMI is on the way when another one clears the sample.  The kernel reports an NMI
 * that no handler has claimed, and the runner of the tests fails for this report.
 */
TEST_F(ibs, the_nmi_of_a_sample_that_another_has_cleared_is_known)
{
	const unsigned int steps = kernel_is_slow() ? 20 : 200;
	unsigned int i;
	int msr;

	msr = msr_open(0);
	ASSERT_LE(0, msr);
	ASSERT_EQ(0, program_op(self->fd, PERIOD));
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	for (i = 0; i < steps; i++) {
		ASSERT_EQ(0, msr_fault(msr, PMU_FAULT(PMU_FAULT_IBS_FOREIGN,
						      10000 + 31 * i)));
		counted_loop(20000);
		ASSERT_EQ(0, msr_fault(msr, PMU_FAULT_CLEAR));
	}
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	close(msr);
}

static int perf_open_op(void)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = file_number(
			"/sys/bus/event_source/devices/ibs_op/type"),
		.sample_period = 65536,
		.disabled = 1,
	};

	return syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
}

TEST_F(ibs, perf_event_and_sessions_exclude_each_other)
{
	int perf;

	if (perfmon_is_module())
		SKIP(return, "perf_event cannot be kept out by a module");
	perf = perf_open_op();
	ASSERT_LE(0, perf);
	EXPECT_EQ(EBUSY, ERRNO(write_pmc(self->fd, PMC_OP, OP_ENABLE | 62)));
	close(perf);
	EXPECT_EQ(0, write_pmc(self->fd, PMC_OP, OP_ENABLE | 62));
	EXPECT_EQ(EBUSY, ERRNO(perf_open_op()));
	sampler_close(&self->sampler);
	perf = perf_open_op();
	EXPECT_LE(0, perf);
	close(perf);
	ASSERT_EQ(0, sampler_open(&self->sampler, 0, BUFFER));
}

TEST_HARNESS_MAIN

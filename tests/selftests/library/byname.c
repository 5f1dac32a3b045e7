// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events by name, through the library: the processor is recognised, the kernel
 * accepts what pfm_dispatch_events() says, and the counters count the event.
 */
#include <string.h>

#include <perfmon/pfmlib.h>

#include "counter_check.h"
#include "loop.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"

#define PMD_TSC 256

/* The test machine's cycles in so many instructions. */
#define CYCLES 3
#define CYCLES_INSTRUCTIONS 2

static pfmlib_input_param_t in;
static pfmlib_output_param_t out;

/* A session of this thread with the registers of the output, or -1. */
static int session_of_output(void)
{
	unsigned int i;
	int fd = pfm_create_session(0);

	for (i = 0; i < out.pfp_pmc_count; i++)
		if (write_pmc(fd, (uint16_t)out.pfp_pmcs[i].reg_num,
			      out.pfp_pmcs[i].reg_value)) {
			printf("# pmc%u = 0x%llx: error %d\n",
			       out.pfp_pmcs[i].reg_num,
			       out.pfp_pmcs[i].reg_value, errno);
			close(fd);
			return -1;
		}
	for (i = 0; i < out.pfp_pmd_count; i++)
		if (write_pmd(fd, (uint16_t)out.pfp_pmds[i].reg_num, 0)) {
			close(fd);
			return -1;
		}
	if (attach_self(fd)) {
		close(fd);
		return -1;
	}
	return fd;
}

/* One that counts the events of the input at user level. */
static int session(void)
{
	in.pfp_dfl_plm = PFM_PLM3;
	if (pfm_dispatch_events(&in, NULL, &out, NULL))
		return -1;
	return session_of_output();
}

/* Whether the counter of event number i counts at all levels. */
static bool any_level(unsigned int i)
{
	const struct pmu *pmu = pmu_all();
	unsigned int c;

	for (c = 0; pmu && c < pmu->counters; c++)
		if (pmu->counter[c].pmd == out.pfp_pmds[i].reg_num)
			return pmu->counter[c].known &&
			       pmu->counter[c].known->any_level;
	return false;
}

static bool exact(int fd, unsigned int i, unsigned int num, unsigned int den)
{
	return counts_exactly(fd, (uint16_t)out.pfp_pmds[i].reg_num, num, den,
			      any_level(i));
}

FIXTURE(model)
{
	char name[128];
	pfmlib_event_t cycles, instructions;
	bool has_instructions;
};

FIXTURE_SETUP(model)
{
	int ret;

	memset(&in, 0, sizeof(in));
	ASSERT_EQ(PFMLIB_SUCCESS, pfm_initialize());
	ASSERT_EQ(PFMLIB_SUCCESS,
		  pfm_get_pmu_name(self->name, sizeof(self->name)));
	TH_LOG("%s", self->name);
	ASSERT_EQ(PFMLIB_SUCCESS, pfm_get_cycle_event(&self->cycles));
	ret = pfm_get_inst_retired_event(&self->instructions);
	self->has_instructions = !ret;
	ASSERT_EQ(true, !ret || ret == PFMLIB_ERR_NOTSUPP);
}

FIXTURE_TEARDOWN(model)
{
}

TEST_F(model, cycles_count_exactly)
{
	int fd;

	in.pfp_events[0] = self->cycles;
	in.pfp_event_count = 1;
	fd = session();
	ASSERT_LE(0, fd);
	if (out.pfp_pmds[0].reg_num == PMD_TSC)
		SKIP(return, "time goes on between the instructions, too");
	EXPECT_TRUE(exact(fd, 0, CYCLES, CYCLES_INSTRUCTIONS));
	close(fd);
}

TEST_F(model, the_time_stamp_counter_counts)
{
	uint64_t value = 0;
	int fd;

	in.pfp_events[0] = self->cycles;
	in.pfp_event_count = 1;
	fd = session();
	ASSERT_LE(0, fd);
	if (out.pfp_pmds[0].reg_num != PMD_TSC)
		SKIP(return, "cycles have a counter");
	ASSERT_EQ(0, pfm_start_session(fd, 0));
	counted_loop(100000);
	ASSERT_EQ(0, pfm_stop_session(fd, 0));
	ASSERT_EQ(0, read_pmd(fd, PMD_TSC, &value));
	EXPECT_LT(0, value);
	close(fd);
}

TEST_F(model, instructions_count_exactly)
{
	int fd;

	if (!self->has_instructions)
		SKIP(return, "there is no such event");
	in.pfp_events[0] = self->instructions;
	in.pfp_event_count = 1;
	fd = session();
	ASSERT_LE(0, fd);
	EXPECT_TRUE(exact(fd, 0, 1, 1));
	close(fd);
}

TEST_F(model, both_count_exactly_at_once)
{
	unsigned int counters;
	int fd;

	ASSERT_EQ(PFMLIB_SUCCESS, pfm_get_num_counters(&counters));
	if (!self->has_instructions || counters < 2)
		SKIP(return, "there is one counter only");
	in.pfp_events[0] = self->instructions;
	in.pfp_events[1] = self->cycles;
	in.pfp_event_count = 2;
	fd = session();
	ASSERT_LE(0, fd);
	EXPECT_TRUE(exact(fd, 0, 1, 1));
	EXPECT_TRUE(exact(fd, 1, CYCLES, CYCLES_INSTRUCTIONS));
	close(fd);
}

/* How many counters can count instructions at once. */
static unsigned int counters_of_instructions(void)
{
	/* It has many counters, but two ESCRs with this event. */
	if (strcmp(pmu_all()->model, "Intel P4") == 0)
		return pmu_is_shared() ? 1 : 2;
	/* Those of the C3 cannot be told to count user level only. */
	return pmu_get() ? pmu_get()->counters : pmu_all()->counters;
}

/* The same event as often as the library finds it a counter. */
TEST_F(model, all_counters_of_instructions_count_exactly)
{
	unsigned int i, counters;
	int fd = -1;

	if (!self->has_instructions)
		SKIP(return, "there is no such event");
	ASSERT_EQ(PFMLIB_SUCCESS, pfm_get_num_counters(&counters));
	for (i = 0; i < counters; i++)
		in.pfp_events[i] = self->instructions;
	for (in.pfp_event_count = counters; in.pfp_event_count > 0 && fd < 0;
	     in.pfp_event_count--)
		fd = session();
	ASSERT_LE(0, fd);
	EXPECT_EQ(counters_of_instructions(), out.pfp_pmd_count);
	for (i = 0; i < out.pfp_pmd_count; i++)
		EXPECT_TRUE(exact(fd, i, 1, 1));
	close(fd);
}

/* Where one enable bit is for all counters, it is that of another counter. */
TEST_F(model, an_event_of_the_second_counter_counts_alone)
{
	uint64_t value = 0;
	int fd;

	in.pfp_dfl_plm = PFM_PLM3;
	in.pfp_event_count = 1;
	if (pfm_find_full_event("FP_ASSIST", &in.pfp_events[0]) ||
	    pfm_dispatch_events(&in, NULL, &out, NULL) ||
	    out.pfp_pmds[0].reg_num != 1)
		SKIP(return, "this processor has no such event");
	fd = session();
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, pfm_start_session(fd, 0));
	counted_loop(100000);
	ASSERT_EQ(0, pfm_stop_session(fd, 0));
	ASSERT_EQ(0, read_pmd(fd, 1, &value));
	/* Each event of the test machine comes at least so often. */
	EXPECT_LE(100000 / 1025, value);
	close(fd);
}

/* The limit of instruction-based sampling, in units of 16, which a name does not have. */
#define IBS_LIMIT 0x1000

/*
 * Whether the kernel has all registers; it leaves out those beside the core. Registers of
 * instruction-based sampling get a limit.
 */
static bool has_registers(void)
{
	struct pmu_reg reg;
	unsigned int i;

	for (i = 0; i < out.pfp_pmc_count; i++) {
		if (!pmu_reg(PMU_PMC, out.pfp_pmcs[i].reg_num, &reg))
			return false;
		if (!strncmp(reg.name, "IBS", 3))
			out.pfp_pmcs[i].reg_value |= IBS_LIMIT;
	}
	return true;
}

/*
 * What could not be tried of an event is one of the others: it needs masks that
 * go together, or another processor.
 */
struct acceptance {
	unsigned int accepted, refused, others;
};

static void try_event(const pfmlib_event_t *event, struct acceptance *counts)
{
	char name[256] = "";
	int fd;

	in.pfp_dfl_plm = PFM_PLM0 | PFM_PLM3;
	in.pfp_events[0] = *event;
	in.pfp_event_count = 1;
	if (pfm_dispatch_events(&in, NULL, &out, NULL) || !has_registers()) {
		counts->others++;
		return;
	}
	fd = session_of_output();
	if (fd >= 0) {
		counts->accepted++;
		close(fd);
		return;
	}
	counts->refused++;
	pfm_get_full_event_name(&in.pfp_events[0], name, sizeof(name));
	printf("# %s is refused\n", name);
}

/* There are hundreds of them, and a session is made for each. */
TEST_F_TIMEOUT(model, the_kernel_accepts_every_event, 300)
{
	struct acceptance counts = { 0, 0, 0 };
	unsigned int num_events, num_masks, i;
	pfmlib_event_t event;

	memset(&event, 0, sizeof(event));
	ASSERT_EQ(PFMLIB_SUCCESS, pfm_get_num_events(&num_events));
	for (event.event = 0; event.event < num_events; event.event++) {
		ASSERT_EQ(PFMLIB_SUCCESS,
			  pfm_get_num_event_masks(event.event, &num_masks));
		event.num_masks = num_masks ? 1 : 0;
		for (i = 0; i < num_masks || !i; i++) {
			event.unit_masks[0] = i;
			try_event(&event, &counts);
		}
	}
	TH_LOG("%u accepted, %u not to be tried", counts.accepted,
	       counts.others);
	EXPECT_EQ(0, counts.refused);
	EXPECT_LT(counts.others, counts.accepted);
}

TEST_HARNESS_MAIN

// SPDX-License-Identifier: GPL-2.0-only
/*
 * How long interrupts are off: in each system call, whoever makes it and
 * whatever its arguments, on the caller's processor and on others; in the
 * overflow interrupt, the set timer and the context switch. The test machine
 * measures it (sections.h), and is first shown sections of known lengths.
 */
#include <stdlib.h>

#include "attr.h"
#include "child.h"
#include "default_format.h"
#include "event_set.h"
#include "frame_track.h"
#include "kernel_symbol.h"
#include "loop.h"
#include "machine.h"
#include "module.h"
#include "overflow_period.h"
#include "pfm_test.h"
#include "pingpong.h"
#include "pmrs.h"
#include "pmu.h"
#include "sections.h"
#include "stacks_format.h"
#include "unprivileged.h"
#include "worst.h"

#define PLANTED "planted_section"

FIXTURE(meter)
{
	struct sections sections;
};

FIXTURE_SETUP(meter)
{
	int err;

	if (kernel_is_slow())
		SKIP(return, "this kernel spends its time on checking itself");
	if (sections_open(&self->sections))
		SKIP(return, "needs the test machine");
	err = module_load(PLANTED, "");
	ASSERT_TRUE(err == 0 || err == EEXIST);
}

FIXTURE_TEARDOWN(meter)
{
	module_unload(PLANTED);
	sections_close(&self->sections);
}

static int plant(unsigned int instructions)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", instructions);
	return file_write("/sys/module/" PLANTED "/parameters/instructions",
			  text);
}

TEST_F(meter, sees_a_section_to_the_instruction)
{
	static const unsigned int lengths[] = { 20000, 20001, 20002, 123457 };
	struct section section;
	unsigned int i;
	int cpu;

	for (cpu = 0; cpu < self->sections.cpus; cpu++) {
		ASSERT_EQ(0, pin_to_cpu(cpu));
		for (i = 0; i < ARRAY_SIZE(lengths); i++) {
			sections_clear(&self->sections, VECTOR_CALL);
			ASSERT_EQ(0, plant(lengths[i]));
			section = sections_longest(&self->sections);
			EXPECT_EQ(lengths[i], section.length);
		}
	}
}

TEST_F(meter, tells_where_a_section_began)
{
	uint64_t symbol = kernel_symbol("planted_odd");
	struct section section;

	ASSERT_NE(0, symbol);
	sections_clear(&self->sections, VECTOR_CALL);
	ASSERT_EQ(0, plant(50001));
	section = sections_longest(&self->sections);
	EXPECT_LE(symbol, section.where);
	EXPECT_GT(symbol + 32, section.where);
}

TEST_F(meter, tells_interrupts_from_instructions)
{
	struct section section;

	sections_clear(&self->sections, VECTOR_TIMER);
	ASSERT_EQ(0, plant(50001));
	usleep(20000);
	section = sections_longest_interrupt(&self->sections);
	EXPECT_LT(0, section.length);
	EXPECT_GT(50001, section.length);
}

/* The caller is on CPU 0. */
FIXTURE(call)
{
	struct sections sections;
	char arg_mem_max[32];
	int last; /* CPU */
};

FIXTURE_SETUP(call)
{
	NEEDS_INTERRUPTS();
	if (kernel_is_slow())
		SKIP(return, "this kernel spends its time on checking itself");
	if (sections_open(&self->sections))
		SKIP(return, "needs the test machine");
	self->last = cpus_that_count() - 1;
	ASSERT_EQ(0, pin_to_cpu(0));
	ASSERT_EQ(0, attr_read("arg_mem_max", self->arg_mem_max,
			       sizeof(self->arg_mem_max)));
	ASSERT_EQ(0, attr_write("arg_mem_max", "1048576"));
}

FIXTURE_TEARDOWN(call)
{
	attr_write("arg_mem_max", self->arg_mem_max);
	sections_close(&self->sections);
}

/* Says how long; returns the number of sections that are too long. */
static int judge(const char *what, struct section section)
{
	printf("# %-32s %7llu at %llx\n", what,
	       (unsigned long long)section.length,
	       (unsigned long long)section.where);
	return section.length > LONGEST_SECTION;
}

static int judge_calls(const struct worst_call *calls, unsigned int n,
		       struct worst *worst, const struct sections *sections)
{
	unsigned int i;
	int bad = 0;

	for (i = 0; i < n; i++)
		bad += judge(calls[i].name,
			     worst_section(&calls[i], worst, sections));
	return bad;
}

/* All calls of a thread on its own session.  Returns how many are too long. */
static int judge_own(void *arg)
{
	struct worst worst;
	int bad;

	if (worst_create(&worst, 0))
		return 200;
	worst.target = gettid();
	if (pfm_attach_session(worst.fd, 0, worst.target) ||
	    pfm_start_session(worst.fd, 0))
		return 201;
	bad = judge_calls(worst_calls, worst_nr_calls, &worst, arg) +
	      judge_calls(worst_owner_calls, worst_nr_owner_calls, &worst, arg);
	worst_destroy(&worst);
	return bad;
}

TEST_F(call, on_ones_own_session_is_short)
{
	EXPECT_EQ(0, judge_own(&self->sections));
}

TEST_F(call, of_a_user_without_privileges_is_short)
{
	EXPECT_EQ(0, unprivileged(NO_GROUP, judge_own, &self->sections));
}

TEST_F(call, on_a_session_of_a_stopped_child_is_short)
{
	struct worst worst;
	pid_t child;

	/* Before there is a descriptor that it would inherit. */
	child = child_start_stopped(child_spin, NULL);
	ASSERT_LT(0, child);
	ASSERT_EQ(0, worst_create(&worst, 0));
	worst.target = child;
	ASSERT_EQ(0, pfm_attach_session(worst.fd, 0, child));
	ASSERT_EQ(0, pfm_start_session(worst.fd, 0));
	EXPECT_EQ(0, judge_calls(worst_calls, worst_nr_calls, &worst,
				 &self->sections));
	EXPECT_EQ(0, judge_calls(worst_owner_calls, worst_nr_owner_calls,
				 &worst, &self->sections));
	child_kill(child);
	worst_destroy(&worst);
}

static int ask_for_sets(struct worst *worst)
{
	struct pfarg_setinfo *infos = (struct pfarg_setinfo *)worst->copy;
	int i;

	memset(infos, 0, WORST_SETS * sizeof(*infos));
	for (i = 0; i < WORST_SETS; i++)
		infos[i].set_id = (uint16_t)i;
	return pfm_getinfo_sets(worst->fd, 0, infos, WORST_SETS);
}

/* Attaches the session to a stopped child, which goes on. */
static int watch_running(struct worst *worst, pid_t child)
{
	worst->target = child;
	return pfm_attach_session(worst->fd, 0, child) ||
	       pfm_start_session(worst->fd, 0) || child_continue(child);
}

/* By somebody who holds the descriptor, wherever the target is. */
TEST_F(call, on_a_session_of_a_running_child_is_short)
{
	static const struct worst_call calls[] = {
		{ "getinfo about a running thread", NULL, ask_for_sets, NULL },
	};
	struct section least = { .length = UINT64_MAX };
	struct worst worst;
	pid_t child;
	int run;

	child = child_start_stopped(child_spin, NULL);
	ASSERT_LT(0, child);
	ASSERT_EQ(0, worst_create(&worst, 0));
	for (run = 0; run < 6; run++) {
		ASSERT_EQ(0, watch_running(&worst, child));
		if (!run)
			EXPECT_EQ(0, judge_calls(calls, ARRAY_SIZE(calls),
						 &worst, &self->sections));
		sections_clear(&self->sections, VECTOR_CALL);
		close(worst.fd);
		least = shorter_section(least,
					sections_longest(&self->sections));
		ASSERT_EQ(0, child_stop(child));
		ASSERT_EQ(0, worst_renew(&worst));
	}
	worst_destroy(&worst);
	EXPECT_EQ(0, judge("close of a running thread's", least));
	child_kill(child);
}

TEST_F(call, on_a_session_of_a_cpu_is_short)
{
	struct worst worst;
	int cpu;

	for (cpu = 0; cpu <= self->last; cpu += self->last ? self->last : 1) {
		printf("# CPU %d from CPU 0:\n", cpu);
		ASSERT_EQ(0, worst_create(&worst, PFM_FL_SYSTEM_WIDE));
		worst.target = cpu;
		ASSERT_EQ(0, pfm_attach_session(worst.fd, 0, cpu));
		ASSERT_EQ(0, pfm_start_session(worst.fd, 0));
		EXPECT_EQ(0, judge_calls(worst_calls, worst_nr_calls, &worst,
					 &self->sections));
		EXPECT_EQ(0,
			  judge_calls(worst_owner_calls, worst_nr_owner_calls,
				      &worst, &self->sections));
		worst_destroy(&worst);
	}
}

#define PERIOD 100000ULL

/* All PMDs overflow together, with all values in each sample and all resets. */
static int program_storm(int fd, uint16_t set, uint32_t flags)
{
	const struct pmu *pmu = pmu_get();
	struct pfarg_pmd_attr attr = {
		.reg_long_reset = -PERIOD,
		.reg_short_reset = -PERIOD,
	};
	unsigned int i;

	for (i = 0; i < pmu->counters; i++) {
		pmd_mark(attr.reg_smpl_pmds, pmu->counter[i].pmd);
		pmd_mark(attr.reg_reset_pmds, pmu->counter[i].pmd);
	}
	for (i = 0; i < pmu->counters; i++)
		if (pmu_program_set(fd, set, &pmu->counter[i],
				    pmu->counter[i].user, 0) ||
		    set_write_pmd_attr(fd, set, pmu->counter[i].pmd, flags,
				       -PERIOD, &attr))
			return -1;
	return 0;
}

TEST_F(call, overflow_interrupts_are_short)
{
	struct sampler sampler;

	ASSERT_EQ(0, sampler_open(&sampler, 0, 1 << 20));
	ASSERT_EQ(0, program_storm(sampler.fd, 0, 0));
	ASSERT_EQ(0, attach_self(sampler.fd));
	ASSERT_EQ(0, pfm_start_session(sampler.fd, 0));
	sections_clear(&self->sections, VECTOR_OVERFLOW);
	counted_loop(20 * PERIOD);
	EXPECT_EQ(0, judge("overflow of all PMDs",
			   sections_longest_interrupt(&self->sections)));
	ASSERT_EQ(0, pfm_stop_session(sampler.fd, 0));
	EXPECT_LT(10, sampler.hdr->hdr_count);
	sampler_close(&sampler);
}

#define FRAMES (PFM_STACKS_SMPL_FRAMES + 1)

/* The same with stacks: as deep as they are recorded, and then some. */
TEST_F(call, samples_with_deep_stacks_are_short)
{
	static struct frame frames[FRAMES];
	struct stacker stacker;
	unsigned int i;

	for (i = 0; i < FRAMES; i++)
		frames[i] = (struct frame){ (uintptr_t)&frames[i + 1], 0x1000 };
	ASSERT_EQ(0, stacker_open(&stacker, 1 << 20, 0));
	ASSERT_EQ(0, program_storm(stacker.fd, 0, 0));
	ASSERT_EQ(0, attach_self(stacker.fd));
	ASSERT_EQ(0, pfm_start_session(stacker.fd, 0));
	sections_clear(&self->sections, VECTOR_OVERFLOW);
	track_frames(10 * PERIOD, (uintptr_t)frames);
	EXPECT_EQ(0, judge("overflow of all PMDs, 127 frames",
			   sections_longest_interrupt(&self->sections)));
	ASSERT_EQ(0, pfm_stop_session(stacker.fd, 0));
	EXPECT_LT(10, stacker.hdr->hdr_count);
	EXPECT_EQ(PFM_STACKS_SMPL_FRAMES, stacker_next(&stacker, NULL)->nr);
	stacker_close(&stacker);
}

/* Most addresses of the kernel in a sample; 0 without one. */
static unsigned int deepest(const struct stacker *stacker)
{
	const struct pfm_stacks_smpl_entry *entry = NULL;
	unsigned int most = 0;

	while ((entry = stacker_next(stacker, entry)))
		if (entry->nr_kernel > most)
			most = entry->nr_kernel;
	return most;
}

TEST_F(call, samples_with_the_kernels_stack_are_short)
{
	const struct pfarg_pmd_attr attr = { .reg_long_reset = -499,
					     .reg_short_reset = -499 };
	const struct pmu_counter *counter = pmu_first();
	struct stacker stacker;
	char text[64];
	int i;

	ASSERT_EQ(0, stacker_open(&stacker, 1 << 20, 0));
	ASSERT_EQ(0, program_storm(stacker.fd, 0, 0));
	ASSERT_EQ(0, pmu_program(stacker.fd, counter, counter->kernel, 0));
	ASSERT_EQ(0, write_pmd_attr(stacker.fd, counter->pmd, 0, -499, &attr));
	ASSERT_EQ(0, attach_self(stacker.fd));
	ASSERT_EQ(0, pfm_start_session(stacker.fd, 0));
	sections_clear(&self->sections, VECTOR_OVERFLOW);
	for (i = 0; i < 20; i++)
		attr_read("formats/stacks/version", text, sizeof(text));
	EXPECT_EQ(0, judge("overflow deep in the kernel",
			   sections_longest_interrupt(&self->sections)));
	ASSERT_EQ(0, pfm_stop_session(stacker.fd, 0));
	printf("# %u frames of the kernel\n", deepest(&stacker));
	EXPECT_LT(5, deepest(&stacker));
	stacker_close(&stacker);
}

/* The overflow of all PMDs, again and again; least section of a restart. */
static struct section restart_section(const struct sections *sections, int fd,
				      bool own)
{
	struct section least = { .length = UINT64_MAX };
	union pfarg_msg msg;
	int run;

	for (run = 0; run < 6; run++) {
		if (own)
			counted_loop(2 * PERIOD);
		if (read(fd, &msg, sizeof(msg)) != sizeof(msg))
			return (struct section){ .length = UINT64_MAX };
		sections_clear(sections, VECTOR_CALL);
		if (period_restart(fd))
			return (struct section){ .length = UINT64_MAX };
		least = shorter_section(least, sections_longest(sections));
	}
	return least;
}

TEST_F(call, restart_is_short)
{
	int fd = pfm_create_session(0);

	ASSERT_EQ(0, program_storm(fd, 0, PFM_REGFL_OVFL_NOTIFY));
	ASSERT_EQ(0, attach_self(fd));
	ASSERT_EQ(0, pfm_start_session(fd, 0));
	EXPECT_EQ(0,
		  judge("restart", restart_section(&self->sections, fd, true)));
	close(fd);
}

TEST_F(call, restart_of_a_running_child_is_short)
{
	int fd = pfm_create_session(0);
	pid_t child = child_start_stopped(child_spin, NULL);

	ASSERT_LT(0, child);
	ASSERT_EQ(0, program_storm(fd, 0, PFM_REGFL_OVFL_NOTIFY));
	ASSERT_EQ(0, pfm_attach_session(fd, 0, child));
	ASSERT_EQ(0, pfm_start_session(fd, 0));
	ASSERT_EQ(0, child_continue(child));
	EXPECT_EQ(0, judge("restart of a running thread's",
			   restart_section(&self->sections, fd, false)));
	child_kill(child);
	close(fd);
}

TEST_F(call, set_timers_are_short)
{
	uint64_t timeout = timer_round(1000000);
	struct section least = { .length = UINT64_MAX };
	struct sampler sampler;
	int set, run;

	ASSERT_EQ(0, sampler_open(&sampler, 0, 1 << 20));
	for (set = 0; set < 8; set++) {
		ASSERT_EQ(0, set_make(sampler.fd, (uint16_t)set,
				      PFM_SETFL_TIME_SWITCH, timeout));
		ASSERT_EQ(0, program_storm(sampler.fd, (uint16_t)set, 0));
	}
	ASSERT_EQ(0, attach_self(sampler.fd));
	ASSERT_EQ(0, pfm_start_session(sampler.fd, 0));
	for (run = 0; run < 4; run++) {
		sections_clear(&self->sections, VECTOR_TIMER);
		counted_loop(60000000);
		least = shorter_section(
			least, sections_longest_interrupt(&self->sections));
	}
	EXPECT_LT(4, set_runs(sampler.fd, 1));
	EXPECT_EQ(0, judge("set timer", least));
	sampler_close(&sampler);
}

static int partner_counts(void)
{
	int fd = pfm_create_session(0);

	return fd < 0 || program_storm(fd, 0, 0) || attach_self(fd) ||
	       pfm_start_session(fd, 0);
}

TEST_F(call, context_switches_are_short)
{
	struct section least = { .length = UINT64_MAX };
	struct pingpong pingpong;
	int fd, run;

	fd = pfm_create_session(0);
	ASSERT_EQ(0, program_storm(fd, 0, 0));
	ASSERT_EQ(0, attach_self(fd));
	ASSERT_EQ(0, pfm_start_session(fd, 0));
	ASSERT_EQ(0, pingpong_start(&pingpong, 0, partner_counts));
	for (run = 0; run < 4; run++) {
		sections_clear(&self->sections, VECTOR_CALL);
		ASSERT_EQ(0, pingpong_play(&pingpong, 20));
		least = shorter_section(least,
					sections_longest(&self->sections));
	}
	EXPECT_EQ(0, judge("context switch", least));
	pingpong_stop(&pingpong);
	close(fd);
}

TEST_HARNESS_MAIN

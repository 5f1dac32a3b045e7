// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the operations of the low-level core promise: how often they access the
 * PMU. Counters that only count are never written; those that interrupt are
 * switched off and on, and loaded only if somebody else was on the CPU.
 */
#include <string.h>
#include <sys/ioctl.h>

#include "machine.h"
#include "pfm_test.h"
#include "pmu.h"
#include "probe.h"

FIXTURE(cost)
{
	int fd;
	bool has_i_mode;
	const struct pmu *pmu;
};

FIXTURE_SETUP(cost)
{
	struct perfctr_probe_info info;
	const char *skip;

	self->fd = probe_start(0, &skip);
	if (skip)
		SKIP(return, "%s", skip);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, ioctl(self->fd, PERFCTR_PROBE_INFO, &info));
	self->has_i_mode = info.cpu_features & PERFCTR_PROBE_PCINT;
	self->pmu = pmu_get();
	ASSERT_EQ(0, pin_to_cpu(0));
}

FIXTURE_TEARDOWN(cost)
{
	close(self->fd);
	EXPECT_EQ(0, probe_unload());
}

#define TIMES 100

/* What each operation writes and reads for each counter of the state. */
static const struct {
	enum perfctr_probe_operation operation;
	const char *name;
	unsigned int a_writes, a_reads;
	unsigned int i_writes, i_reads;
} promises[] = {
	/* A-mode counters are read and nothing else. */
	{ PERFCTR_PROBE_OP_SUSPEND, "suspend", 0, 1, 1, 1 },
	/* I-mode: the control registers only, because nobody was here. */
	{ PERFCTR_PROBE_OP_RESUME, "resume", 0, 1, 1, 0 },
	/* ... and the counters, because somebody was. */
	{ PERFCTR_PROBE_OP_RETURN, "return", 0, 1, 2, 0 },
	{ PERFCTR_PROBE_OP_SAMPLE, "sample", 0, 1, 0, 1 },
	{ PERFCTR_PROBE_OP_SWITCH, "switch", 0, 2, 3, 1 },
};

/*
 * What errata add to the writes of an operation on @n counters that interrupt. The
 * Pentium 4 wants values written twice. Nehalem and Westmere count certain events
 * before new ones: 16 writes, and those of the values again.
 */
static unsigned int errata_writes(const struct pmu *pmu,
				  enum perfctr_probe_operation operation,
				  unsigned int n)
{
	bool loads = operation == PERFCTR_PROBE_OP_RETURN ||
		     operation == PERFCTR_PROBE_OP_SWITCH;
	bool programs = loads || operation == PERFCTR_PROBE_OP_RESUME;

	if (loads && !strcmp(pmu->model, "Intel P4"))
		return n;
	__builtin_cpu_init();
	if (programs &&
	    (__builtin_cpu_is("nehalem") || __builtin_cpu_is("westmere")))
		return 16 + n;
	return 0;
}

/* Measures slots 0 and 1, which have @n counters and the same control. */
static void expect_promises(struct __test_metadata *_metadata,
			    FIXTURE_DATA(cost) * self, unsigned int n,
			    bool i_mode)
{
	struct perfctr_probe_cost cost;
	unsigned int i, writes, reads, errata;

	for (i = 0; i < ARRAY_SIZE(promises); i++) {
		ASSERT_EQ(0, probe_measure(self->fd, promises[i].operation,
					   TIMES, &cost));
		writes = i_mode ? promises[i].i_writes : promises[i].a_writes;
		reads = i_mode ? promises[i].i_reads : promises[i].a_reads;
		errata = i_mode ? errata_writes(self->pmu,
						promises[i].operation, n) :
				  0;
		EXPECT_EQ(TIMES * (n * writes + errata), cost.wrmsr)
		{
			TH_LOG("%s of %u counters", promises[i].name, n);
		}
		EXPECT_EQ(TIMES * n * reads, cost.rdmsr + cost.rdpmc)
		{
			TH_LOG("%s of %u counters", promises[i].name, n);
		}
		EXPECT_EQ(0, cost.instructions % TIMES);
	}
}

/* Slots 0 and 1 get the same control with the first @n counters. */
static void set_both(struct __test_metadata *_metadata,
		     FIXTURE_DATA(cost) * self, unsigned int n, bool i_mode)
{
	struct probe_control control = { 0 };
	unsigned int i;
	int slot;

	for (i = 0; i < n; i++) {
		if (i_mode)
			control.i_mode[i] = &self->pmu->counter[i];
		else
			control.a_mode[i] = &self->pmu->counter[i];
		control.period[i] = 1000;
	}
	for (slot = 0; slot < 2; slot++)
		ASSERT_EQ(i_mode ? 0 : n, probe_set(self->fd, slot, &control));
}

static void expect_promises_of_all(struct __test_metadata *_metadata,
				   FIXTURE_DATA(cost) * self, bool i_mode)
{
	unsigned int n;

	for (n = 1; n <= self->pmu->counters && n <= PROBE_COUNTERS; n++) {
		set_both(_metadata, self, n, i_mode);
		expect_promises(_metadata, self, n, i_mode);
	}
}

TEST_F(cost, counters_that_only_count_are_never_written)
{
	expect_promises_of_all(_metadata, self, false);
}

TEST_F(cost, counters_that_interrupt_are_written_as_rarely_as_possible)
{
	if (!self->has_i_mode)
		SKIP(return, "this processor has no overflow interrupt");
	expect_promises_of_all(_metadata, self, true);
}

TEST_HARNESS_MAIN

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tests. Each is a function that measures and adds rulings to the results;
 * selftest.c lists them with their needs.
 */
#ifndef PFMON_SELFTEST_TESTS_H
#define PFMON_SELFTEST_TESTS_H

#include <sched.h>
#include <stdbool.h>

#include "counters.h"
#include "measure.h"
#include "selftest.h"
#include "stop.h"
#include "tap.h"

#define LEVELS_USER PFM_PLM3
#define LEVELS_KERNEL PFM_PLM0
#define LEVELS_BOTH (PFM_PLM3 | PFM_PLM0)

/* The state that all tests share. */
struct selftest {
	bool full;
	bool hotplug; /* a CPU may be taken off line */
	int repeat; /* runs of each measurement */
	cpu_set_t cpus; /* the tested ones */
	int first_cpu; /* for tests that need only one; see on_each_cpu() */
	bool hypervisor;
	bool emulated; /* events other than instructions and cycles mean nothing */
	struct pmu pmu;
	struct tap tap;
	/* Found by the tests before: */
	bool some_count; /* a counter has counted the right number */
	bool miscounts[COUNTERS_MAX]; /* this one has not */
	int64_t overhead; /* user instructions around a loop */
	uint64_t cycles_of_million; /* of a loop of a million instructions; 0: ? */
};

/* Runs a test that needs one CPU on each of them, as if it were the first. */
void on_each_cpu(struct selftest *st, void (*test)(struct selftest *st));

/* exactness.c */
void test_exact_user(struct selftest *st);
void exact_on_cpu(struct selftest *st, int cpu);
void test_exact_kernel(struct selftest *st);
void test_exact_both(struct selftest *st);
void test_loops(struct selftest *st);

/* silence.c */
void test_zero(struct selftest *st);
void test_reprogramming(struct selftest *st);

/* together.c */
void test_together(struct selftest *st);
void test_transactions(struct selftest *st);
void test_fixed(struct selftest *st);
void test_cycles(struct selftest *st);
void test_reference(struct selftest *st);
void test_branches(struct selftest *st);

/* filtered.c */
void test_filtered(struct selftest *st);

/* constraints.c */
void test_constraints(struct selftest *st);

/* sampling.c */
void test_sampling(struct selftest *st);
void sampling_on_cpu(struct selftest *st);
void test_nmis(struct selftest *st);
void test_sampling_together(struct selftest *st);
void test_skid(struct selftest *st);
void test_smallest_period(struct selftest *st);

/* wraps.c */
void test_wrap_hardware(struct selftest *st);
void test_wrap_32_bits(struct selftest *st);
void test_wrap_tickless(struct selftest *st);

/* switches.c */
void test_switches(struct selftest *st);
void test_migration(struct selftest *st);

/* siblings.c */
void test_siblings(struct selftest *st);
void test_offcore(struct selftest *st);

/* hotplug.c */
void test_hotplug(struct selftest *st);

/* cpuwide.c */
void test_cpu_wide(struct selftest *st);

/* soak.c */
void test_soak(struct selftest *st);

/* registers.c */
void test_registers(struct selftest *st);
void test_release(struct selftest *st);

#endif /* PFMON_SELFTEST_TESTS_H */

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The self-test, see selftest.h: the list of the tests with their needs, and the
 * report.
 */
#include "selftest.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"
#include "engine/session.h"
#include "events/tables.h"
#include "cpus.h"
#include "inventory.h"
#include "stop.h"
#include "tests.h"

#define QUICK_RUNS 5
#define FULL_RUNS RUNS_MAX

/* The first PMD that a Pentium 4 has for the second thread of a core. */
#define P4_SECOND_HALF 9

enum {
	NEEDS_INSTRUCTIONS = 0x01,
	NEEDS_LEVELS = 0x02, /* counters that tell user from kernel */
	NEEDS_KERNEL = 0x04, /* the right to count kernel level */
	NEEDS_INTERRUPT = 0x08,
	NEEDS_CPUS = 0x10, /* the right to count CPUs */
	NEEDS_TWO = 0x20, /* CPUs */
	NEEDS_FULL = 0x40,
	NEEDS_HOTPLUG = 0x80,
};

static const struct test {
	const char *name;
	void (*run)(struct selftest *st);
	unsigned int needs;
} tests[] = {
	{ "each counter counts instructions exactly", test_exact_user,
	  NEEDS_INSTRUCTIONS },
	{ "kernel level counts nothing of the user", test_exact_kernel,
	  NEEDS_INSTRUCTIONS | NEEDS_LEVELS | NEEDS_KERNEL },
	{ "both levels are the sum", test_exact_both,
	  NEEDS_INSTRUCTIONS | NEEDS_LEVELS | NEEDS_KERNEL },
	{ "other loops have their instructions", test_loops,
	  NEEDS_INSTRUCTIONS | NEEDS_LEVELS },
	{ "what is not counted is zero", test_zero, NEEDS_INSTRUCTIONS },
	{ "reprogramming takes effect", test_reprogramming,
	  NEEDS_INSTRUCTIONS | NEEDS_LEVELS },
	{ "all counters agree at the same time", test_together,
	  NEEDS_INSTRUCTIONS },
	{ "counters agree beside transactions", test_transactions,
	  NEEDS_INSTRUCTIONS | NEEDS_LEVELS },
	{ "fixed counters agree with programmable ones", test_fixed,
	  NEEDS_INSTRUCTIONS },
	{ "cycles count", test_cycles, NEEDS_LEVELS },
	{ "reference cycles run like the TSC", test_reference, NEEDS_LEVELS },
	{ "branches count", test_branches, NEEDS_LEVELS },
	{ "loads and micro-operations count", test_filtered, NEEDS_LEVELS },
	{ "counters that libpfm chooses count the event", test_constraints,
	  NEEDS_LEVELS },
	{ "there are as many samples as periods", test_sampling,
	  NEEDS_INSTRUCTIONS | NEEDS_LEVELS | NEEDS_INTERRUPT },
	{ "there are as many samples by NMIs as periods", test_nmis,
	  NEEDS_INSTRUCTIONS | NEEDS_LEVELS | NEEDS_INTERRUPT },
	{ "counters that overflow at the same time are all sampled",
	  test_sampling_together,
	  NEEDS_INSTRUCTIONS | NEEDS_LEVELS | NEEDS_INTERRUPT },
	{ "samples come soon after the overflow", test_skid,
	  NEEDS_INSTRUCTIONS | NEEDS_LEVELS | NEEDS_INTERRUPT },
	{ "short periods", test_smallest_period,
	  NEEDS_INSTRUCTIONS | NEEDS_LEVELS | NEEDS_INTERRUPT },
	{ "counters wrap at the hardware's width", test_wrap_hardware,
	  NEEDS_INSTRUCTIONS | NEEDS_LEVELS | NEEDS_INTERRUPT },
	{ "counters wrap at 32 bits", test_wrap_32_bits,
	  NEEDS_INSTRUCTIONS | NEEDS_LEVELS | NEEDS_FULL },
	{ "sessions of CPUs without a tick wrap at 32 bits", test_wrap_tickless,
	  NEEDS_INSTRUCTIONS | NEEDS_LEVELS | NEEDS_CPUS | NEEDS_FULL },
	{ "threads that take turns count their own", test_switches,
	  NEEDS_INSTRUCTIONS | NEEDS_LEVELS },
	{ "threads that move between CPUs count their own", test_migration,
	  NEEDS_INSTRUCTIONS | NEEDS_LEVELS | NEEDS_TWO },
	{ "threads of a core count their own", test_siblings,
	  NEEDS_INSTRUCTIONS | NEEDS_LEVELS | NEEDS_TWO },
	{ "threads of a core have masks of their own", test_offcore,
	  NEEDS_LEVELS | NEEDS_TWO },
	{ "sessions of CPUs count what runs there", test_cpu_wide,
	  NEEDS_INSTRUCTIONS | NEEDS_CPUS },
	{ "nothing is lost in a minute", test_soak,
	  NEEDS_INSTRUCTIONS | NEEDS_LEVELS | NEEDS_INTERRUPT | NEEDS_FULL },
	{ "a CPU counts after it was off line", test_hotplug,
	  NEEDS_INSTRUCTIONS | NEEDS_LEVELS | NEEDS_TWO | NEEDS_HOTPLUG },
	{ "registers", test_registers, NEEDS_INSTRUCTIONS },
	{ "the PMU is free after the last session", test_release, 0 },
};

/* Returns the reason to skip a test, NULL if there is none. */
static const char *missing(const struct selftest *st, unsigned int needs)
{
	if (needs & NEEDS_FULL && !st->full)
		return "only with --self-test=full";
	if (needs & NEEDS_HOTPLUG && !st->hotplug)
		return "only with --self-test=hotplug";
	if (needs & NEEDS_INSTRUCTIONS && !st->pmu.has_instructions)
		return "libpfm has no event of instructions here";
	if (needs & NEEDS_LEVELS && !st->pmu.separates_levels)
		return "the counters cannot tell user from kernel level";
	if (needs & NEEDS_KERNEL && !st->pmu.may_kernel)
		return "needs CAP_PERFMON (run it as root)";
	if (needs & NEEDS_INTERRUPT && !st->pmu.interrupts)
		return "the counters do not interrupt";
	if (needs & NEEDS_CPUS && !st->pmu.may_cpus)
		return "needs CAP_PERFMON (run it as root) or sys_group";
	if (needs & NEEDS_TWO && CPU_COUNT(&st->cpus) < 2)
		return "only one CPU is tested";
	return NULL;
}

static void run_tests(struct selftest *st)
{
	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		const char *reason = missing(st, tests[i].needs);

		if (selftest_stopped())
			return;
		tap_begin(&st->tap, tests[i].name);
		if (reason)
			tap_skip(&st->tap, "%s", reason);
		else
			tests[i].run(st);
		tap_end(&st->tap);
	}
}

void on_each_cpu(struct selftest *st, void (*test)(struct selftest *st))
{
	int first = st->first_cpu;

	for (int cpu = cpus_next(&st->cpus, -1);
	     cpu >= 0 && !selftest_stopped(); cpu = cpus_next(&st->cpus, cpu)) {
		st->first_cpu = cpu;
		test(st);
	}
	st->first_cpu = first;
}

static int choose_cpus(struct selftest *st, const char *list)
{
	cpu_set_t allowed;

	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		return diag("cannot list the CPUs: %s", strerror(errno));
	st->cpus = allowed;
	if (list && cpus_parse(list, &st->cpus))
		return diag("--cpus %s: not a list of CPUs; such is 0,2-5",
			    list);
	CPU_AND(&st->cpus, &st->cpus, &allowed);
	st->first_cpu = cpus_next(&st->cpus, -1);
	if (st->first_cpu < 0)
		return diag("--cpus %s: pfmon may use none of them", list);
	return 0;
}

/* Only the first thread of a Pentium 4's core has counters. */
static void leave_out_threads(struct selftest *st)
{
	bool shared = st->pmu.is_p4 && !st->pmu.map.pmd[P4_SECOND_HALF].present;
	cpu_set_t threads;

	for (int cpu = cpus_next(&st->cpus, -1); shared && cpu >= 0;
	     cpu = cpus_next(&st->cpus, cpu)) {
		if (!cpus_siblings(cpu, &threads) &&
		    cpus_next(&threads, -1) != cpu)
			CPU_CLR(cpu, &st->cpus);
	}
	if (cpus_next(&st->cpus, -1) >= 0)
		st->first_cpu = cpus_next(&st->cpus, -1);
}

/* Returns true if there is something to test, else prints the reason. */
static bool find_pmu(struct selftest *st)
{
	int fd = session_create(REGMAP_SYSFS, false);
	bool ok;

	if (fd < 0)
		return false;
	ok = !session_info(fd, &st->pmu.info) &&
	     !regmap_read(&st->pmu.map, REGMAP_SYSFS);
	close(fd);
	if (!ok)
		return false;
	pmu_find_counters(&st->pmu);
	if (!st->pmu.count) {
		diag("%s has no counters that perfmon can use; in a virtual machine, ask its host for a virtual PMU",
		     st->pmu.map.model);
		return false;
	}
	pmu_probe(&st->pmu);
	leave_out_threads(st);
	if (!st->pmu.has_instructions && !st->pmu.has_cycles) {
		diag("libpfm has no events for this processor; name a model that is compatible with --pmu (pfmon -L)");
		return false;
	}
	if (!st->pmu.may_user) {
		diag("no permission: counters of %s cannot be told to count at user level only; get CAP_PERFMON (run it as root)",
		     st->pmu.map.model);
		return false;
	}
	return true;
}

static const char *verdict_of(int status)
{
	switch (status) {
	case SELFTEST_RIGHT:
		return "right";
	case SELFTEST_WRONG:
		return "wrong";
	case SELFTEST_NO_PMU:
		return "no PMU";
	default:
		return "inconclusive";
	}
}

static const char *mode_of(const struct selftest *st)
{
	if (st->hotplug)
		return "hotplug";
	return st->full ? "full" : "quick";
}

/* Prints the block at the end, which users are asked to send. */
static void print_report(const struct selftest *st, struct json_object *machine,
			 int status)
{
	FILE *out = st->tap.out;

	fputs("# ---- report ----\n", out);
	inventory_print(machine, out);
	fprintf(out,
		"# tests: %d, of these %d wrong, %d inconclusive, %d skipped\n",
		st->tap.count, st->tap.wrong, st->tap.unsure, st->tap.skipped);
	fprintf(out, "# verdict: %s (%s)\n", verdict_of(status), mode_of(st));
	fputs("# ---- end of report ----\n", out);
	fflush(out);
}

static int write_json(const struct selftest *st, struct json_object *machine,
		      int status, FILE *file)
{
	struct json_object *report = json_object_new_object();
	const char *text;
	int ret = 0;

	json_object_object_add(report, "version", json_object_new_int(1));
	json_object_object_add(report, "verdict",
			       json_object_new_string(verdict_of(status)));
	json_object_object_add(report, "exit_status",
			       json_object_new_int(status));
	json_object_object_add(report, "mode",
			       json_object_new_string(mode_of(st)));
	json_object_object_add(report, "machine", json_object_get(machine));
	json_object_object_add(report, "tests", json_object_get(st->tap.tests));
	text = json_object_to_json_string_ext(
		report, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED);
	if (fprintf(file, "%s\n", text) < 0 || fflush(file))
		ret = diag("cannot write the report: %s", strerror(errno));
	json_object_put(report);
	return ret;
}

static int test_machine(struct selftest *st, struct json_object *machine)
{
	if (!find_pmu(st)) {
		fputs("1..0 # SKIP no PMU, see the message\n", st->tap.out);
		return SELFTEST_NO_PMU;
	}
	inventory_add_pmu(machine, &st->pmu);
	run_tests(st);
	if (selftest_stopped()) {
		fputs("Bail out! interrupted\n", st->tap.out);
		return STATUS_SIGNAL + stop_signal();
	}
	tap_plan(&st->tap);
	return tap_status(&st->tap);
}

int selftest_run(const struct selftest_options *opts)
{
	/* Static: too large for some stacks. */
	static struct selftest st;
	struct json_object *machine;
	FILE *file = NULL;
	cpu_set_t before;
	int status;

	st.full = opts->full || opts->hotplug;
	st.hotplug = opts->hotplug;
	st.repeat = st.full ? FULL_RUNS : QUICK_RUNS;
	st.hypervisor = inventory_hypervisor();
	st.emulated = inventory_emulated();
	if (choose_cpus(&st, opts->cpus) || tables_init(opts->pmu))
		return STATUS_FAILED;
	if (opts->outfile) {
		file = fopen(opts->outfile, "we");
		if (!file) {
			diag("-o %s: %s", opts->outfile, strerror(errno));
			return STATUS_FAILED;
		}
	}
	sched_getaffinity(0, sizeof(before), &before);
	stop_catch();
	tap_open(&st.tap, stdout);
	machine = inventory_machine();
	status = test_machine(&st, machine);
	sched_setaffinity(0, sizeof(before), &before);
	print_report(&st, machine, status);
	if (file && (write_json(&st, machine, status, file) || fclose(file)))
		status = STATUS_FAILED;
	json_object_put(machine);
	tap_close(&st.tap);
	return status;
}

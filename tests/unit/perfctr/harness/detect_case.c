// SPDX-License-Identifier: GPL-2.0-only
/* See detect_case.h. */
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "detect_case.h"

static void look(const struct machine_case *c, struct finding *found)
{
	u64 writes;

	found->error = perfmon_arch_init();
	memcpy(found->log, machine.log, sizeof(found->log));
	found->left_alone = !machine_claims_of("perfctr") &&
			    machine.cpu[0].pmu.counter[0].value == 0;
	found->hotplug = machine.online;
	found->has_name = perfctr_cpu_name;
	if (found->error)
		return;
	snprintf(found->name, sizeof(found->name), "%s", perfctr_cpu_name);
	snprintf(found->map_name, sizeof(found->map_name), "%s",
		 perfmon_pmu.model);
	found->counters = perfctr_design->nr_counters;
	found->fixed = perfctr_design->nr_fixed;
	if (c->pmu_kind != PMU_WORKS || c->perf_uses_pmu)
		return;
	writes = machine_stat(PMU_STAT_WRMSR);
	if (!perfctr_cpu_reserve("test"))
		found->reserve_writes =
			(machine_stat(PMU_STAT_WRMSR) - writes) / NR_CPUS;
}

static void boot_case(const struct machine_case *c, struct finding *found)
{
	const struct processor p = {
		.name = c->name,
		.pmu = c->pmu,
		.vendor = c->vendor,
		.family = c->family,
		.model = c->model,
		.cpuid_level = c->cpuid_level,
		.features = c->features | X86_FEATURE_APIC,
	};

	machine_power_on(&p);
	machine.own_cpuid10 = c->own_cpuid10;
	machine.cpuid10[0] = c->eax;
	machine.cpuid10[3] = c->edx;
	machine.own_cpuid35 = c->own_cpuid35;
	machine.cpuid35[0][0] = c->subleaves;
	machine.cpuid35[1][0] = c->bitmap;
	machine.cpuid35[1][1] = c->fixed_bitmap;
	machine.has_misc_enable = c->has_misc_enable;
	machine.misc_enable = c->misc_enable;
	machine.pmu_kind = c->pmu_kind;
	machine.perf_uses_pmu = c->perf_uses_pmu;
	machine.hotplug_error = c->hotplug_error;
	look(c, found);
}

/* Memory brings the answer. */
struct finding detect_in_child(const struct machine_case *c)
{
	struct finding *shared, found;
	int status;
	pid_t pid;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(shared, MAP_FAILED);
	fflush(NULL);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		setenv("CMOCKA_TEST_ABORT", "1", 1);
		boot_case(c, shared);
		exit(EXIT_SUCCESS);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (status)
		fail_msg("%s: status %#x", c->name, status);
	found = *shared;
	munmap(shared, sizeof(*shared));
	return found;
}

void detect_check(const struct machine_case *cases, size_t n)
{
	const struct machine_case *c;

	for (c = cases; c < cases + n; c++) {
		const struct finding found = detect_in_child(c);

		const int refusal = c->hotplug_error ? c->hotplug_error :
						       -ENODEV;

		if (found.error != (c->core_name ? 0 : refusal))
			fail_msg("%s: error %d", c->name, found.error);
		if (strcmp(found.name, c->core_name ? c->core_name : "") ||
		    found.counters != c->counters || found.fixed != c->fixed)
			fail_msg("%s: %s, %u and %u counters", c->name,
				 found.name, found.counters, found.fixed);
		if (c->map_name)
			assert_string_equal(found.map_name, c->map_name);
		assert_int_equal(found.has_name, !!c->core_name);
		assert_int_equal(found.hotplug, !!c->core_name);
		assert_true(found.left_alone);
		assert_true(strlen(found.log) || c->hotplug_error);
	}
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The driver of driver.h.
 */
#include "driver.h"

struct driver driver;

static void handle_overflow(unsigned long pc)
{
	struct perfctr_cpu_state *state = driver.active[machine.current_cpu];
	unsigned int i;

	(void)pc;
	driver.replayed += perfctr_cpu_replayed();
	if (!state) {
		driver.strays++;
		return;
	}
	if (driver.skid)
		machine_run(driver.skid, false);
	if (driver.holds) {
		driver.mask = perfctr_cpu_hold_overflow(state);
	} else {
		perfctr_cpu_suspend(state);
		driver.mask = perfctr_cpu_identify_overflow(state);
	}
	driver.interrupts++;
	driver.found_nothing += !driver.mask;
	for (i = 0; i < PERFCTR_MAX_COUNTERS; i++) {
		driver.overflows[i] += driver.mask >> i & 1;
		driver.sums[i] = state->pmc[i].sum;
	}
	if (driver.drops) {
		driver.active[machine.current_cpu] = NULL;
		perfctr_cpu_drop(state);
	} else if (driver.holds) {
		perfctr_cpu_go_on(state);
	} else {
		perfctr_cpu_resume(state);
	}
}

void driver_set_handler(void)
{
	perfctr_cpu_set_ihandler(handle_overflow);
}

void driver_boot(const struct processor *p)
{
	boot_and_reserve(p);
	driver_set_handler();
}

void driver_resume(unsigned int cpu, struct perfctr_cpu_state *state)
{
	machine_on(cpu);
	assert_null(driver.active[cpu]);
	driver.active[cpu] = state;
	perfctr_cpu_resume(state);
}

void driver_suspend(void)
{
	struct perfctr_cpu_state **active = &driver.active[machine.current_cpu];
	struct perfctr_cpu_state *state = *active;

	assert_non_null(state);
	*active = NULL;
	perfctr_cpu_suspend(state);
}

void driver_tick(void)
{
	const unsigned long flags = machine_irq_save();

	perfctr_cpu_tick(driver.active[machine.current_cpu]);
	machine_irq_restore(flags);
}

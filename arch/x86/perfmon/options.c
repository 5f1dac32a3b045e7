// SPDX-License-Identifier: GPL-2.0-only
/*
 * The words of the boot argument perfmon= that disable parts of the PMU, for
 * machines where these do not work.
 *
 * kernel/perfmon/init.c splits the argument and calls perfmon_arch_option() for
 * each word, long before perfctr_cpu_init() applies them.
 */
#define pr_fmt(fmt) "perfctr: " fmt

#include <linux/init.h>
#include <linux/kstrtox.h>
#include <linux/minmax.h>
#include <linux/perfmon_pmu.h>
#include <linux/printk.h>
#include <linux/string.h>

#include "perfctr_core.h"

bool perfctr_nointr __ro_after_init;
bool perfctr_nonmi __ro_after_init;
bool perfctr_ibs_wanted __ro_after_init;
static bool nofixed __initdata;
static unsigned int max_counters __initdata = ~0U;

/**
 * perfmon_arch_option - handle a word of perfmon=
 * @word: "nointr", "nonmi", "ibs", "nofixed" or "counters=" and a number above 0
 *
 * Context: early in the boot.
 * Return: false if the word is unknown.
 */
bool __init perfmon_arch_option(const char *word)
{
	static const char counters[] = "counters=";
	const size_t len = sizeof(counters) - 1;
	unsigned int n;

	if (!strcmp(word, "nointr")) {
		perfctr_nointr = true;
		return true;
	}
	if (!strcmp(word, "nonmi")) {
		perfctr_nonmi = true;
		return true;
	}
	if (!strcmp(word, "ibs")) {
		perfctr_ibs_wanted = true;
		return true;
	}
	if (!strcmp(word, "nofixed")) {
		nofixed = true;
		return true;
	}
	if (strncmp(word, counters, len) || kstrtouint(word + len, 10, &n) || !n)
		return false;
	max_counters = n;
	return true;
}

/* The counters of a Pentium 4 have no order, and the C3 has only one. */
static bool __init is_countable(const struct perfctr_design *design)
{
	return !design->has_p4_control && !design->absent_counters;
}

/* Remove the disabled counters from the design; the first ones remain. */
void __init perfctr_apply_options(struct perfctr_design *design)
{
	if (is_countable(design))
		design->nr_counters = min(design->nr_counters, max_counters);
	else if (max_counters != ~0U)
		pr_info("this processor has all of its counters or none\n");
	if (nofixed) {
		design->nr_fixed = 0;
		design->absent_fixed = 0;
	}
}

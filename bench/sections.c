// SPDX-License-Identifier: GPL-2.0-only
/*
 * How long interrupts are off: the longest section of each system call with the
 * worst arguments, of a session of the caller and of one of a CPU. Prints a line
 * for each; the status is 1 if one is longer than it may be.
 */
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "attr.h"
#include "machine.h"
#include "pmu.h"
#include "sections.h"
#include "worst.h"

static bool print_calls(const char *whose, const struct worst_call *calls,
			unsigned int n, struct worst *worst,
			const struct sections *sections)
{
	struct section section;
	bool good = true;
	unsigned int i;

	for (i = 0; i < n; i++) {
		section = worst_section(&calls[i], worst, sections);
		printf("%-6s %-32s %8lld\n", whose, calls[i].name,
		       (long long)section.length);
		good &= section.length <= LONGEST_SECTION;
	}
	return good;
}

static bool print_session(const char *whose, int flags, int target,
			  const struct sections *sections)
{
	struct worst worst;
	bool good;

	if (worst_create(&worst, flags))
		return false;
	worst.target = target;
	good = !pfm_attach_session(worst.fd, 0, target) &&
	       !pfm_start_session(worst.fd, 0) &&
	       print_calls(whose, worst_calls, worst_nr_calls, &worst,
			   sections) &&
	       print_calls(whose, worst_owner_calls, worst_nr_owner_calls,
			   &worst, sections);
	worst_destroy(&worst);
	return good;
}

int main(void)
{
	struct sections sections;
	bool good;

	if (!pmu_interrupts() || sections_open(&sections) || pin_to_cpu(0) ||
	    attr_write("arg_mem_max", "1048576")) {
		fprintf(stderr, "sections: not the test machine\n");
		return 1;
	}
	printf("# %s: longest sections with interrupts off, at most %d\n",
	       pmu_get()->model, LONGEST_SECTION);
	good = print_session("own", 0, gettid(), &sections);
	good &= print_session("CPU", PFM_FL_SYSTEM_WIDE, cpus_that_count() - 1,
			      &sections);
	if (!good)
		printf("# a section is too long\n");
	return !good;
}

// SPDX-License-Identifier: GPL-2.0-only
/* Events of one kind of core, and the counters that can count them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "array_size.h"
#include "message.h"
#include "parsed.h"

static void fixed_counters_count_events_of_all_cpus(void **state)
{
	static const struct {
		const char *model, *name;
		unsigned int fixed;
	} rows[] = {
		{ SKYLAKE, "CPU_CLK_UNHALTED.REF_TSC", 3 },
		/* The kind is in the selector, which a counter has to take. */
		{ HYBRID, "cpu_core/ref-cycles/", 0 },
		{ HYBRID, "cpu_atom/ref-cycles/", 0 },
		{ HYBRID, "cpu_core/ref-cycles", 0 },
		{ HYBRID, "cpu_atom/ref-cycles", 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct event *event = parse(rows[i].model, rows[i].name);

		if (event->coding.fixed != rows[i].fixed)
			fail_msg("%s: %u", rows[i].name, event->coding.fixed);
		events_free(&parsed_list);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fixed_counters_count_events_of_all_cpus),
	};

	return cmocka_run_group_tests_name("pfmon_kind_events", tests, NULL,
					   NULL);
}

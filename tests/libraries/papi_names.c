// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of native events, and event sets of more events than there are counters.
 */
#include <stdio.h>
#include <string.h>

#include "counting.h"
#include "papi_tests.h"

#define MANY 12
#define PASSES 20000000

/* Does a code have a name that leads back to it? */
static int leads_back(int code)
{
	PAPI_event_info_t info = { 0 };
	int again = 0;

	if (PAPI_get_event_info(code, &info) == PAPI_OK && info.long_descr[0] &&
	    PAPI_event_name_to_code(info.symbol, &again) == PAPI_OK &&
	    again == code)
		return 1;
	printf("# %#x is %s, which is %#x\n", (unsigned int)code, info.symbol,
	       (unsigned int)again);
	return 0;
}

static void test_all_names(void)
{
	int component = find_component();
	int code = PAPI_NATIVE_MASK, masked;
	int events = 0, masks = 0, bad = 0;

	must(PAPI_enum_cmp_event(&code, PAPI_ENUM_FIRST, component),
	     "PAPI_enum_cmp_event");
	do {
		events++;
		bad += !leads_back(code);
		masked = code;
		while (PAPI_enum_cmp_event(&masked, PAPI_NTV_ENUM_UMASKS,
					   component) == PAPI_OK) {
			masks++;
			bad += !leads_back(masked);
		}
	} while (PAPI_enum_cmp_event(&code, PAPI_ENUM_EVENTS, component) ==
		 PAPI_OK);
	printf("# %d events, %d with a mask\n", events, masks);
	result("the component lists its events",
	       events == PAPI_get_component_info(component)->num_native_events,
	       events);
	result("and those with masks", masks > events / 2, masks);
	result("each name leads back to its code", !bad, bad);
}

static void refuse(const char *name, int wanted, const char *test)
{
	int code, rc = PAPI_event_name_to_code(name, &code);

	result(test, rc == wanted, rc);
}

void test_names(void)
{
	char name[PAPI_MAX_STR_LEN];
	int code;

	test_all_names();
	refuse("perfmon:::NO_SUCH_EVENT", PAPI_ENOEVNT,
	       "an event that does not exist is refused");
	refuse("perfmon:::", PAPI_ENOEVNT, "no name is refused");
	snprintf(name, sizeof(name), "%s:NO_SUCH_MASK", instructions);
	refuse(name, PAPI_EATTR, "a mask that does not exist is refused");
	refuse("perf_event:::NO_SUCH_EVENT", PAPI_ENOEVNT,
	       "another component's event is not ours");
	must(PAPI_event_name_to_code(instructions, &code), instructions);
	result("a code that was not given out has no name",
	       PAPI_event_code_to_name(code + 100000, name) != PAPI_OK, code);
}

/* Adds events until one is refused. */
void test_full(void)
{
	static const char *const events[] = {
		"perfmon:::RETIRED_UOPS",
		"perfmon:::RETIRED_BRANCH_INSTRUCTIONS",
		"perfmon:::RETIRED_TAKEN_BRANCH_INSTRUCTIONS",
		"perfmon:::CYCLES_NOT_IN_HALT",
		"perfmon:::RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED",
		"perfmon:::RETIRED_FAR_CONTROL_TRANSFERS",
		"perfmon:::RETIRED_NEAR_RETURNS",
		"perfmon:::BR_INST_RETIRED:ALL_BRANCHES",
		"perfmon:::BR_INST_RETIRED:CONDITIONAL",
		"perfmon:::BR_INST_RETIRED:NEAR_CALL",
		"perfmon:::BR_INST_RETIRED:NEAR_RETURN",
		"perfmon:::BR_INST_RETIRED:NOT_TAKEN",
		"perfmon:::BR_INST_RETIRED:NEAR_TAKEN",
		"perfmon:::BR_INST_RETIRED:FAR_BRANCH",
		"perfmon:::BR_MISP_RETIRED:ALL_BRANCHES",
		"perfmon:::BR_MISP_RETIRED:CONDITIONAL",
		"perfmon:::BR_MISP_RETIRED:NEAR_TAKEN",
	};
	int set = event_set(instructions, NULL), rc = PAPI_OK, added = 1;
	long long values[MANY];

	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]) &&
			   added < MANY && rc == PAPI_OK;
	     i++) {
		int code;

		if (PAPI_event_name_to_code(events[i], &code) != PAPI_OK)
			continue;
		rc = PAPI_add_event(set, code);
		added += rc == PAPI_OK;
	}
	result("more events than counters are refused", rc == PAPI_ECNFLCT, rc);
	must(PAPI_start(set), "PAPI_start");
	work(1000);
	must(PAPI_stop(set, values), "PAPI_stop");
	result("and the others count", added > 1 && values[0] >= 1000,
	       values[0]);
	free_set(set);
}

static const char *other_event(void)
{
	static const char *const names[] = {
		"perfmon:::RETIRED_UOPS",
		"perfmon:::BR_INST_RETIRED:ALL_BRANCHES",
	};
	int code;

	return PAPI_event_name_to_code(names[0], &code) == PAPI_OK ? names[0] :
								     names[1];
}

static int is_exact(long long n)
{
	return n >= (long long)PASSES * PASS &&
	       n < (long long)PASSES * PASS + 5000;
}

/* The first event is removed, so that PAPI moves the last one; and is added again. */
void test_removal(void)
{
	int set = event_set(instructions, other_event()), code;
	long long values[3], n;

	must(PAPI_add_named_event(set, cycles), cycles);
	must(PAPI_event_name_to_code(instructions, &code), instructions);
	must(PAPI_remove_event(set, code), "PAPI_remove_event");
	must(PAPI_start(set), "PAPI_start");
	work(PASSES);
	must(PAPI_stop(set, values), "PAPI_stop");
	result("after the first event was removed the last one counts on",
	       values[1] > (long long)PASSES * PASS + 5000, values[1]);
	must(PAPI_add_event(set, code), "PAPI_add_event");
	must(PAPI_start(set), "PAPI_start");
	work(PASSES);
	must(PAPI_stop(set, values), "PAPI_stop");
	result("and when the first one is added again",
	       values[1] > (long long)PASSES * PASS + 5000, values[1]);
	result("that one counts, too", is_exact(values[2]), values[2]);
	n = PAPI_add_event(set, code);
	result("adding an event twice is refused", n == PAPI_ECNFLCT, n);
	free_set(set);
}

static int is_near(long long value, long long right)
{
	return value > right / 100 * 97 && value < right / 100 * 103;
}

/*
 * PAPI wants different events.  With the masks of one event that are added they are
 * not: what they have in common is known.
 */
void test_multiplexing(void)
{
	static const char *const others[] = {
		"perfmon:::RETIRED_UOPS",
		"perfmon:::RETIRED_BRANCH_INSTRUCTIONS",
		"perfmon:::RETIRED_TAKEN_BRANCH_INSTRUCTIONS",
		"perfmon:::RETIRED_NEAR_RETURNS",
		"perfmon:::RETIRED_FAR_CONTROL_TRANSFERS",
		"perfmon:::RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED",
		"perfmon:::BR_INST_RETIRED:CONDITIONAL",
		"perfmon:::BR_INST_RETIRED:NEAR_TAKEN",
		"perfmon:::BR_INST_RETIRED:NEAR_RETURN",
		"perfmon:::BR_MISP_RETIRED:ALL_BRANCHES",
		"perfmon:::BR_INST_RETIRED:NOT_TAKEN",
		"perfmon:::BR_MISP_RETIRED:CONDITIONAL",
	};
	int set = event_set(NULL, NULL), count = 0, rc, code;
	long long values[MANY + 2];

	must(PAPI_multiplex_init(), "PAPI_multiplex_init");
	must(PAPI_assign_eventset_component(set, find_component()),
	     "PAPI_assign_eventset_component");
	rc = PAPI_set_multiplex(set);
	result("an event set can be multiplexed", rc == PAPI_OK, rc);
	must(PAPI_add_named_event(set, instructions), instructions);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (PAPI_event_name_to_code(others[i], &code) == PAPI_OK)
			count += PAPI_add_event(set, code) == PAPI_OK;
	must(PAPI_add_named_event(set, cycles), cycles);
	must(PAPI_start(set), "PAPI_start");
	work(PASSES);
	must(PAPI_stop(set, values), "PAPI_stop");
	printf("# %d events: %lld instructions, %lld cycles\n", count + 2,
	       values[0], values[count + 1]);
	result("it has more events than there are counters", count >= 5, count);
	result("its first event is estimated",
	       is_near(values[0], (long long)PASSES * PASS), values[0]);
	result("and its last one",
	       values[count + 1] > (long long)PASSES * PASS &&
		       values[count + 1] < (long long)PASSES * PASS * 4,
	       values[count + 1]);
	must(PAPI_start(set), "PAPI_start");
	must(PAPI_stop(set, values), "PAPI_stop");
	result("a second start begins with nothing", values[0] < PASSES / 100,
	       values[0]);
	free_set(set);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * How many instructions a PAPI_read() has, by itself: two reads without anything between
 * them, the smallest difference of several. Prints a line for each component:
 *
 *	COMPONENT EVENTS instructions USER, with the kernel BOTH
 *
 * usage: papi_read_cost EVENT... -- EVENT...
 *
 * Lists of events, one for each component; the first of each counts instructions.
 */
#include <stdio.h>
#include <string.h>

#include "counting.h"

#define MANY 8
#define ROUNDS 20

static long long cheapest(int set)
{
	long long before[MANY], after[MANY], least = -1;

	must(PAPI_start(set), "PAPI_start");
	for (int i = 0; i < ROUNDS; i++) {
		must(PAPI_read(set, before), "PAPI_read");
		must(PAPI_read(set, after), "PAPI_read");
		if (least < 0 || after[0] - before[0] < least)
			least = after[0] - before[0];
	}
	must(PAPI_stop(set, NULL), "PAPI_stop");
	return least;
}

static void measure(char **events, int count)
{
	PAPI_option_t option = {
		.domain = { .domain = PAPI_DOM_USER | PAPI_DOM_KERNEL },
	};
	int set = event_set(NULL, NULL), code, component;
	long long user;

	for (int i = 0; i < count; i++)
		must(PAPI_add_named_event(set, events[i]), events[i]);
	must(PAPI_event_name_to_code(events[0], &code), events[0]);
	component = PAPI_get_event_component(code);
	user = cheapest(set);
	option.domain.eventset = set;
	must(PAPI_set_opt(PAPI_DOMAIN, &option), "PAPI_set_opt");
	printf("%s %d instructions %lld, with the kernel %lld\n",
	       PAPI_get_component_info(component)->name, count, user,
	       cheapest(set));
	free_set(set);
}

int main(int argc, char **argv)
{
	int rc = PAPI_library_init(PAPI_VER_CURRENT), first = 1;

	if (rc != PAPI_VER_CURRENT)
		must(rc < 0 ? rc : PAPI_EINVAL, "PAPI_library_init");
	for (int i = 1; i <= argc; i++) {
		if (i < argc && strcmp(argv[i], "--"))
			continue;
		if (i - first < 1 || i - first > MANY)
			must(PAPI_EINVAL,
			     "usage: papi_read_cost EVENT... -- EVENT...");
		for (int count = 1; count <= i - first; count++)
			measure(argv + first, count);
		first = i + 1;
	}
	return 0;
}

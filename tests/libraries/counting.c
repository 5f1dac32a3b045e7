// SPDX-License-Identifier: GPL-2.0-only
/*
 * See counting.h.
 */
#include <stdio.h>
#include <stdlib.h>

#include "counting.h"

#define COMPONENT "perfmon"

const char *instructions, *cycles;

static int number, failed;

__attribute__((noipa)) void work(unsigned long passes)
{
	__asm__ volatile("0:\n\t"
			 "dec %0\n\t"
			 "jnz 0b"
			 : "+r"(passes)
			 :
			 : "cc");
}

void result(const char *name, int passed, long long value)
{
	number++;
	printf("%sok %d - %s\n", passed ? "" : "not ", number, name);
	if (!passed) {
		failed++;
		printf("# it was %lld (%s)\n", value,
		       value < 0 ? PAPI_strerror((int)value) : "a value");
	}
	fflush(stdout);
}

int failures(void)
{
	return failed;
}

void finish(void)
{
	printf("1..%d\n", number);
}

void must(int rc, const char *what)
{
	if (rc >= PAPI_OK)
		return;
	printf("Bail out! %s: %s\n", what, PAPI_strerror(rc));
	exit(1);
}

int find_component(void)
{
	int component = PAPI_get_component_index(COMPONENT);
	const PAPI_component_info_t *info;

	if (component < 0)
		return component;
	info = PAPI_get_component_info(component);
	if (info->disabled)
		printf("# %s\n", info->disabled_reason);
	return info->disabled ? info->disabled : component;
}

static const char *first_of(const char *const *names)
{
	int code;

	while (*names && PAPI_event_name_to_code(*names, &code) != PAPI_OK)
		names++;
	return *names;
}

void find_events(void)
{
	static const char *const of_instructions[] = {
		"perfmon:::RETIRED_INSTRUCTIONS",
		"perfmon:::INST_RETIRED:ANY_P",
		NULL,
	};
	static const char *const of_cycles[] = {
		"perfmon:::CYCLES_NOT_IN_HALT",
		"perfmon:::CPU_CLK_UNHALTED",
		NULL,
	};

	instructions = first_of(of_instructions);
	cycles = first_of(of_cycles);
	if (!instructions || !cycles)
		must(PAPI_ENOEVNT, "instructions and cycles");
}

int event_set(const char *first, const char *second)
{
	int set = PAPI_NULL;

	must(PAPI_create_eventset(&set), "PAPI_create_eventset");
	if (first)
		must(PAPI_add_named_event(set, first), first);
	if (second)
		must(PAPI_add_named_event(set, second), second);
	return set;
}

void free_set(int set)
{
	must(PAPI_cleanup_eventset(set), "PAPI_cleanup_eventset");
	must(PAPI_destroy_eventset(&set), "PAPI_destroy_eventset");
}

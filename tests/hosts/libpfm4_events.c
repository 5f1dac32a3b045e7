// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints each event of libpfm4's PMUs for x86, with each of its unit masks, and the
 * register values that libpfm4 makes of it: what becomes part of libpfm.so.3.
 */

#include <inttypes.h>
#include <perfmon/pfmlib.h>
#include <stdio.h>
#include <stdlib.h>

static void print_codes(const char *name)
{
	pfm_pmu_encode_arg_t arg = { .size = sizeof(arg) };
	int rc = pfm_get_os_event_encoding(name, PFM_PLM0 | PFM_PLM3,
					   PFM_OS_NONE, &arg);

	printf("%s", name);
	if (rc != PFM_SUCCESS)
		printf(" %s", pfm_strerror(rc));
	for (int i = 0; rc == PFM_SUCCESS && i < arg.count; i++)
		printf(" %#" PRIx64, arg.codes[i]);
	putchar('\n');
	free(arg.codes);
}

static void print_event(const char *pmu, int index)
{
	pfm_event_info_t event = { .size = sizeof(event) };
	char name[256];

	if (pfm_get_event_info(index, PFM_OS_NONE, &event) != PFM_SUCCESS)
		return;
	snprintf(name, sizeof(name), "%s::%s", pmu, event.name);
	print_codes(name);
	for (int i = 0; i < event.nattrs; i++) {
		pfm_event_attr_info_t attr = { .size = sizeof(attr) };

		if (pfm_get_event_attr_info(index, i, PFM_OS_NONE, &attr) !=
			    PFM_SUCCESS ||
		    attr.type != PFM_ATTR_UMASK)
			continue;
		snprintf(name, sizeof(name), "%s::%s:%s", pmu, event.name,
			 attr.name);
		print_codes(name);
	}
}

int main(void)
{
	/* Whatever processor runs this. */
	setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
	if (pfm_initialize() != PFM_SUCCESS)
		return 1;
	for (int pmu = PFM_PMU_NONE; pmu < PFM_PMU_MAX; pmu++) {
		pfm_pmu_info_t info = { .size = sizeof(info) };

		if (pfm_get_pmu_info(pmu, &info) != PFM_SUCCESS)
			continue;
		for (int index = info.first_event; index != -1;
		     index = pfm_get_event_next(index))
			print_event(info.name, index);
	}
	return 0;
}

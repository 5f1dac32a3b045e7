// SPDX-License-Identifier: GPL-2.0-only
/* Asking programs to count their regions, see ask.h. */
#include "regions/ask.h"

#include <errno.h>
#include <fcntl.h>
#include <mark/mark_file.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "diag.h"

/* Shells and programs use lower ones for what they open. */
#define DESCRIPTOR_MIN 200

_Static_assert(MARK_EVENTS_MAX == COUNTERS_MAX &&
		       MARK_CONTROLS_MAX == CONTROLS_MAX,
	       "a plan fits in a setup");

static struct mark_setup setup_of(const struct event_set *set)
{
	const struct plan *plan = &set->plan;
	struct mark_setup setup = {
		.magic = MARK_SETUP_MAGIC,
		.size = sizeof(setup),
		.events = (uint32_t)plan->event_count,
		.counters = (uint32_t)plan->pmd_count,
		.controls = (uint32_t)plan->pmc_count,
	};

	for (int i = 0; i < plan->pmd_count; i++)
		setup.counter[i].number = plan->pmds[i].reg_num;
	for (int i = 0; i < plan->pmc_count; i++) {
		setup.control[i].number = plan->pmcs[i].reg_num;
		setup.control[i].value = plan->pmcs[i].reg_value;
	}
	return setup;
}

/* Records are added at the end, whoever writes. */
static int open_file(const struct mark_setup *setup)
{
	int low = memfd_create("pfmon-regions", MFD_CLOEXEC), fd = -1;

	if (low < 0)
		return -1;
	if (write(low, setup, sizeof(*setup)) == sizeof(*setup) &&
	    !fcntl(low, F_SETFL, O_APPEND))
		fd = fcntl(low, F_DUPFD, DESCRIPTOR_MIN);
	close(low);
	return fd;
}

int ask_regions(const struct event_sets *sets)
{
	struct mark_setup setup = setup_of(&sets->list[0]);
	int fd = open_file(&setup);
	char number[16];

	snprintf(number, sizeof(number), "%d", fd);
	if (fd < 0 || setenv(MARK_VARIABLE, number, 1))
		return diag("-m: cannot make the file for the regions: %s",
			    strerror(errno));
	return fd;
}

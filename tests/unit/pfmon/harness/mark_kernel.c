// SPDX-License-Identifier: GPL-2.0-only
/* The kernel for the marks of a test, see mark_kernel.h. */
#include "mark_kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>

#include <perfmon/pfm_state.h>

#include "regions/ask.h"

_Thread_local uint64_t counted;
uint64_t longer;
int sessions, attach_error;
const int mark_kernel_places[2] = { 1, 0 };

int mark_kernel_ask(void)
{
	static struct event_sets sets = {
		.count = 1,
		.list[0].plan = { .event_count = 2,
				  .pmd_count = 2,
				  .pmc_count = 3,
				  .pmds = { { .reg_num = 4 },
					    { .reg_num = 5 } },
				  .pmcs = { { .reg_num = 10 } } },
	};

	return ask_regions(&sets);
}

int pfm_create_session(int flags, ...)
{
	assert_int_equal(flags, PFM_FL_CLOEXEC);
	sessions++;
	return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

int pfm_write_pmrs(int fd, int flags, pfarg_pmr_t *pmrs, int n, ...)
{
	(void)fd;
	assert_int_equal(n, flags == PFM_RWFL_PMC ? 3 : 2);
	assert_int_equal(pmrs[0].reg_num, flags == PFM_RWFL_PMC ? 10 : 4);
	return 0;
}

int pfm_read_pmrs(int fd, int flags, pfarg_pmr_t *pmrs, int n, ...)
{
	static _Thread_local bool second;

	(void)fd;
	assert_int_equal(flags, PFM_RWFL_PMD);
	assert_int_equal(n, 2);
	second = !second;
	counted += BEFORE + (second ? 0 : longer);
	pmrs[0].reg_value = counted;
	pmrs[1].reg_value = 3 * counted;
	counted += BEHIND;
	return 0;
}

int pfm_attach_session(int fd, int flags, int target)
{
	(void)fd;
	assert_int_equal(flags, 0);
	assert_int_equal(target, gettid());
	errno = attach_error;
	return attach_error ? -1 : 0;
}

int pfm_start_session(int fd, int flags)
{
	(void)fd;
	return flags;
}

/* A kernel without state pages. */
const struct pfm_state *pfm_map_state(int fd)
{
	(void)fd;
	errno = EINVAL;
	return NULL;
}

int pfm_unmap_state(const struct pfm_state *state)
{
	(void)state;
	return 0;
}

int pfm_state_index(const struct pfm_state *state, unsigned int pmd,
		    unsigned int set)
{
	(void)state;
	return (int)(pmd + set);
}

// SPDX-License-Identifier: GPL-2.0-only
/* RDPMC, which faults without the right to it. */
#include "may_rdpmc.h"

#include <setjmp.h>
#include <signal.h>

#include "attr.h"

static __thread sigjmp_buf fault;
static __thread volatile sig_atomic_t expected;

static void on_fault(int sig)
{
	if (expected)
		siglongjmp(fault, 1);
	/* Somebody else's mistake: it faults again, and ends the program. */
	signal(sig, SIG_DFL);
}

static bool try_rdpmc(uint32_t counter, uint64_t *value)
{
	volatile bool can = false;
	uint32_t low = 0, high = 0;

	signal(SIGSEGV, on_fault);
	expected = 1;
	if (!sigsetjmp(fault, 1)) {
		asm volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(counter));
		can = true;
	}
	expected = 0;
	*value = can ? (uint64_t)high << 32 | low : 0;
	return can;
}

bool can_rdpmc(uint32_t counter)
{
	uint64_t value;

	return try_rdpmc(counter, &value);
}

bool rdpmc_tells_nothing(uint32_t counter)
{
	uint64_t value;

	if (!try_rdpmc(counter, &value))
		return true;
	return perfmon_is_module() && !value;
}

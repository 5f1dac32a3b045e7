// SPDX-License-Identifier: GPL-2.0-only
/* RDPMC, which faults without the right to it. */
#include "may_rdpmc.h"

#include <setjmp.h>
#include <signal.h>

static __thread sigjmp_buf fault;
static __thread volatile sig_atomic_t expected;

static void on_fault(int sig)
{
	if (expected)
		siglongjmp(fault, 1);
	/* Somebody else's mistake: it faults again, and ends the program. */
	signal(sig, SIG_DFL);
}

bool can_rdpmc(uint32_t counter)
{
	volatile bool can = false;
	uint32_t low, high;

	signal(SIGSEGV, on_fault);
	expected = 1;
	if (!sigsetjmp(fault, 1)) {
		asm volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(counter));
		can = true;
	}
	expected = 0;
	return can;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rechecks the right to execute RDPMC (right.h) after the set of processes that map the
 * page has changed, or the administrator has changed the mode.
 *
 * Owns nothing.  Called by mapping.c and sysfs, without a lock of the session: each CPU
 * checks the session that counts there.
 */
#include <linux/percpu.h>
#include <linux/smp.h>

#include <asm/barrier.h>

#include "../session.h"
#include "../target.h"
#include "page.h"
#include "right.h"

/*
 * A session that does not count has no right to lose, and other code may be changing it.
 */
static void recheck_here(void *unused)
{
	struct perfmon_session *s = perfmon_host_here();

	if (s && s->counting)
		perfmon_page_update(s);
	perfmon_host_recheck_reader(s);
}

static bool recheck_wants(int cpu, void *page)
{
	return per_cpu(perfmon_right_page, cpu) == page;
}

/**
 * perfmon_page_recheck - recheck the right of the reader of a page
 * @page: its reader_mm has changed
 *
 * Context: may sleep; interrupts enabled.
 */
void perfmon_page_recheck(struct perfmon_page *page)
{
	smp_mb(); /* Pairs with perfmon_page_ask(). */
	on_each_cpu_cond(recheck_wants, recheck_here, page, true);
}

/**
 * perfmon_rdpmc_mode_set - set which threads may read
 * @mode: PERFMON_RDPMC_*; in force on all CPUs when the function returns
 *
 * Context: may sleep.
 */
void perfmon_rdpmc_mode_set(int mode)
{
	WRITE_ONCE(perfmon_rdpmc_mode, mode);
	on_each_cpu(recheck_here, NULL, 1);
}

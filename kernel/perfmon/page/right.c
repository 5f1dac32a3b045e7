// SPDX-License-Identifier: GPL-2.0-only
/*
 * The data that the right to execute RDPMC (right.h) depends on.
 *
 * Owns perfmon_rdpmc_mode, which the administrator writes (recheck.c), and
 * perfmon_right_page, which each CPU writes for itself with interrupts off.
 */
#include <linux/percpu.h>

#include "page.h"
#include "right.h"

int perfmon_rdpmc_mode = PERFMON_RDPMC_ISOLATED;

DEFINE_PER_CPU(struct perfmon_page *, perfmon_right_page);

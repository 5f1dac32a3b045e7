/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What desc.c found out about the processor that control.c needs.
 */
#ifndef _PERFMON_DESC_H
#define _PERFMON_DESC_H

#include <linux/types.h>

/* One enable bit, in selector 0, for all counters. */
extern bool perfmon_desc_shared_enable;

#endif /* _PERFMON_DESC_H */

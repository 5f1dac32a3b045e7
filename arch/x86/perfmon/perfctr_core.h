/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of the low-level core share: perfctr_ll.c (counting),
 * check.c (validation), reserve.c (ownership of the PMU) and lvtpc.c (the
 * overflow interrupt).
 */
#ifndef _PERFCTR_CORE_H
#define _PERFCTR_CORE_H

#include "perfctr_design.h"

/* Set once by perfctr_cpu_init(). */
extern struct perfctr_design *perfctr_design;

int perfctr_reserve_init(void);
void perfctr_reserve_exit(void);

#endif /* _PERFCTR_CORE_H */

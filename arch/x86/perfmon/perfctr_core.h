/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of the low-level core share: perfctr_ll.c (counting),
 * check.c (validation), reserve.c (ownership of the PMU), reboot.c (its end),
 * inventory.c and verify.c (what others do to it) and lvtpc.c (the overflow
 * interrupt).
 */
#ifndef _PERFCTR_CORE_H
#define _PERFCTR_CORE_H

#include "perfctr_design.h"

/* Set once by perfctr_cpu_init(). */
extern struct perfctr_design *perfctr_design;

/* perfctr_ll.c */
void perfctr_disarm(void);

/* options.c: perfmon= on the command line. */
extern bool perfctr_nointr;
void perfctr_apply_options(struct perfctr_design *design);

/* inventory.c: what was in the PMU before us. */
bool perfctr_counter_works(void);
void perfctr_take_inventory(void);

/* verify.c: has anybody else written the registers? */
void perfctr_verify_this_cpu(void);

/*
 * reserve.c.  Call a function on each CPU that is ours, one after the other,
 * with interrupts off.  Return: false if the PMU is not ours.
 */
bool perfctr_on_our_cpus(void (*call)(void *data), void *data);

int perfctr_reserve_init(void);
void perfctr_reserve_exit(void);
void perfctr_halt(void);

/* reboot.c */
void perfctr_reboot_init(void);
void perfctr_reboot_exit(void);

#endif /* _PERFCTR_CORE_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/* NMIs, and what the kernel's header of that name has for drivers of the PMU. */
#ifndef PERFCTR_TEST_ASM_NMI_H
#define PERFCTR_TEST_ASM_NMI_H

#include <asm/apic.h>
#include <asm/perf_event.h>

#endif

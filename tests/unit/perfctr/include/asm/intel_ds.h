/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The area that tells a processor where to write records.
 */
#ifndef PERFCTR_TEST_ASM_INTEL_DS_H
#define PERFCTR_TEST_ASM_INTEL_DS_H

#include <linux/types.h>

/* Reset values of fixed counters come behind these. */
#define MAX_PEBS_EVENTS_FMT4 8
#define MAX_PEBS_EVENTS 32

struct debug_store {
	u64 bts_words[4];
	u64 pebs_buffer_base;
	u64 pebs_index;
	u64 pebs_absolute_maximum;
	u64 pebs_interrupt_threshold;
	u64 pebs_event_reset[48];
};

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Pentium 4: the layout of its registers.  pfm_dispatch_events() has no
 * model-specific input or output for it.
 */
#ifndef __PFMLIB_PENTIUM4_H__
#define __PFMLIB_PENTIUM4_H__

#include <perfmon/pfmlib.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EVENT_MASK_BITS 16
#define EVENT_SELECT_BITS 6

/* Event selection control register: t0 and t1 are the two hardware threads. */
typedef union {
	unsigned long val;
	__extension__ struct {
		unsigned long t1_usr : 1;
		unsigned long t1_os : 1;
		unsigned long t0_usr : 1;
		unsigned long t0_os : 1;
		unsigned long tag_enable : 1;
		unsigned long tag_value : 4;
		unsigned long event_mask : EVENT_MASK_BITS;
		unsigned long event_select : EVENT_SELECT_BITS;
		unsigned long reserved : 1;
	} bits;
} pentium4_escr_value_t;

/* Counter configuration control register. */
typedef union {
	unsigned long val;
	__extension__ struct {
		unsigned long reserved1 : 12;
		unsigned long enable : 1;
		unsigned long escr_select : 3;
		unsigned long active_thread : 2;
		unsigned long compare : 1;
		unsigned long complement : 1;
		unsigned long threshold : 4;
		unsigned long edge : 1;
		unsigned long force_ovf : 1;
		unsigned long ovf_pmi_t0 : 1;
		unsigned long ovf_pmi_t1 : 1;
		unsigned long reserved2 : 2;
		unsigned long cascade : 1;
		unsigned long overflow : 1;
	} bits;
} pentium4_cccr_value_t;

#ifdef __cplusplus
}
#endif

#endif /* __PFMLIB_PENTIUM4_H__ */

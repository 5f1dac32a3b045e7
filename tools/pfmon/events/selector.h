/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Event select registers: PERFEVTSEL of Intel since the P6, PERFSEL of AMD
 * since the K7. Both have the same layout as far as pfmon is concerned.
 */
#ifndef PFMON_SELECTOR_H
#define PFMON_SELECTOR_H

#include <stdint.h>

#define SEL_EVENT(sel) ((uint8_t)(sel))
#define SEL_EVENT_HIGH 32 /* AMD: bits 11:8 of the event are here */
#define SEL_USR (1ull << 16)
#define SEL_OS (1ull << 17)
#define SEL_EDGE (1ull << 18)
#define SEL_INT (1ull << 20) /* interrupt; the kernel decides */
#define SEL_ANY_THREAD (1ull << 21) /* Intel */
#define SEL_ENABLE (1ull << 22)
#define SEL_INVERT (1ull << 23)
#define SEL_UMASK(sel) ((uint8_t)((sel) >> 8))
#define SEL_CMASK_SHIFT 24
#define SEL_CMASK (0xffull << SEL_CMASK_SHIFT)
#define SEL_GUEST (1ull << 40) /* AMD */
#define SEL_HOST (1ull << 41)
/* AMD: event 0xfff makes a counter the upper part of the one before it. */
#define SEL_MERGE (0xfull << SEL_EVENT_HIGH | 0xff | SEL_ENABLE)

#endif /* PFMON_SELECTOR_H */

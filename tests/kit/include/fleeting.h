/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sessions that live for a moment, so that often none exists: a process makes
 * one after the other and ends each where it meets something else.
 */
#ifndef PFM_TEST_FLEETING_H
#define PFM_TEST_FLEETING_H

#include <stdint.h>

/* Until the process is killed; @seed chooses what it does. */
_Noreturn void fleeting_forever(uint64_t seed);

#endif

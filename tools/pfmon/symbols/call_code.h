/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether an address is one that a call returns to, by the bytes of the code. */
#ifndef PFMON_CALL_CODE_H
#define PFMON_CALL_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The longest call that is known: prefixes in front of it do not matter. */
#define CALL_CODE_MAX 7

/* Bytes at the begin of what a signal handler returns to. */
#define CALL_CODE_SIGNAL 9

/*
 * Whether a call of x86 ends where these bytes do, as far as they are there. direct, if
 * it is one: where it calls, from its end on; otherwise 0.
 */
bool call_code_before(const uint8_t *bytes, size_t size, int bits,
		      int32_t *direct);

/* Whether code that begins so returns from a signal handler: nobody calls that. */
bool call_code_is_signal(const uint8_t *bytes, size_t size);

#endif /* PFMON_CALL_CODE_H */

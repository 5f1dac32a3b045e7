/* SPDX-License-Identifier: GPL-2.0-only */
/* What v2.81 programs do, for the tests that compare them with v3.0. */
#ifndef PFM_TEST_V281_CALLS_H
#define PFM_TEST_V281_CALLS_H

#include <stdint.h>
#include <sys/types.h>

/* A new session that counts user instructions on the first counter, or -1. */
int v281_context(uint32_t ctx_flags);

/* Counts them in a set, from @preset and again from there. */
int v281_program(int fd, uint16_t set, uint32_t reg_flags, uint64_t preset);

int v281_load(int fd, pid_t target);

/* The first counter's value in a set, or ~0. */
uint64_t v281_value(int fd, uint16_t set);

#endif

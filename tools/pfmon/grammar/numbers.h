/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers of options that are about samples. */
#ifndef PFMON_NUMBERS_H
#define PFMON_NUMBERS_H

#include "request.h"

/* The largest period: counters have to overflow in this life. */
#define PERIOD_MAX ((uint64_t)1 << 48)

/* The smallest buffer is a page; larger than this is a mistake. */
#define BUFFER_MIN 4096
#define BUFFER_MAX (1u << 30)

/* option names it in the message. They return 0, or -1 after one. */
int numbers_periods(const char *text, const char *option, uint64_t least,
		    struct sample_numbers *numbers);

/*
 * Masks, which a colon and a seed may follow. A recording has one seed: the last one.
 */
int numbers_masks(const char *text, const char *option,
		  struct sample_numbers *masks, uint64_t *seed);

/* A number from 1 that all random numbers of a recording depend on. */
int numbers_seed(const char *text, const char *option, uint64_t *seed);

/* Bytes, with K or M behind them. */
int numbers_size(const char *text, const char *option, uint64_t *bytes);

/* Numbers of counters. */
int numbers_registers(const char *text, const char *option,
		      struct sample_registers *registers);

#endif /* PFMON_NUMBERS_H */

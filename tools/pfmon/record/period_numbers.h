/* SPDX-License-Identifier: GPL-2.0-only */
/* The numbers that make periods: the ones that were given, and primes. */
#ifndef PFMON_PERIOD_NUMBERS_H
#define PFMON_PERIOD_NUMBERS_H

#include <stdint.h>

#include "request.h"

/* Whether there are as many as so many events need. 0, or -1 after a message. */
int period_numbers_check(const struct sample_wish *wish,
			 const struct sample_numbers *numbers,
			 const char *option, int events);

/* The number that was given for an event: its own, or the one of all. */
uint64_t period_numbers_given(const struct sample_wish *wish,
			      const struct sample_numbers *numbers, int event);

/* The first prime that is not less. */
uint64_t period_numbers_prime(uint64_t least);

#endif /* PFMON_PERIOD_NUMBERS_H */

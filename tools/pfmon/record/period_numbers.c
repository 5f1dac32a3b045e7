// SPDX-License-Identifier: GPL-2.0-only
/* The numbers that make periods, see period_numbers.h. */
#include "record/period_numbers.h"

#include <stdbool.h>

#include "diag.h"

static bool is_prime(uint64_t number)
{
	if (number < 4 || number % 2 == 0)
		return number == 2 || number == 3;
	for (uint64_t factor = 3; factor * factor <= number; factor += 2) {
		if (number % factor == 0)
			return false;
	}
	return true;
}

uint64_t period_numbers_prime(uint64_t least)
{
	if (least < 2)
		return 2;
	while (!is_prime(least))
		least++;
	return least;
}

uint64_t period_numbers_given(const struct sample_wish *wish,
			      const struct sample_numbers *numbers, int event)
{
	if (wish->first_events && event >= numbers->count)
		return 0;
	return numbers->values[numbers->count > 1 ? event : 0];
}

int period_numbers_check(const struct sample_wish *wish,
			 const struct sample_numbers *numbers,
			 const char *option, int events)
{
	if (wish->first_events && numbers->count > events)
		return diag("%s: %d numbers for %d event%s; omit some", option,
			    numbers->count, events, events == 1 ? "" : "s");
	if (wish->first_events || numbers->count <= 1 ||
	    numbers->count == events)
		return 0;
	return diag("%s: %d numbers for %d event%s; give one, or one for each",
		    option, numbers->count, events, events == 1 ? "" : "s");
}

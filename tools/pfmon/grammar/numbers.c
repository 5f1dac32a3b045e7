// SPDX-License-Identifier: GPL-2.0-only
/* Numbers of options that are about samples, see numbers.h. */
#include "grammar/numbers.h"

#include <ctype.h>
#include <errno.h>
#include <perfmon/perfmon.h>
#include <stdlib.h>

#include "diag.h"

/* In decimal, or with 0x in front. False if there is none at **text. */
static bool take_number(const char **text, uint64_t *number)
{
	char *end;

	if (!isdigit((unsigned char)**text))
		return false;
	errno = 0;
	*number = strtoull(*text, &end, 0);
	*text = end;
	return !errno;
}

/* Room for one more. */
static uint64_t *next(struct sample_numbers *numbers)
{
	return numbers->count < SAMPLED_MAX ?
		       &numbers->values[numbers->count++] :
		       NULL;
}

int numbers_periods(const char *text, const char *option, uint64_t least,
		    struct sample_numbers *numbers)
{
	const char *c = text;

	numbers->count = 0;
	do {
		uint64_t *number = next(numbers);

		if (!number)
			return diag("%s %s: more periods than counters", option,
				    text);
		if (!take_number(&c, number) || (*c && *c != ',') ||
		    *number < least || *number > PERIOD_MAX)
			return diag(
				"%s %s: not periods from %llu to 2^48, separated by commas",
				option, text, (unsigned long long)least);
	} while (*c++);
	return 0;
}

int numbers_masks(const char *text, const char *option,
		  struct sample_numbers *masks, uint64_t *seed)
{
	const char *c = text;

	masks->count = 0;
	do {
		uint64_t *mask = next(masks);
		bool good = mask && take_number(&c, mask) && *mask < PERIOD_MAX;

		if (good && *c == ':') {
			c++;
			good = take_number(&c, seed);
		}
		if (!good || (*c && *c != ','))
			return diag(
				"%s=%s: not masks below 2^48, each perhaps with :SEED, separated by commas",
				option, text);
	} while (*c++);
	return 0;
}

int numbers_seed(const char *text, const char *option, uint64_t *seed)
{
	const char *c = text;

	if (!take_number(&c, seed) || *c || !*seed)
		return diag("%s %s: not a number from 1 to 2^64 - 1", option,
			    text);
	return 0;
}

int numbers_registers(const char *text, const char *option,
		      struct sample_registers *registers)
{
	const char *c = text;
	uint64_t number;

	registers->count = 0;
	do {
		if (!take_number(&c, &number) || (*c && *c != ',') ||
		    number >= PFM_MAX_PMDS || registers->count == SAMPLED_MAX)
			return diag(
				"%s=%s: not up to %d numbers of counters below %d, separated by commas",
				option, text, SAMPLED_MAX, PFM_MAX_PMDS);
		registers->list[registers->count++] = (uint16_t)number;
	} while (*c++);
	return 0;
}

int numbers_size(const char *text, const char *option, uint64_t *bytes)
{
	const char *c = text;
	uint64_t unit = 1;
	bool good = take_number(&c, bytes) && *bytes <= BUFFER_MAX;

	if (*c == 'k' || *c == 'K')
		unit = 1024;
	else if (*c == 'm' || *c == 'M')
		unit = 1024 * 1024;
	c += unit != 1;
	if (good)
		*bytes *= unit;
	if (!good || *c || *bytes < BUFFER_MIN || *bytes > BUFFER_MAX)
		return diag("%s %s: not a size from 4K to 1024M", option, text);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/* Samples that are left out, see thin.h. */
#include "profile/thin.h"

#include "profile/scatter.h"

/* Up to how many doublings it is kept: half of all samples one more than their own. */
static unsigned int lasts(uint32_t number, unsigned int doubled)
{
	unsigned int more =
		(unsigned int)__builtin_ctzll(scatter(number) | 1ull << 63);

	return doubled + more < THIN_DOUBLED_MAX ? doubled + more :
						   THIN_DOUBLED_MAX;
}

void thin_see(struct thin *thin, uint32_t number, unsigned int doubled)
{
	if (doubled > thin->doubled)
		thin->doubled = doubled;
	thin->lasts[lasts(number, doubled)]++;
}

bool thin_keeps(const struct thin *thin, uint32_t number, unsigned int doubled)
{
	return lasts(number, doubled) >= thin->doubled;
}

uint64_t thin_left_out(const struct thin *thin)
{
	uint64_t count = 0;

	for (unsigned int i = 0; i < thin->doubled; i++)
		count += thin->lasts[i];
	return count;
}

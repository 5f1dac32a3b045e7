// SPDX-License-Identifier: GPL-2.0-only
/* Differences between results, see compare.h. */
#include "results/compare.h"

/* The counts of an event over the runs, and of the last of them the bounds. */
struct side {
	struct spread spread;
	double low, high;
	bool bounded, estimated;
};

int compare_runs(const struct results *results)
{
	int runs = 0;

	for (int i = 0; i < results->count; i++)
		runs += results_count(results, &results->list[i]);
	return runs;
}

static bool take_side(struct side *side, const struct results *results,
		      const struct result_event *like)
{
	*side = (struct side){ .bounded = true };
	for (int i = 0; i < results->count; i++) {
		const struct result *result = &results->list[i];
		const struct result_event *event = result_find(result, like);

		if (!results_count(results, result))
			continue;
		if (!event || !event->seen)
			return false;
		spread_add(&side->spread, event->value);
		side->low = (double)event->low;
		side->high = (double)event->high;
		side->bounded &= event->bounded;
		side->estimated |= !event->bounded || event->low != event->high;
	}
	return side->spread.runs;
}

static bool is_outside(const struct difference *difference)
{
	return difference->low > 0 || difference->high < 0;
}

bool compare_event(const struct results *a, const struct results *b,
		   const struct result_event *event,
		   struct difference *difference)
{
	struct side first, second;

	*difference = (struct difference){ .certainty = CERTAIN_NOT };
	if (!take_side(&first, a, event) || !take_side(&second, b, event))
		return false;
	difference->a = first.spread.mean;
	difference->b = second.spread.mean;
	if (!first.estimated && !second.estimated &&
	    spread_is_equal(&first.spread) && spread_is_equal(&second.spread)) {
		difference->certainty = CERTAIN_EXACT;
		difference->low = difference->high =
			difference->b - difference->a;
	} else if (spread_difference(&first.spread, &second.spread,
				     &difference->low, &difference->high)) {
		difference->certainty = CERTAIN_95;
	} else if (first.spread.runs == 1 && second.spread.runs == 1 &&
		   first.bounded && second.bounded) {
		difference->certainty = CERTAIN_BOUNDS;
		difference->low = second.low - first.high;
		difference->high = second.high - first.low;
	}
	difference->significant = difference->certainty != CERTAIN_NOT &&
				  is_outside(difference);
	return true;
}

double compare_percent(const struct difference *difference, double value)
{
	return difference->a > 0 ? 100 * value / difference->a : 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/* Sessions that are used again, see spares.h. */
#include "engine/spares.h"

#include <stdlib.h>
#include <unistd.h>

bool spares_take(struct spares *spares, struct spare *spare)
{
	if (!spares->count)
		return false;
	*spare = spares->list[--spares->count];
	return true;
}

void spares_keep(struct spares *spares, int session,
		 struct turns_counts *before, const struct turns_counts *counts)
{
	if (!before)
		before = calloc(1, sizeof(*before));
	if (!before || spares->count == SPARES_MAX) {
		close(session);
		free(before);
		return;
	}
	turns_add(before, counts);
	spares->list[spares->count++] = (struct spare){ session, before };
}

void spares_close(struct spares *spares)
{
	while (spares->count) {
		const struct spare *spare = &spares->list[--spares->count];

		close(spare->session);
		free(spare->before);
	}
}

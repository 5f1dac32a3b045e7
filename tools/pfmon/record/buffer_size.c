// SPDX-License-Identifier: GPL-2.0-only
/* How large buffers are, see buffer_size.h. */
#include "record/buffer_size.h"

#include <sys/resource.h>

#include "record/entries.h"

#define BUFFER_DEFAULT 65536
/* Of each CPU, which all that run there fill. */
#define BUFFER_OF_CPU 262144
/* With copies of stacks, so many of them, in a part of what the user may lock. */
#define BUFFER_COPIES 64
#define BUFFER_SHARES 128
#define BUFFER_COPIES_MIN 4

/* What an entry needs at most. */
static size_t entry_size(const struct recording *recording)
{
	return entries_largest(&recording->kind,
			       (unsigned int)recording->periods.recorded);
}

/* Threads that wait for room need little of it, and there may be many. */
static size_t copies_size(const struct recording *recording, size_t entry)
{
	size_t size = BUFFER_COPIES * entry;
	size_t least = BUFFER_COPIES_MIN * entry;
	struct rlimit limit;

	if (!(recording->kind.flags & PFM_FL_NOTIFY_BLOCK) ||
	    getrlimit(RLIMIT_MEMLOCK, &limit) ||
	    limit.rlim_cur / BUFFER_SHARES >= size)
		return size;
	size = (size_t)limit.rlim_cur / BUFFER_SHARES;
	return size < least ? least : size;
}

size_t buffer_size(const struct recording *recording)
{
	const struct sample_wish *wish =
		&recording->measurement->request->samples;
	size_t entry = entry_size(recording);

	if (wish->entries)
		return entries_begin(&recording->kind) +
		       (wish->entries + 1u) * entry + BUFFER_DEFAULT / 8;
	if (wish->buffer)
		return wish->buffer;
	if (recording->kind.stack_bytes)
		return copies_size(recording, entry);
	return recording->kind.inherits ? BUFFER_OF_CPU : BUFFER_DEFAULT;
}

bool buffer_has_copies(const struct recording *recording)
{
	const struct sample_wish *wish =
		&recording->measurement->request->samples;

	return !wish->copies_if_possible || !wish->buffer ||
	       wish->buffer >= 2 * entry_size(recording);
}

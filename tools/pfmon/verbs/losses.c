// SPDX-License-Identifier: GPL-2.0-only
/* What a recording does not have, see losses.h. */
#include "verbs/losses.h"

#include <inttypes.h>
#include <sys/resource.h>

#include "diag.h"

static void tell_throttled(const struct recording *recording)
{
	if (recording->measurement->tally.coverage.throttled_ns)
		diag("note: record: %" PRIu64
		     " samples/s are throttled; use a period of at least %" PRIu64,
		     recording->rate, recording_period(recording));
}

static void tell_unsampled(const struct recording *recording)
{
	unsigned int threads = recording->unsampled;
	struct rlimit limit;

	if (!threads || getrlimit(RLIMIT_MEMLOCK, &limit))
		return;
	diag("note: buffer: RLIMIT_MEMLOCK is %" PRIu64
	     "; %u %s not sampled; ulimit -l",
	     (uint64_t)limit.rlim_cur, threads,
	     threads == 1 ? "thread is" : "threads are");
}

void losses_tell(const struct recording *recording)
{
	const struct measurement *m = recording->measurement;
	const struct coverage *coverage = &m->tally.coverage;
	char text[256];

	tell_unsampled(recording);
	tell_throttled(recording);
	if (!coverage_is_exact(coverage))
		diag("note: %s", coverage_note(coverage, m->request->advice,
					       text, sizeof(text)));
}

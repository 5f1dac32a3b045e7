// SPDX-License-Identifier: GPL-2.0-only
/*
 * Architectural events on the counters of versions 1 to 5.
 */
#include "dispatch_case.h"

#define CYCLES "UNHALTED_CORE_CYCLES"
#define INSTRUCTIONS "INSTRUCTIONS_RETIRED"
#define REFERENCE "UNHALTED_REFERENCE_CYCLES"
#define BRANCHES "BRANCH_INSTRUCTIONS_RETIRED"
#define MISSES "LAST_LEVEL_CACHE_MISSES"

#define ARCH PFMLIB_GEN_IA32_PMU

static const struct dispatch_case version_3[] = {
	{ "events without a fixed counter take generic ones", ARCH,
	  MISSES " " BRANCHES " " REFERENCE, "plm=9",
	  "16=0xb00 0=0x53412e 1=0x5300c4 | 0 1 18" },
	{ "any thread alone is for fixed counters, too", ARCH,
	  CYCLES ",f=4 LAST_LEVEL_CACHE_REFERENCES,c=2,f=5", NULL,
	  "16=0xe0 0=0x2f14f2e | 17 0" },
	{ "any thread with a counter mask needs a generic counter", ARCH,
	  CYCLES ",f=4,c=1", NULL, "0=0x171003c | 0" },
	{ "a counter mask needs a generic counter", ARCH, CYCLES ",c=1", NULL,
	  "0=0x151003c | 0" },
	{ "a second event for a fixed counter takes a generic one", ARCH,
	  REFERENCE " " REFERENCE, NULL, "16=0xa00 0=0x51013c | 18 0" },
	{ "without the fixed control register all are generic", ARCH,
	  CYCLES " " INSTRUCTIONS, "unavail=16",
	  "0=0x51003c 1=0x5100c0 | 0 1" },
	{ "a third event does not fit then", ARCH,
	  CYCLES " " INSTRUCTIONS " " REFERENCE, "unavail=16", "NOASSIGN" },
	{ "a generic counter that is not available is passed over", ARCH,
	  BRANCHES, "unavail=0", "1=0x5100c4 | 1" },
	{ "three events without a fixed counter do not fit", ARCH,
	  BRANCHES " " MISSES " " BRANCHES, NULL, "NOASSIGN" },
	{ "six events do not fit", ARCH,
	  CYCLES " " CYCLES " " CYCLES " " CYCLES " " CYCLES " " CYCLES, NULL,
	  "NOASSIGN" },
	{ "no events need no registers", ARCH, "", NULL, "|" },
	{ "flags beyond any thread are invalid", ARCH, CYCLES ",f=8", NULL,
	  "INVAL" },
	{ "a counter mask of more than 8 bits is invalid", ARCH,
	  CYCLES ",c=256", NULL, "INVAL" },
	{ "level 1 of an event is invalid", ARCH, CYCLES ",p=2", NULL,
	  "INVAL" },
	{ "flags of the event mean nothing", ARCH, CYCLES ",e=8", NULL,
	  "16=0xa0 | 17" },
	{ "the newer name of an event is for the same counter", ARCH,
	  "INSTRUCTION_RETIRED", NULL, "16=0xa | 16" },
};

static const struct dispatch_case other_versions[] = {
	{ "version 1 has no fixed counters", ARCH, CYCLES " " INSTRUCTIONS,
	  "version=1", "0=0x51003c 1=0x5100c0 | 0 1" },
	{ "version 1 uses the counter that is available", ARCH, CYCLES,
	  "version=1 unavail=0", "1=0x51003c | 1" },
	{ "version 1 without a free counter cannot assign", ARCH,
	  CYCLES " " CYCLES, "version=1 unavail=1", "NOASSIGN" },
	{ "version 1 checks flags of the event", ARCH, CYCLES ",e=8",
	  "version=1", "INVAL" },
	{ "version 1 accepts the low flags of the event", ARCH, CYCLES ",e=7",
	  "version=1", "0=0x51003c | 0" },
	{ "version 1 tests the counter mask of the event itself", ARCH,
	  CYCLES ",c=3 " CYCLES ",c=255", "version=1",
	  "0=0x351003c 1=0xff51003c | 0 1" },
	{ "version 1 finds a wrong counter mask behind a right one", ARCH,
	  CYCLES ",c=3 " CYCLES ",c=256", "version=1", "INVAL" },
	{ "version 1 has no other threads", ARCH, CYCLES ",f=4", "version=1",
	  "INVAL" },
	{ "version 2 has fixed counters", ARCH, CYCLES, "version=2",
	  "16=0xa0 | 17" },
	{ "version 2 that reports no fixed counters has three", ARCH, REFERENCE,
	  "version=2 fixed=0", "16=0xa00 | 18" },
	{ "version 2 has no other threads", ARCH, CYCLES ",f=4", "version=2",
	  "INVAL" },
	{ "version 4 has other threads", ARCH, CYCLES ",f=4", "version=4",
	  "16=0xe0 | 17" },
	{ "version 5 has fixed counters that it reports", ARCH,
	  CYCLES " " REFERENCE, "version=5 generic=8 fixed=2",
	  "16=0xa0 0=0x51013c | 17 0" },
	{ "all generic counters that are reported are used", ARCH,
	  BRANCHES " " BRANCHES " " BRANCHES " " BRANCHES " " BRANCHES
		   " " BRANCHES " " BRANCHES " " BRANCHES,
	  "version=5 generic=8 unavail=3 fixed=4", "NOASSIGN" },
	{ "the last of many generic counters is used", ARCH,
	  BRANCHES " " BRANCHES " " BRANCHES,
	  "version=5 generic=8 unavail=0 unavail=1 unavail=2 unavail=3 "
	  "unavail=4",
	  "5=0x5100c4 6=0x5100c4 7=0x5100c4 | 5 6 7" },
};

int main(void)
{
	return DISPATCH_RUN(version_3) + DISPATCH_RUN(other_versions);
}

// SPDX-License-Identifier: GPL-2.0-only
/* The table; see processors.h. */
#include "processors.h"

#include <stddef.h>
#include <string.h>

#include "array_size.h"

static const struct processor processors[] = {
	{ "k7", "AMD K7", "AMD64", 4, 0, 47, false },
	{ "ppro", "Intel P6", "Intel P6 processor Family", 2, 0, 31, false },
	{ "p2", "Intel Pentium II", "Intel P6 processor Family", 2, 0, 31,
	  false },
	{ "p3", "Intel Pentium III", "Intel P6 processor Family", 2, 0, 31,
	  false },
	{ "pm", "Intel Pentium M", "Intel P6 processor Family", 2, 0, 31,
	  false },
	{ "coreduo", "Intel Core Duo", "Intel architectural", 2, 0, 31, false },
	{ "k8", "AMD K8", "AMD64", 4, 0, 47, false },
	{ "fam10h", "AMD Family 10h+", "AMD64", 4, 0, 47, false },
	{ "fam15h", "AMD Core Perfctr", "AMD Core Perfctr", 6, 0, 47, false },
	{ "zen1", "AMD Core Perfctr", "AMD Core Perfctr", 6, 0, 47, false },
	{ "zen4", "AMD PerfMonV2", "AMD Core Perfctr", 6, 0, 47, false },
	{ "zen5", "AMD PerfMonV2", "AMD Core Perfctr", 6, 0, 47, false },
	{ "core2", "Intel Core 2", "Intel Core", 2, 3, 31, false },
	{ "nehalem", "Intel architectural", "Intel architectural", 4, 3, 31,
	  false },
	{ "westmere", "Intel architectural", "Intel architectural", 4, 3, 31,
	  false },
	{ "haswell", "Intel architectural", "Intel architectural", 4, 3, 47,
	  false },
	{ "skylake", "Intel architectural", "Intel architectural", 4, 3, 47,
	  false },
	{ "icelake", "Intel architectural", "Intel architectural", 8, 4, 47,
	  false },
	{ "spr", "Intel architectural", "Intel architectural", 8, 4, 47,
	  false },
	{ "emr", "Intel architectural", "Intel architectural", 8, 4, 47,
	  false },
	{ "gnr", "Intel architectural", "Intel architectural", 8, 4, 47,
	  false },
	{ "srf", "Intel architectural", "Intel architectural", 8, 3, 47,
	  false },
	/* What both kinds of its cores have. */
	{ "adl", "Intel architectural", "Intel architectural", 6, 3, 47,
	  false },
	{ "p5", "Intel P5", "Intel P5", 2, 0, 40, false },
	{ "p5mmx", "Intel P5 MMX", "Intel P5", 2, 0, 40, false },
	{ "6x86mx", "Cyrix 6x86MX/MII/III", "Cyrix MII", 2, 0, 40, false },
	{ "mii", "Cyrix 6x86MX/MII/III", "Cyrix MII", 2, 0, 40, false },
	{ "winchip", "Centaur WinChip C6", "Centaur WinChip", 2, 0, 40, true },
	{ "winchip2", "Centaur WinChip 2", "Centaur WinChip", 2, 0, 40, true },
	{ "winchip3", "Centaur WinChip 3", "Centaur WinChip", 2, 0, 40, true },
	{ "c3", "VIA C3", "VIA C3", 1, 0, 32, false },
	{ "tsc-only", "Generic x86 with TSC", "Generic x86 TSC", 0, 0, 0,
	  false },
	{ "crusoe", "Generic x86 with TSC", "Generic x86 TSC", 0, 0, 0, false },
	{ "p4m1", "Intel P4", "Intel P4", 18, 0, 40, false },
	{ "p4", "Intel P4", "Intel P4", 18, 0, 40, false },
	/* One thread of a core sees half of it. */
	{ "p4ht", "Intel P4", "Intel P4", 9, 0, 40, false },
};

const struct processor *processor_named(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(processors); i++)
		if (!strcmp(processors[i].name, name))
			return &processors[i];
	return NULL;
}

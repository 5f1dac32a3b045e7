/* SPDX-License-Identifier: GPL-2.0-only */
/* The processor whose events are counted, for tables that libpfm does not have. */
#ifndef PFMON_PROCESSOR_H
#define PFMON_PROCESSOR_H

#include <stdbool.h>

enum processor_vendor { PROCESSOR_OTHER, PROCESSOR_INTEL, PROCESSOR_AMD };

/* Family and model as CPUID displays them, extended parts included. */
struct processor {
	enum processor_vendor vendor;
	unsigned int family;
	unsigned int model;
	unsigned int stepping;
	/* The kinds of core whose events libpfm has; both of a hybrid processor. */
	bool core, atom;
};

/*
 * That of a type of libpfm (PFMLIB_*_PMU), by the user's words ("46,6,94,3", a name,
 * or NULL: this machine).
 */
struct processor processor_of(int type, const char *pmu);

#endif /* PFMON_PROCESSOR_H */

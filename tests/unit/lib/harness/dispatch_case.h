/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A dispatch written as text: the call, and the registers that it is to give.
 * For the tests of the models, which are tables of such cases.
 *
 * The program is linked with --wrap=pfmlib_current, so that a case can have a
 * processor that cannot be forced by its type alone.
 */
#ifndef DISPATCH_CASE_H
#define DISPATCH_CASE_H

#include "array_size.h"
#include "pmu/pfmlib_pmu.h"

struct dispatch_case {
	const char *behaviour;
	int type;
	/*
	 * "EVENT:MASK:MASK,c=1,f=3 EVENT,p=1": by position, c is the counter
	 * mask and f (hexadecimal) the flags of the model's input, p the event's
	 * own levels, e (hexadecimal) its own flags.
	 */
	const char *events;
	/*
	 * "plm=9 unavail=1 unavail=16": plm is 8 by default.  pebs, lat=THRESHOLD,
	 * lbr=PLM, filter=BITS: of the model's input.  version, generic, fixed,
	 * absent, model: the processor's (struct pfmlib_cpu).
	 */
	const char *with;
	/* "16=0xbbb 0=0x510203 | 17 16 18 0", or "INVAL" and the like. */
	const char *result;
};

/* The processor of the case is the current one from now on. */
const struct pfmlib_pmu *dispatch_use(int type, const char *with);

/* A cmocka test; *state is the case. */
void dispatch_case_test(void **state);

/* Runs the cases as one group; returns the number that fail. */
int dispatch_run_cases(const char *group, const struct dispatch_case *cases,
		       size_t count);

#define DISPATCH_RUN(cases) dispatch_run_cases(#cases, cases, ARRAY_SIZE(cases))

#endif /* DISPATCH_CASE_H */

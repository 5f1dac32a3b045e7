/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files that make calls share: call.c, files.c, pages.c, children.c, admin.c. */
#ifndef PFM_FUZZ_CALLS_H
#define PFM_FUZZ_CALLS_H

#include <stdio.h>

#include "fuzz.h"

/* Describes the call that is about to be made. */
#define TELL(f, ...) snprintf((f)->text, sizeof((f)->text), __VA_ARGS__)

/*
 * Judges the result @rc of a call: NULL, or that its errno is none of those
 * that the interface allows it, which end with 0. Notes the errno.
 */
const char *fuzz_answer(struct fuzzer *f, const char *call, const int *allowed,
			long rc);

#define ANSWER(f, rc, ...) \
	fuzz_answer(f, __func__, (const int[]){ __VA_ARGS__, 0 }, rc)

/* files.c */
const char *fuzz_read(struct fuzzer *f);
const char *fuzz_map(struct fuzzer *f);
const char *fuzz_control(struct fuzzer *f);
const char *fuzz_duplicate(struct fuzzer *f);
const char *fuzz_look(struct fuzzer *f);
const char *fuzz_close(struct fuzzer *f);

/* children.c */
const char *fuzz_trace(struct fuzzer *f);
const char *fuzz_fork(struct fuzzer *f);

/* pages.c */
const char *fuzz_page(struct fuzzer *f);

/* admin.c */
const char *fuzz_take_back(struct fuzzer *f);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What interrupt-mode counters are going to do during a run (probe.h), and
 * whether the log of the module says just that.
 */
#ifndef PFM_TEST_IMODE_MODEL_H
#define PFM_TEST_IMODE_MODEL_H

#include <stdint.h>

#include "probe.h"

/* A slot as the test sees it: from probe_set() through all of its runs. */
struct predicted {
	uint32_t slot;
	int first; /* first i-mode element */
	int n; /* i-mode elements */
	int period[PROBE_COUNTERS];
	uint64_t left[PROBE_COUNTERS]; /* instructions to the overflow */
	uint64_t sum; /* instructions so far */
};

/* Gives a slot its control. Returns 0 or -1 with errno. */
int predict_set(int fd, int slot, const struct probe_control *control,
		struct predicted *p);

/*
 * Compares @n records with what a run of @iterations has to cause, and goes
 * on to the state after the run. Returns NULL if all is right, else the text
 * of what is wrong, valid until the next call.
 */
const char *predict_run(struct predicted *p, unsigned long iterations,
			const struct perfctr_probe_record *records,
			unsigned int n);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What every selftest starts from: the kernel's own test harness, the perfmon
 * library, and the few words that the tests are written in.
 *
 * A test that stands for a conformance case is called Cnnn_<behaviour>.
 */
#ifndef PFM_TEST_H
#define PFM_TEST_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

/* Diagnostics belong beside the results, not on the console. */
#define TH_LOG_STREAM stdout

#include <limits.h>
#include <stdint.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include <perfmon/perfmon.h>

/*
 * The harness's, except that a comparison which failed before stays a failure.
 */
#undef SKIP
#define SKIP(statement, fmt, ...)                                         \
	do {                                                              \
		if (_metadata->exit_code != KSFT_FAIL) {                  \
			snprintf(_metadata->results->reason,              \
				 sizeof(_metadata->results->reason), fmt, \
				 ##__VA_ARGS__);                          \
			_metadata->exit_code = KSFT_SKIP;                 \
			_metadata->trigger = 0;                           \
		}                                                         \
		statement;                                                \
	} while (0)

/* The errno of a call that returns -1 when it fails; 0 when it succeeded. */
#define ERRNO(call) ((call) < 0 ? errno : 0)

/* More user instructions than a call of the library has, of either interface. */
#ifdef PFM_TEST_V281
#define CALL_COST 800
#else
#define CALL_COST 200
#endif

/* Why a test is not for the processor that it runs on. */
#define NO_NO_EMULATION \
	"there is no overflow interrupt that could be switched off"
#define NO_SELECTORS "this processor has no event selectors like the P6's"

#endif

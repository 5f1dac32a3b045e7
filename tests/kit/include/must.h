/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * For functions that return what a call has found out: whoever compares it must
 * not take an error for a large number.
 */
#ifndef PFM_TEST_MUST_H
#define PFM_TEST_MUST_H

/* Ends the process, as a failed test does, unless @rc is 0; @what failed then. */
void must(int rc, const char *what);

#endif

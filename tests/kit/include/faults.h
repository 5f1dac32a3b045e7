/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Failures that the kernel has when it is asked for them (CONFIG_FAILSLAB
 * and its relatives).
 */
#ifndef PFM_TEST_FAULTS_H
#define PFM_TEST_FAULTS_H

#include <stdbool.h>

enum fault {
	FAULT_SLAB, /* kmalloc() and its relatives */
	FAULT_COPY, /* copy_from_user() and copy_to_user() */
	FAULT_QUIET, /* memory that was asked for with __GFP_NOWARN */
	FAULTS,
};

/*
 * Lets everything fail that can. Returns -1 if this kernel cannot; faults_end()
 * has to follow, perhaps in another process.
 */
int faults_start(void);
void faults_end(void);

/* The @n-th thing from now on that this thread does and that can fail does. */
int fault_after(int n);

/* Whether it has not come to that yet; then fault_after(0) takes it back. */
bool fault_pending(void);

/*
 * What has failed since the last call. The kernel tells it in its log, but for
 * what is FAULT_QUIET.
 */
enum fault fault_seen(void);

/*
 * Whole pages, which fault_after() leaves out: all allocations of this thread
 * fail but the first @n, until pages_end(). Returns an errno or 0.
 */
int pages_fail_after(int n);
void pages_end(void);

#endif

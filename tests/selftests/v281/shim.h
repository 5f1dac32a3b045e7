/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes of a selftest one of the v2.81 interface: the compiler reads this file
 * before each source file of the programs NAME_v281. Each v3.0 call then
 * becomes what a v2.81 program would do; a test that does what v2.81 has no
 * words for is skipped, with the reason.
 *
 * What a test only looks at (PMCs, attributes other than those that a v2.81
 * read tells) is read with v3.0: what was written through one interface must be
 * seen through the other.
 */
#ifndef PFM_TEST_V281_SHIM_H
#define PFM_TEST_V281_SHIM_H

#include <stdbool.h>

#include <perfmon/perfmon.h>

int v281_create_session(int flags, ...);
int v281_write_pmrs(int fd, int flags, pfarg_pmr_t *pmrs, int n, ...);
int v281_read_pmrs(int fd, int flags, pfarg_pmr_t *pmrs, int n, ...);
int v281_attach_session(int fd, int flags, int target);
int v281_detach_session(int fd, int flags);
int v281_start_session(int fd, int flags);
int v281_stop_session(int fd, int flags);
int v281_create_sets(int fd, int flags, pfarg_setdesc_t *sets, int n);
int v281_getinfo_sets(int fd, int flags, pfarg_setinfo_t *infos, int n);

/* The test that runs, as the program's copy of the harness knows it. */
struct v281_test {
	const char *name;
	bool failed; /* a comparison, until now */
	char *reason; /* of a skip */
	int reason_size;
};

/* Set by the program (program.h). */
extern struct v281_test (*v281_running_test)(void);

#ifndef PFM_TEST_V281_SHIM_ITSELF
#define pfm_create_session v281_create_session
#define pfm_write_pmrs v281_write_pmrs
#define pfm_read_pmrs v281_read_pmrs
#define pfm_attach_session v281_attach_session
#define pfm_detach_session v281_detach_session
#define pfm_start_session v281_start_session
#define pfm_stop_session v281_stop_session
#define pfm_create_sets v281_create_sets
#define pfm_getinfo_sets v281_getinfo_sets
#endif

#endif

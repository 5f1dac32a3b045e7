/* SPDX-License-Identifier: GPL-2.0-only */
/* Sessions with the sampling format "precise", and their buffers. */
#ifndef PFM_TEST_PRECISE_FORMAT_H
#define PFM_TEST_PRECISE_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include <perfmon/perfmon.h>
#include <perfmon/perfmon_precise_smpl.h>

/* A session and its buffer. */
struct precise {
	int fd;
	uint64_t size;
	const struct pfm_precise_smpl_hdr *hdr;
};

/*
 * Creates a session with a buffer of this kind and with @flags beside the format's.
 * Returns the descriptor or -1.
 */
int precise_create(int flags, const struct pfm_precise_smpl_arg *arg);

/* Creates a session and maps its buffer. Returns 0 or -1. */
int precise_open(struct precise *p, int flags,
		 const struct pfm_precise_smpl_arg *arg);
void precise_close(struct precise *p);

/* The entry after @entry, or the first after NULL; NULL at the end. */
const struct pfm_precise_smpl_entry *
precise_next(const struct precise *p,
	     const struct pfm_precise_smpl_entry *entry);

/* What follows the addresses of an entry. */
const void *precise_after_ips(const struct pfm_precise_smpl_entry *entry);

/* Overflows and records of a session for which there was no room. */
uint64_t precise_lost(int fd);

/* Records of branches, see instruction_track.h for their PMC. */

/* Branches that the processor keeps; 0: perfmon can record none. */
unsigned int branches_depth(void);

/* Whether calls and returns are recorded only together with jumps. */
bool branches_have_erratum(void);

/*
 * A session with a buffer for samples with branches, in which counter 0 overflows after
 * each @period instructions of the user, or of all levels without LBR_NO_KERNEL in
 * @select, the value of PMC 30. Returns 0 or -1.
 */
int branches_open(struct precise *p, int flags, uint64_t select,
		  uint64_t period);

/* The same without the buffer's creation, for one that exists. */
int branches_program(int fd, uint64_t select, uint64_t period);

/* The branches of an entry, newest first; *@nr is 0 if it has none. */
const struct pfm_precise_smpl_branch *
branches_of(const struct pfm_precise_smpl_entry *entry, unsigned int *nr);

/* Whether a branch comes from the kernel or goes there. */
bool branch_is_kernel(const struct pfm_precise_smpl_branch *branch);

/* Whether a branch comes from the track or goes there. */
bool branch_is_of_track(const struct pfm_precise_smpl_branch *branch);

#endif

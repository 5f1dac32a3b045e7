/* SPDX-License-Identifier: GPL-2.0-only */
/* Sessions with the sampling format "precise", and their buffers. */
#ifndef PFM_TEST_PRECISE_FORMAT_H
#define PFM_TEST_PRECISE_FORMAT_H

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

#endif

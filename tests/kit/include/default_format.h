/* SPDX-License-Identifier: GPL-2.0-only */
/* Sessions with the sampling format "default", and their buffers. */
#ifndef PFM_TEST_DEFAULT_FORMAT_H
#define PFM_TEST_DEFAULT_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#include <perfmon/perfmon.h>
#include <perfmon/perfmon_dfl_smpl.h>

struct sampler {
	int fd;
	size_t size;
	const struct pfm_dfl_smpl_hdr *hdr;
};

/*
 * Creates a session with a buffer of @size bytes; @flags are added to those of
 * its creation. Returns the descriptor or -1.
 */
int dfl_create(int flags, uint64_t size);

/* The number of PMDs that a session may use: what a largest entry holds. */
unsigned int dfl_pmds(void);

/* The size of the buffer that is full after @n entries without values. */
uint64_t dfl_size(unsigned int n);

/* Creates a session and maps its buffer. Returns 0 or -1. */
int sampler_open(struct sampler *sampler, int flags, uint64_t size);
void sampler_close(struct sampler *sampler);

/*
 * The entry after @entry, or the first after NULL, if each has @values; NULL
 * at the end.
 */
const struct pfm_dfl_smpl_entry *
sampler_next(const struct sampler *sampler,
	     const struct pfm_dfl_smpl_entry *entry, unsigned int values);

/* Value @i of an entry. */
uint64_t sampler_value(const struct pfm_dfl_smpl_entry *entry, unsigned int i);

#endif

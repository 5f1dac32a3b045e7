/* SPDX-License-Identifier: GPL-2.0-only */
/* Sessions with the sampling format "stacks", and their buffers. */
#ifndef PFM_TEST_STACKS_FORMAT_H
#define PFM_TEST_STACKS_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include <perfmon/perfmon.h>
#include <perfmon/perfmon_stacks_smpl.h>

struct stacker {
	int fd;
	uint64_t size;
	const struct pfm_stacks_smpl_hdr *hdr;
};

/* A session with this argument, or -1. */
int stacks_create(const struct pfm_stacks_smpl_arg *arg);

/*
 * The size of the buffer that is full after @n entries without values and with
 * @frames addresses each, if @max is what they can have.
 */
uint64_t stacks_size(unsigned int n, unsigned int frames, unsigned int max);

/* Creates a session, @flags among its own, and maps its buffer. They return 0 or -1. */
int stacker_open(struct stacker *stacker, uint64_t size, unsigned int max);
int stacker_open_flags(struct stacker *stacker, int flags,
		       const struct pfm_stacks_smpl_arg *arg);
int stacker_open_arg(struct stacker *stacker,
		     const struct pfm_stacks_smpl_arg *arg);
void stacker_close(struct stacker *stacker);

/* The entry after @entry, or the first after NULL; NULL at the end. */
const struct pfm_stacks_smpl_entry *
stacker_next(const struct stacker *stacker,
	     const struct pfm_stacks_smpl_entry *entry);

/* Is it an address of the kernel? */
bool stacks_of_kernel(uint64_t address);

/* The addresses of an entry, and then its values. */
const uint64_t *stacker_ips(const struct pfm_stacks_smpl_entry *entry);
const uint64_t *stacker_values(const struct pfm_stacks_smpl_entry *entry);

#endif

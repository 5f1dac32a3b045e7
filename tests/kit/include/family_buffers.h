/* SPDX-License-Identifier: GPL-2.0-only */
/* A family that samples: the buffers of its session, a CPU each, and their reader. */
#ifndef PFM_TEST_FAMILY_BUFFERS_H
#define PFM_TEST_FAMILY_BUFFERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <perfmon/perfmon.h>
#include <perfmon/perfmon_dfl_smpl.h>

/* The buffers of a session, and what was found in them. */
struct samples {
	int fd;
	bool waits; /* PFM_FL_NOTIFY_BLOCK */
	unsigned int cpus;
	size_t stride;
	char *first;
	volatile uint64_t *released;
	uint64_t seen;
	uint64_t seen_of[64]; /* by PMD */
	uint64_t moved; /* of them: in the buffer of another CPU */
	uint32_t tids[64];
	unsigned int nr_tids;
	/* Takes an entry, and returns its size. */
	size_t (*take)(struct samples *s, unsigned int cpu, const void *entry);
	/* Of the format "stacks": entries whose addresses are not what they have to be, */
	uint64_t wrong;
	/* and those that have one of the kernel, and tell that there were more. */
	uint64_t gone;
};

/* Bytes of a buffer with two halves of so many entries without values. */
uint64_t family_buffer_size(unsigned int entries);

/* Creates a session of a family with the format "default", mode PFM_DFL_SMPL_*. */
int family_create(int flags, uint64_t size, uint32_t mode);

/* mmap(), or NULL. */
void *family_map(int fd, size_t size, int prot, int flags, off_t offset);

/*
 * A session, created with @flags too, that samples every @period user instructions of
 * each member, with halves of so many entries mapped; false: none.
 */
bool samples_open(struct samples *s, int flags, unsigned int entries,
		  uint64_t period);

/*
 * The same with the format "stacks", of all that members execute, in the kernel as well;
 * halves have so many bytes.
 */
bool samples_open_stacks(struct samples *s, int flags, uint64_t half,
			 uint64_t period);

/* The same with the format "precise", which has no PMD yet; take has to be set. */
bool samples_open_precise(struct samples *s, uint64_t half);
void samples_close(struct samples *s);

/* Are both halves of a CPU's buffer full? */
bool samples_have_no_room(const struct samples *s);

/* Takes the halves that are full, gives them back, and wakes who waits for that. */
void samples_take_full(struct samples *s);

/* The session is detached: takes all that there is. */
void samples_take_all(struct samples *s);

/*
 * Waits for the end of the family; takes halves that are full meanwhile if @reads.
 * Returns 0 or an errno.
 */
int samples_until_end(struct samples *s, bool reads);

/* What was counted and belongs to no sample; the target began at -@period. */
uint64_t family_left_over(int fd, uint64_t period);

/* All members there have been: each has less than a period left over. */
uint64_t family_members(int fd);

/* What a crowd counts that nobody samples; 0: it cannot be counted. */
uint64_t family_counted(const char *const *words);

#endif

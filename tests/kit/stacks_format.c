// SPDX-License-Identifier: GPL-2.0-only
/* The sampling format "stacks" as a program sees it. */
#include "stacks_format.h"

#include <sys/mman.h>
#include <unistd.h>

#include "default_format.h"
#include "machine.h"

static int create(int flags, const struct pfm_stacks_smpl_arg *arg)
{
	struct pfm_stacks_smpl_arg copy = *arg;

	return pfm_create_session(PFM_FL_SMPL_FMT | flags, PFM_STACKS_SMPL_NAME,
				  &copy, sizeof(copy));
}

int stacks_create(const struct pfm_stacks_smpl_arg *arg)
{
	return create(0, arg);
}

uint64_t stacks_size(unsigned int n, unsigned int frames, unsigned int max)
{
	const uint64_t entry = sizeof(struct pfm_stacks_smpl_entry);

	return sizeof(struct pfm_stacks_smpl_hdr) +
	       (n - 1) * (entry + frames * sizeof(uint64_t)) + entry +
	       (max + dfl_pmds()) * sizeof(uint64_t);
}

int stacker_open_flags(struct stacker *stacker, int flags,
		       const struct pfm_stacks_smpl_arg *arg)
{
	stacker->size = arg->buf_size;
	stacker->fd = create(flags, arg);
	if (stacker->fd < 0)
		return -1;
	stacker->hdr = mmap(NULL, stacker->size, PROT_READ, MAP_PRIVATE,
			    stacker->fd, 0);
	return stacker->hdr == MAP_FAILED ? -1 : 0;
}

int stacker_open_arg(struct stacker *stacker,
		     const struct pfm_stacks_smpl_arg *arg)
{
	return stacker_open_flags(stacker, 0, arg);
}

int stacker_open(struct stacker *stacker, uint64_t size, unsigned int max)
{
	const struct pfm_stacks_smpl_arg arg = { .buf_size = size,
						 .max_frames = max };

	return stacker_open_arg(stacker, &arg);
}

void stacker_close(struct stacker *stacker)
{
	munmap((void *)stacker->hdr, stacker->size);
	close(stacker->fd);
}

bool stacks_of_kernel(uint64_t address)
{
	if (sizeof(long) == 4 && !compat_process())
		return address >= 0xc0000000;
	return address >= 1ULL << 63;
}

const struct pfm_stacks_smpl_entry *
stacker_next(const struct stacker *stacker,
	     const struct pfm_stacks_smpl_entry *entry)
{
	const char *begin = (const char *)stacker->hdr;
	const char *next = begin + sizeof(*stacker->hdr);

	if (entry)
		next = (const char *)entry + entry->size;
	if (next >= begin + stacker->hdr->hdr_cur_offs)
		return NULL;
	return (const struct pfm_stacks_smpl_entry *)next;
}

const uint64_t *stacker_ips(const struct pfm_stacks_smpl_entry *entry)
{
	return (const uint64_t *)(entry + 1);
}

const uint64_t *stacker_values(const struct pfm_stacks_smpl_entry *entry)
{
	return stacker_ips(entry) + entry->nr;
}

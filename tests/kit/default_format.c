// SPDX-License-Identifier: GPL-2.0-only
/* The sampling format "default" as a program sees it. */
#include "default_format.h"

#include <sys/mman.h>
#include <unistd.h>

int dfl_create(int flags, uint64_t size)
{
	struct pfm_dfl_smpl_arg arg = { .buf_size = size };

	return pfm_create_session(flags | PFM_FL_SMPL_FMT, PFM_DFL_SMPL_NAME,
				  &arg, sizeof(arg));
}

unsigned int dfl_pmds(void)
{
	struct pfarg_setinfo info = { .set_id = 0 };
	int fd = pfm_create_session(0);
	unsigned int i, n = 0;

	if (!pfm_getinfo_sets(fd, 0, &info, 1))
		for (i = 0; i < PFM_PMD_BV; i++)
			n += __builtin_popcountll(info.set_avail_pmds[i]);
	close(fd);
	return n;
}

uint64_t dfl_size(unsigned int n)
{
	return sizeof(struct pfm_dfl_smpl_hdr) +
	       n * sizeof(struct pfm_dfl_smpl_entry) +
	       dfl_pmds() * sizeof(uint64_t);
}

int sampler_open(struct sampler *sampler, int flags, uint64_t size)
{
	sampler->size = size;
	sampler->fd = dfl_create(flags, size);
	if (sampler->fd < 0)
		return -1;
	sampler->hdr = mmap(NULL, sampler->size, PROT_READ, MAP_PRIVATE,
			    sampler->fd, 0);
	return sampler->hdr == MAP_FAILED ? -1 : 0;
}

void sampler_close(struct sampler *sampler)
{
	munmap((void *)sampler->hdr, sampler->size);
	close(sampler->fd);
}

const struct pfm_dfl_smpl_entry *
sampler_next(const struct sampler *sampler,
	     const struct pfm_dfl_smpl_entry *entry, unsigned int values)
{
	const char *begin = (const char *)sampler->hdr;
	const char *next = begin + sizeof(*sampler->hdr);

	if (entry)
		next = (const char *)(entry + 1) + values * sizeof(uint64_t);
	if (next >= begin + sampler->hdr->hdr_cur_offs)
		return NULL;
	return (const struct pfm_dfl_smpl_entry *)next;
}

uint64_t sampler_value(const struct pfm_dfl_smpl_entry *entry, unsigned int i)
{
	return ((const uint64_t *)(entry + 1))[i];
}

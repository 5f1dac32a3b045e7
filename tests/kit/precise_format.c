// SPDX-License-Identifier: GPL-2.0-only
/* The sampling format "precise" as a program sees it. */
#include "precise_format.h"

#include <sys/mman.h>
#include <unistd.h>

int precise_create(int flags, const struct pfm_precise_smpl_arg *arg)
{
	struct pfm_precise_smpl_arg copy = *arg;

	return pfm_create_session(PFM_FL_SMPL_FMT | flags,
				  PFM_PRECISE_SMPL_NAME, &copy, sizeof(copy));
}

int precise_open(struct precise *p, int flags,
		 const struct pfm_precise_smpl_arg *arg)
{
	p->size = arg->buf_size;
	p->fd = precise_create(flags, arg);
	if (p->fd < 0)
		return -1;
	p->hdr = mmap(NULL, p->size, PROT_READ, MAP_PRIVATE, p->fd, 0);
	return p->hdr == MAP_FAILED ? -1 : 0;
}

void precise_close(struct precise *p)
{
	munmap((void *)p->hdr, p->size);
	close(p->fd);
}

const struct pfm_precise_smpl_entry *
precise_next(const struct precise *p,
	     const struct pfm_precise_smpl_entry *entry)
{
	const char *begin = (const char *)p->hdr;
	const char *next = begin + sizeof(*p->hdr);

	if (entry)
		next = (const char *)entry + entry->size;
	if (next >= begin + p->hdr->hdr_cur_offs)
		return NULL;
	return (const struct pfm_precise_smpl_entry *)next;
}

const void *precise_after_ips(const struct pfm_precise_smpl_entry *entry)
{
	return (const uint64_t *)(entry + 1) + entry->nr;
}

uint64_t precise_lost(int fd)
{
	struct pfarg_setinfo info = { .set_id = 0 };

	if (pfm_getinfo_sets(fd, PFM_GIFL_LOSS, &info, 1))
		return ~0ULL;
	return info.set_reserved3[PFM_LOSS_OVERFLOWS];
}

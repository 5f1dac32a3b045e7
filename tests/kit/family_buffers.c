// SPDX-License-Identifier: GPL-2.0-only
#include "family_buffers.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <perfmon/perfmon_precise_smpl.h>

#include "array_size.h"
#include "child.h"
#include "default_format.h"
#include "family.h"
#include "message.h"
#include "must.h"
#include "overflow_period.h"
#include "pmrs.h"
#include "pmu.h"
#include "stacks_format.h"

#define MAX_CPUS 64

uint64_t family_buffer_size(unsigned int entries)
{
	return sizeof(struct pfm_dfl_smpl_hdr) +
	       2 * (dfl_size(entries) - sizeof(struct pfm_dfl_smpl_hdr));
}

int family_create(int flags, uint64_t size, uint32_t mode)
{
	struct pfm_dfl_smpl_arg arg = { .buf_size = size, .buf_mode = mode };

	return pfm_create_session(flags | PFM_FL_INHERIT | PFM_FL_SMPL_FMT,
				  PFM_DFL_SMPL_NAME, &arg, sizeof(arg));
}

void *family_map(int fd, size_t size, int prot, int flags, off_t offset)
{
	void *at = mmap(NULL, size, prot, flags, fd, offset);

	return at == MAP_FAILED ? NULL : at;
}

static void note_tid(struct samples *s, uint32_t tid)
{
	unsigned int i;

	for (i = 0; i < s->nr_tids; i++)
		if (s->tids[i] == tid)
			return;
	if (s->nr_tids < ARRAY_SIZE(s->tids))
		s->tids[s->nr_tids++] = tid;
}

static size_t take_default(struct samples *s, unsigned int cpu, const void *at)
{
	const struct pfm_dfl_smpl_entry *entry = at;

	s->moved += entry->cpu != cpu;
	note_tid(s, entry->pid);
	s->seen_of[entry->ovfl_pmd % ARRAY_SIZE(s->seen_of)]++;
	s->seen++;
	return sizeof(*entry);
}

static size_t take_stack(struct samples *s, unsigned int cpu, const void *at)
{
	const struct pfm_stacks_smpl_entry *entry = at;
	bool in_kernel = stacks_of_kernel(entry->ip);

	s->moved += entry->cpu != cpu;
	s->wrong += !entry->nr || stacker_ips(entry)[0] != entry->ip ||
		    in_kernel != (entry->nr_kernel > 0);
	s->gone += entry->nr_kernel == 1 &&
		   entry->flags & PFM_STACKS_SMPL_KERNEL_CUT;
	s->seen++;
	return entry->size;
}

/* Of the session that @fd is, with buffers of so many bytes. */
static bool samples_map(struct samples *s, int fd, int flags, uint64_t size)
{
	long page = sysconf(_SC_PAGESIZE);

	s->fd = fd;
	s->waits = flags & PFM_FL_NOTIFY_BLOCK;
	s->cpus = sysconf(_SC_NPROCESSORS_CONF);
	s->stride = (size + page - 1) / page * page;
	if (fd < 0 || s->cpus > MAX_CPUS)
		return false;
	s->first = family_map(s->fd, s->cpus * s->stride, PROT_READ, MAP_SHARED,
			      0);
	s->released = family_map(s->fd, page, PROT_READ | PROT_WRITE,
				 MAP_SHARED, PFM_MMAP_RELEASED);
	return s->first && s->released;
}

bool samples_open(struct samples *s, int flags, unsigned int entries,
		  uint64_t period)
{
	uint64_t size = family_buffer_size(entries);

	*s = (struct samples){ .take = take_default };
	return samples_map(s, family_create(flags, size, PFM_DFL_SMPL_HALVES),
			   flags, size) &&
	       !period_program(s->fd, pmu_first(), PFM_REGFL_OVFL_NOTIFY,
			       period, NULL);
}

bool samples_open_stacks(struct samples *s, int flags, uint64_t half,
			 uint64_t period)
{
	const struct pfarg_pmd_attr attr = { .reg_long_reset = -period,
					     .reg_short_reset = -period };
	struct pfm_stacks_smpl_arg arg = {
		.buf_size = sizeof(struct pfm_stacks_smpl_hdr) + 2 * half,
		.buf_flags = PFM_STACKS_SMPL_HALVES,
		.max_frames = 16,
	};
	int fd = pfm_create_session(flags | PFM_FL_INHERIT | PFM_FL_SMPL_FMT,
				    PFM_STACKS_SMPL_NAME, &arg, sizeof(arg));

	*s = (struct samples){ .take = take_stack };
	return samples_map(s, fd, flags, arg.buf_size) &&
	       !pmu_program(fd, pmu_first(), pmu_first()->kernel, 0) &&
	       !write_pmd_attr(fd, pmu_first()->pmd, PFM_REGFL_OVFL_NOTIFY,
			       -period, &attr);
}

bool samples_open_precise(struct samples *s, uint64_t half)
{
	struct pfm_precise_smpl_arg arg = {
		.buf_size = sizeof(struct pfm_precise_smpl_hdr) + 2 * half,
		.buf_flags = PFM_PRECISE_SMPL_HALVES,
	};
	int fd = pfm_create_session(PFM_FL_INHERIT | PFM_FL_SMPL_FMT,
				    PFM_PRECISE_SMPL_NAME, &arg, sizeof(arg));

	*s = (struct samples){ 0 };
	return samples_map(s, fd, 0, arg.buf_size);
}

void samples_close(struct samples *s)
{
	munmap(s->first, s->cpus * s->stride);
	munmap((void *)s->released, sysconf(_SC_PAGESIZE));
	close(s->fd);
}

/* That of the format "stacks" has the same fields in the same places. */
static const struct pfm_dfl_smpl_hdr *header(const struct samples *s,
					     unsigned int cpu)
{
	return (const void *)(s->first + cpu * s->stride);
}

/* Takes the entries of half @n of a CPU up to an offset. */
static void take_half(struct samples *s, unsigned int cpu, uint64_t n,
		      uint64_t end)
{
	const struct pfm_dfl_smpl_hdr *hdr = header(s, cpu);
	uint64_t at = sizeof(*hdr) + n % 2 * hdr->hdr_half_size;

	while (at < end)
		at += s->take(s, cpu, (const char *)hdr + at);
	/* One that has waited is in the buffer where its thread has gone on. */
	must(s->waits || !s->moved ? 0 : -1, "CPU of a sample");
}

/* Halves that the kernel has filled since the session began. */
static uint64_t halves_filled(const struct samples *s, unsigned int cpu)
{
	return *(volatile const uint64_t *)&header(s, cpu)->hdr_overflows;
}

bool samples_have_no_room(const struct samples *s)
{
	unsigned int cpu;

	for (cpu = 0; cpu < s->cpus; cpu++)
		if (halves_filled(s, cpu) - s->released[cpu] == 2)
			return true;
	return false;
}

void samples_take_full(struct samples *s)
{
	unsigned int cpu;
	uint64_t n, filled;

	for (cpu = 0; cpu < s->cpus; cpu++) {
		filled = halves_filled(s, cpu);
		for (n = s->released[cpu]; n < filled; n++)
			take_half(s, cpu, n,
				  header(s, cpu)->hdr_full_offs[n % 2]);
		s->released[cpu] = filled;
	}
	/* It may have ended meanwhile. */
	if (s->waits)
		period_restart(s->fd);
}

void samples_take_all(struct samples *s)
{
	const struct pfm_dfl_smpl_hdr *hdr;
	unsigned int cpu;

	samples_take_full(s);
	for (cpu = 0; cpu < s->cpus; cpu++) {
		hdr = header(s, cpu);
		if (hdr->hdr_overflows - hdr->hdr_released < 2)
			take_half(s, cpu, hdr->hdr_overflows,
				  hdr->hdr_cur_offs);
	}
}

int samples_until_end(struct samples *s, bool reads)
{
	union pfarg_msg msg = { 0 };
	int error = 0;

	while (!error && msg.type != PFM_MSG_END) {
		error = message_wait(s->fd, &msg);
		if (!error && reads)
			samples_take_full(s);
	}
	return error;
}

uint64_t family_left_over(int fd, uint64_t period)
{
	return family_value(fd) + period;
}

uint64_t family_members(int fd)
{
	return 1 + family_loss(fd, PFM_LOSS_PARTS);
}

uint64_t family_counted(const char *const *words)
{
	int fd = family_session(0);
	union pfarg_msg msg;
	uint64_t value;

	if (fd < 0 || child_wait(family_start(fd, words)) ||
	    message_wait(fd, &msg))
		return 0;
	value = family_value(fd);
	close(fd);
	return value;
}

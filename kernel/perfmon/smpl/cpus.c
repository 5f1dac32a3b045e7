// SPDX-License-Identifier: GPL-2.0-only
/*
 * Buffers of a family: one for each CPU, which the members that run there fill.
 *
 * The format of such a session is a stand-in whose handler finds the buffer of the
 * CPU and calls the handler of the format that the user has named.  Interrupts are
 * off, so no two members use a buffer at once, and no lock is needed.
 *
 * There are no restarts, which would have to name a CPU and interrupt it: programs
 * write into a page how much they have read, and the format is told of it when it
 * has no room left.
 */
#include <asm/barrier.h>
#include <linux/compiler.h>
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <uapi/linux/perfmon.h>

#include "../family/family.h"
#include "smpl.h"

/**
 * struct perfmon_cpu_buffers - what the handler of a family finds its buffer by
 * @fmt: format that the user has named
 * @first: buffer of CPU 0
 * @stride: bytes from the buffer of one CPU to that of the next, whole pages
 * @ready: number of CPUs whose buffer the format has prepared
 * @released: by CPU: what programs have given back; written by them
 * @page: memory of @released
 */
struct perfmon_cpu_buffers {
	struct pfm_smpl_fmt *fmt;
	void *first;
	size_t stride;
	unsigned int ready;
	const u64 *released;
	struct perfmon_buffer *page;
};

static void *cpus_buffer(const struct perfmon_cpu_buffers *bufs,
			 unsigned int cpu)
{
	return bufs->first + cpu * bufs->stride;
}

static int cpus_record(const struct perfmon_cpu_buffers *bufs,
		       const struct pfm_ovfl_arg *ovfl, u32 *ctrl)
{
	unsigned int cpu = smp_processor_id();
	void *buf = cpus_buffer(bufs, cpu);
	const struct pfm_smpl_fmt *fmt = bufs->fmt;
	int stop = fmt->handler(buf, ovfl, ctrl);

	if (likely(!(*ctrl & PFM_OVFL_CTRL_FULL)) || !fmt->release ||
	    !fmt->release(buf, READ_ONCE(bufs->released[cpu])))
		return stop;
	/* What the program has read before is overwritten after. */
	smp_mb();
	*ctrl = 0;
	return fmt->handler(buf, ovfl, ctrl);
}

/* Context: the overflow interrupt of a member. */
static int cpus_handler(void *bufs, const struct pfm_ovfl_arg *ovfl, u32 *ctrl)
{
	int stop = cpus_record(bufs, ovfl, ctrl);

	*ctrl &= ~(PFM_OVFL_CTRL_MASK | PFM_OVFL_CTRL_SWITCH);
	return stop;
}

/* The same for a record of the hardware. */
static int cpus_store(const struct perfmon_cpu_buffers *bufs,
		      const struct pfm_ovfl_arg *ovfl,
		      const struct pfm_hw_record *hw, u32 *ctrl)
{
	unsigned int cpu = smp_processor_id();
	void *buf = cpus_buffer(bufs, cpu);
	const struct pfm_smpl_fmt *fmt = bufs->fmt;
	int stop = fmt->record(buf, ovfl, hw, ctrl);

	if (likely(!(*ctrl & PFM_OVFL_CTRL_FULL)) || !fmt->release ||
	    !fmt->release(buf, READ_ONCE(bufs->released[cpu])))
		return stop;
	/* What the program has read before is overwritten after. */
	smp_mb();
	*ctrl = 0;
	return fmt->record(buf, ovfl, hw, ctrl);
}

static int cpus_hw_record(void *bufs, const struct pfm_ovfl_arg *ovfl,
			  const struct pfm_hw_record *hw, u32 *ctrl)
{
	int stop = cpus_store(bufs, ovfl, hw, ctrl);

	*ctrl &= ~(PFM_OVFL_CTRL_MASK | PFM_OVFL_CTRL_SWITCH);
	return stop;
}

static u32 cpus_room(const void *data)
{
	const struct perfmon_cpu_buffers *bufs = data;

	return bufs->fmt->room(cpus_buffer(bufs, smp_processor_id()));
}

/* All have the same. */
static u32 cpus_blocks(const void *data)
{
	const struct perfmon_cpu_buffers *bufs = data;

	return bufs->fmt->blocks ? bufs->fmt->blocks(bufs->first) : 0;
}

static struct pfm_smpl_fmt cpus_format = {
	.handler = cpus_handler,
};

/* In the place of a format that wants the calls in the kernel. */
static struct pfm_smpl_fmt cpus_stack_format = {
	.flags = PFM_FMTFL_STACK,
	.handler = cpus_handler,
};

/* In the place of a format that takes records. */
static struct pfm_smpl_fmt cpus_record_format = {
	.flags = PFM_FMTFL_STACK,
	.handler = cpus_handler,
	.record = cpus_hw_record,
	.room = cpus_room,
	.blocks = cpus_blocks,
};

static struct pfm_smpl_fmt *cpus_stand_in(const struct pfm_smpl_fmt *fmt)
{
	if (fmt->record)
		return &cpus_record_format;
	return fmt->flags & PFM_FMTFL_STACK ? &cpus_stack_format : &cpus_format;
}

static int cpus_getsize(const struct perfmon_session *s,
			const struct pfm_smpl_fmt *fmt, const void *arg,
			struct perfmon_cpu_buffers *bufs, size_t *total)
{
	size_t size = 0;
	int err;

	if (!(fmt->flags & PFM_FMTFL_CPUS) || !fmt->getsize)
		return -EINVAL;
	err = fmt->getsize(s->flags, arg, &size);
	if (err)
		return err;
	/* Offsets from there on mean other things. */
	if (!size || size > PFM_MMAP_STATE ||
	    check_mul_overflow(PAGE_ALIGN(size), (size_t)nr_cpu_ids, total) ||
	    *total > PFM_MMAP_STATE)
		return -EINVAL;
	bufs->stride = PAGE_ALIGN(size);
	return 0;
}

static int cpus_alloc(struct perfmon_session *s,
		      struct perfmon_cpu_buffers *bufs, size_t total)
{
	s->buf = perfmon_buffer_alloc(&s->account, total);
	if (!s->buf)
		return -ENOMEM;
	bufs->first = perfmon_buffer_addr(s->buf);
	bufs->page = perfmon_buffer_alloc(&s->account,
					  nr_cpu_ids * sizeof(*bufs->released));
	if (!bufs->page)
		return -ENOMEM;
	bufs->released = perfmon_buffer_addr(bufs->page);
	return 0;
}

static int cpus_init(const struct perfmon_session *s,
		     struct perfmon_cpu_buffers *bufs, unsigned int nr_pmds,
		     const void *arg)
{
	const struct pfm_smpl_fmt *fmt = bufs->fmt;
	int err = 0;

	while (!err && bufs->ready < nr_cpu_ids) {
		if (fmt->init)
			err = fmt->init(cpus_buffer(bufs, bufs->ready),
					s->flags, nr_pmds, arg);
		bufs->ready += !err;
	}
	return err;
}

/**
 * perfmon_cpus_start - make the buffers of a family
 * @s: session with a family; its fmt, which the user has named, is replaced
 * @nr_pmds: PMDs that it may use
 * @arg: kernel copy of the argument of the format, which has accepted it
 *
 * Return: 0; -EINVAL: the format cannot do this, or the buffers are too large;
 * -ENOMEM: no memory, or over a limit; an error of the format.  perfmon_fmt_stop()
 * undoes what was done in any case.
 */
int perfmon_cpus_start(struct perfmon_session *s, unsigned int nr_pmds,
		       const void *arg)
{
	struct perfmon_cpu_buffers *bufs;
	size_t total;
	int err;

	bufs = kzalloc(sizeof(*bufs), GFP_KERNEL_ACCOUNT);
	if (!bufs)
		return -ENOMEM;
	err = cpus_getsize(s, s->fmt, arg, bufs, &total);
	if (err) {
		kfree(bufs);
		return err;
	}
	bufs->fmt = s->fmt;
	s->family->buffers = bufs;
	err = cpus_alloc(s, bufs, total);
	if (!err)
		err = cpus_init(s, bufs, nr_pmds, arg);
	s->fmt = cpus_stand_in(bufs->fmt);
	s->buf_addr = bufs;
	return err;
}

/**
 * perfmon_cpus_stop - undo perfmon_cpus_start()
 * @s: session; all parts are gone
 *
 * Return: the format that the user has named.
 */
struct pfm_smpl_fmt *perfmon_cpus_stop(struct perfmon_session *s)
{
	struct perfmon_cpu_buffers *bufs = s->family->buffers;
	struct pfm_smpl_fmt *fmt = bufs->fmt;

	while (fmt->exit && bufs->ready)
		fmt->exit(cpus_buffer(bufs, --bufs->ready));
	if (s->buf)
		perfmon_buffer_put(s->buf);
	if (bufs->page)
		perfmon_buffer_put(bufs->page);
	kfree(bufs);
	return fmt;
}

/**
 * perfmon_cpus_mmap - map the page in which programs give back what they have read
 * @s: session
 * @vma: shared, from PFM_MMAP_RELEASED on
 *
 * Return: 0, or -EINVAL: it has none, or the mapping is private or longer.
 */
int perfmon_cpus_mmap(struct perfmon_session *s, struct vm_area_struct *vma)
{
	struct perfmon_family *family = perfmon_family(s);

	if (!family || !family->buffers)
		return -EINVAL;
	return perfmon_buffer_mmap(family->buffers->page, vma, 0, true);
}

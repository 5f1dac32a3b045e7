// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sampling buffers: memory that the kernel fills and programs map read-only.
 *
 * A buffer lives as long as its session or a mapping of it, whichever ends
 * last.  Its size counts towards the limit of the machine and is pinned memory
 * of the process that created the session, whoever frees it.
 */
#include <linux/atomic.h>
#include <linux/capability.h>
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/refcount.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "perfmon.h"

/**
 * struct pfm_buffer - a sampling buffer
 * @ref: one for the session, one for each mapping
 * @addr: where the kernel sees it
 * @size: whole pages, in bytes
 * @mm: its pinned_vm is charged
 */
struct pfm_buffer {
	refcount_t ref;
	void *addr;
	size_t size;
	struct mm_struct *mm;
};

size_t perfmon_buffer_mem_max = SIZE_MAX;
static atomic_long_t buffer_mem = ATOMIC_LONG_INIT(0);

size_t perfmon_buffer_mem_cur(void)
{
	return atomic_long_read(&buffer_mem);
}

static bool charge_machine(size_t size)
{
	size_t old = atomic_long_read(&buffer_mem), sum;

	do {
		if (check_add_overflow(old, size, &sum) ||
		    sum > READ_ONCE(perfmon_buffer_mem_max))
			return false;
	} while (!atomic_long_try_cmpxchg(&buffer_mem, (long *)&old, sum));
	return true;
}

static bool charge_owner(struct mm_struct *mm, size_t size)
{
	unsigned long limit = rlimit(RLIMIT_MEMLOCK) >> PAGE_SHIFT;
	unsigned long pages = size >> PAGE_SHIFT;
	unsigned long pinned = atomic64_add_return(pages, &mm->pinned_vm);

	if (pinned + READ_ONCE(mm->locked_vm) <= limit ||
	    capable(CAP_IPC_LOCK))
		return true;
	atomic64_sub(pages, &mm->pinned_vm);
	return false;
}

static void uncharge(struct mm_struct *mm, size_t size)
{
	atomic64_sub(size >> PAGE_SHIFT, &mm->pinned_vm);
	atomic_long_sub(size, &buffer_mem);
}

static bool charge(struct mm_struct *mm, size_t size)
{
	if (!charge_machine(size))
		return false;
	if (charge_owner(mm, size))
		return true;
	atomic_long_sub(size, &buffer_mem);
	return false;
}

/**
 * perfmon_buffer_alloc - make a zeroed buffer, charged to the caller
 * @size: bytes, more than 0
 *
 * Context: may sleep.
 * Return: the buffer, or NULL: over a limit or out of memory.
 */
struct pfm_buffer *perfmon_buffer_alloc(size_t size)
{
	struct pfm_buffer *buf;

	if (!size || size > SIZE_MAX - PAGE_SIZE)
		return NULL;
	size = PAGE_ALIGN(size);
	if (!charge(current->mm, size))
		return NULL;
	buf = kzalloc(sizeof(*buf), GFP_KERNEL_ACCOUNT);
	if (buf)
		buf->addr = vmalloc_user(size);
	if (!buf || !buf->addr) {
		uncharge(current->mm, size);
		kfree(buf);
		return NULL;
	}
	refcount_set(&buf->ref, 1);
	buf->size = size;
	buf->mm = current->mm;
	mmgrab(buf->mm);
	return buf;
}

/** perfmon_buffer_put - drop a reference; may sleep */
void perfmon_buffer_put(struct pfm_buffer *buf)
{
	if (!refcount_dec_and_test(&buf->ref))
		return;
	uncharge(buf->mm, buf->size);
	mmdrop(buf->mm);
	vfree(buf->addr);
	kfree(buf);
}

void *perfmon_buffer_addr(struct pfm_buffer *buf)
{
	return buf->addr;
}

static void buffer_vm_open(struct vm_area_struct *vma)
{
	struct pfm_buffer *buf = vma->vm_private_data;

	refcount_inc(&buf->ref);
}

static void buffer_vm_close(struct vm_area_struct *vma)
{
	perfmon_buffer_put(vma->vm_private_data);
}

static const struct vm_operations_struct buffer_vm_ops = {
	.open = buffer_vm_open,
	.close = buffer_vm_close,
};

/**
 * perfmon_buffer_mmap - map a buffer into the caller
 * @buf: buffer
 * @vma: read-only, from the beginning, not longer than the buffer
 *
 * Return: 0, or -EINVAL.
 */
int perfmon_buffer_mmap(struct pfm_buffer *buf, struct vm_area_struct *vma)
{
	size_t size = vma->vm_end - vma->vm_start;
	int err;

	if (vma->vm_pgoff || size > buf->size ||
	    (vma->vm_flags & (VM_WRITE | VM_EXEC)))
		return -EINVAL;
	err = remap_vmalloc_range(vma, buf->addr, 0);
	if (err)
		return err;
	vm_flags_mod(vma, VM_DONTEXPAND | VM_DONTDUMP,
		     VM_MAYWRITE | VM_MAYEXEC);
	vma->vm_private_data = buf;
	vma->vm_ops = &buffer_vm_ops;
	refcount_inc(&buf->ref);
	return 0;
}

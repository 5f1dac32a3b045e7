// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sampling buffers: memory that the kernel fills and programs map read-only.
 *
 * A buffer lives as long as its session or a mapping of it, whichever ends
 * last.  It has a file of its own that mappings hold, so that they do not keep
 * the file of the session open: the last close ends the session.  Until it is
 * freed its size counts towards the limit of the machine and is charged to the
 * creator of the session (account.c).
 */
#include <linux/anon_inodes.h>
#include <linux/atomic.h>
#include <linux/errno.h>
#include <linux/fcntl.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/pgtable.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include <asm/shmparam.h>

#include "../account.h"
#include "smpl.h"

/**
 * struct perfmon_buffer - a sampling buffer
 * @file: held by the session and by mappings; never in a descriptor table
 * @addr: kernel address
 * @size: whole pages, in bytes
 * @account: charged to the creator of the session
 */
struct perfmon_buffer {
	struct file *file;
	void *addr;
	size_t size;
	struct perfmon_account account;
};

/* Default limit as a part of all memory: buffers cannot be swapped out. */
#define MEM_MAX_PART	8

/* In bytes; 0: the administrator has not set it. */
static size_t mem_max;
static atomic_long_t buffer_mem = ATOMIC_LONG_INIT(0);

/**
 * perfmon_buffer_mem_max - the limit of the machine
 *
 * Unless it is set it follows the size of memory, which grows after perfmon has
 * started: boot frees memory late, and memory can be plugged in.
 *
 * Return: the limit in bytes.
 */
size_t perfmon_buffer_mem_max(void)
{
	size_t max = READ_ONCE(mem_max);

	if (max)
		return max;
	return min_t(u64, SIZE_MAX,
		     (u64)totalram_pages() / MEM_MAX_PART << PAGE_SHIFT);
}

/**
 * perfmon_buffer_set_mem_max - set the limit of the machine
 * @max: bytes, not 0; buffers that exist stay
 */
void perfmon_buffer_set_mem_max(size_t max)
{
	WRITE_ONCE(mem_max, max);
}

size_t perfmon_buffer_mem_cur(void)
{
	return atomic_long_read(&buffer_mem);
}

static bool buffer_charge_machine(size_t size)
{
	size_t old = atomic_long_read(&buffer_mem), sum;

	do {
		if (check_add_overflow(old, size, &sum) ||
		    sum > perfmon_buffer_mem_max())
			return false;
	} while (!atomic_long_try_cmpxchg(&buffer_mem, (long *)&old, sum));
	return true;
}

static bool buffer_charge(struct perfmon_buffer *buf)
{
	if (!buffer_charge_machine(buf->size))
		return false;
	if (perfmon_account_charge(&buf->account, buf->size))
		return true;
	atomic_long_sub(buf->size, &buffer_mem);
	return false;
}

static void buffer_free(struct perfmon_buffer *buf)
{
	vfree(buf->addr);
	atomic_long_sub(buf->size, &buffer_mem);
	perfmon_account_close(&buf->account);
	kfree(buf);
}

static int buffer_release(struct inode *inode, struct file *file)
{
	buffer_free(file->private_data);
	return 0;
}

static const struct file_operations buffer_fops = {
	.owner = THIS_MODULE,
	.release = buffer_release,
};

/*
 * Like vmalloc_user(), but a size that exceeds free memory is an error without a
 * line in the log, and the OOM killer kills nobody for it.
 */
static void *buffer_alloc_memory(size_t size)
{
	gfp_t gfp = GFP_KERNEL_ACCOUNT | __GFP_ZERO | __GFP_NOWARN |
		    __GFP_RETRY_MAYFAIL;

	return __vmalloc_node_range(size, SHMLBA, VMALLOC_START, VMALLOC_END,
				    gfp, PAGE_KERNEL, VM_USERMAP, NUMA_NO_NODE,
				    __builtin_return_address(0));
}

/* Charge for a buffer, and allocate all but its memory. */
static struct perfmon_buffer *buffer_new(const struct perfmon_account *payer,
					 size_t size)
{
	struct perfmon_buffer *buf = kzalloc(sizeof(*buf), GFP_KERNEL_ACCOUNT);

	if (!buf)
		return NULL;
	buf->size = size;
	perfmon_account_share(&buf->account, payer);
	if (buffer_charge(buf))
		return buf;
	perfmon_account_close(&buf->account);
	kfree(buf);
	return NULL;
}

/**
 * perfmon_buffer_alloc - make a zeroed buffer
 * @payer: account of the session, whose user is charged
 * @size: bytes, more than 0
 *
 * Context: may sleep.
 * Return: the buffer, or NULL: over a limit or out of memory.
 */
struct perfmon_buffer *perfmon_buffer_alloc(const struct perfmon_account *payer,
					    size_t size)
{
	struct perfmon_buffer *buf;

	if (!size || size > SIZE_MAX - PAGE_SIZE)
		return NULL;
	buf = buffer_new(payer, PAGE_ALIGN(size));
	if (!buf)
		return NULL;
	buf->addr = buffer_alloc_memory(buf->size);
	if (!buf->addr) {
		buffer_free(buf);
		return NULL;
	}
	buf->file = anon_inode_getfile("[pfmbuf]", &buffer_fops, buf, O_RDONLY);
	if (IS_ERR(buf->file)) {
		buffer_free(buf);
		return NULL;
	}
	return buf;
}

/** perfmon_buffer_put - drop the session's hold of the buffer */
void perfmon_buffer_put(struct perfmon_buffer *buf)
{
	fput(buf->file);
}

void *perfmon_buffer_addr(struct perfmon_buffer *buf)
{
	return buf->addr;
}

/**
 * perfmon_buffer_mmap - map a buffer into the caller
 * @buf: buffer
 * @vma: within the buffer
 * @pgoff: page of the buffer that it begins with
 * @writable: it may be written, and is shared then
 *
 * Return: 0, or -EINVAL.
 */
int perfmon_buffer_mmap(struct perfmon_buffer *buf, struct vm_area_struct *vma,
			unsigned long pgoff, bool writable)
{
	size_t size = vma->vm_end - vma->vm_start;
	int err;

	if (pgoff > buf->size >> PAGE_SHIFT ||
	    size > buf->size - (pgoff << PAGE_SHIFT) || vma->vm_flags & VM_EXEC)
		return -EINVAL;
	if (writable ? !(vma->vm_flags & VM_SHARED) : vma->vm_flags & VM_WRITE)
		return -EINVAL;
	err = remap_vmalloc_range(vma, buf->addr, pgoff);
	if (err)
		return err;
	vm_flags_mod(vma, VM_DONTEXPAND | VM_DONTDUMP,
		     (writable ? 0 : VM_MAYWRITE) | VM_MAYEXEC);
	vma_set_file(vma, buf->file);
	return 0;
}

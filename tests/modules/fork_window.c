// SPDX-License-Identifier: GPL-2.0-only
/*
 * fork_window.ko holds a fork between the copy of the parent's task_struct and
 * what makes the copy a task of its own, for as long as a test wants. What the
 * parent loses in that time the child must not keep.
 *
 * The place is the allocation of the child's stack: process context, interrupts
 * on. Kernels with CONFIG_TRACEPOINTS have a tracepoint there, the debug kernel
 * of the tests among them.
 *
 * Parameters: "thread" is the thread whose next fork is held, "held" says that
 * it is, "go" lets it go on.
 */
#include <linux/errno.h>
#include <linux/gfp.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/thread_info.h>
#include <linux/timekeeping.h>
#include <linux/tracepoint.h>

/* A test that went wrong does not hang the machine. */
#define LIMIT_NS (10ULL * NSEC_PER_SEC)

static int thread;
module_param(thread, int, 0600);
static bool held;
module_param(held, bool, 0400);
static bool go;
module_param(go, bool, 0600);

#ifdef CONFIG_TRACEPOINTS

static struct tracepoint *place;

/* Preemption is off, so that this can only spin. */
static void hold(void)
{
	u64 end = ktime_get_mono_fast_ns() + LIMIT_NS;

	WRITE_ONCE(thread, 0);
	WRITE_ONCE(held, true);
	while (!READ_ONCE(go) && ktime_get_mono_fast_ns() < end)
		cpu_relax();
	WRITE_ONCE(held, false);
}

#ifdef CONFIG_VMAP_STACK

/* Unless the CPU has kept the stack of a task that is gone. */
#define PLACE "alloc_vmap_area"

static void allocated(void *data, unsigned long addr, unsigned long size,
		      unsigned long align, unsigned long vstart,
		      unsigned long vend, int failed)
{
	if (READ_ONCE(thread) == current->pid && align == THREAD_ALIGN)
		hold();
}

#else

#define PLACE "mm_page_alloc"

/* Pages of the slab that task_structs are from are of one piece. */
static void allocated(void *data, struct page *page, unsigned int order,
		      gfp_t gfp, int migratetype)
{
	if (READ_ONCE(thread) == current->pid && order == THREAD_SIZE_ORDER &&
	    (gfp & THREADINFO_GFP) == THREADINFO_GFP && !(gfp & __GFP_COMP))
		hold();
}

#endif

static void find(struct tracepoint *tp, void *unused)
{
	if (!strcmp(tp->name, PLACE))
		place = tp;
}

static int __init fork_window_init(void)
{
	for_each_kernel_tracepoint(find, NULL);
	if (!place)
		return -EOPNOTSUPP;
	return tracepoint_probe_register(place, allocated, NULL);
}

static void __exit fork_window_exit(void)
{
	tracepoint_probe_unregister(place, allocated, NULL);
	tracepoint_synchronize_unregister();
}

#else

static int __init fork_window_init(void)
{
	return -EOPNOTSUPP;
}

static void __exit fork_window_exit(void)
{
}

#endif

module_init(fork_window_init);
module_exit(fork_window_exit);
MODULE_DESCRIPTION("Holds a fork while a test does something");
MODULE_LICENSE("GPL");

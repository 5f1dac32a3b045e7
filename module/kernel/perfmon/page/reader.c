// SPDX-License-Identifier: GPL-2.0-only
/*
 * The programs that map state pages and so may execute RDPMC.
 *
 * The right belongs to a program (a mm), from its first mapping of a page to the end of
 * its last one, whatever its sessions do meanwhile: so its RDPMC never faults.  While it
 * has the right, others' counters are stopped and zero when one of its threads is
 * switched in (host_table.c).
 *
 * Owns the table of these programs; readers_lock protects changes of it.
 */
#include <linux/hashtable.h>
#include <linux/mm_types.h>
#include <linux/perfmon_module.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

#include <asm/perfctr.h>

#include "../access.h"
#include "../host.h"
#include "../run.h"
#include "page.h"

#define READER_BITS	6

/**
 * struct reader - a program that maps state pages
 * @node: in the table, by @mm
 * @mm: its mm
 * @pages: number of different pages that it maps
 * @rcu: frees the reader
 */
struct reader {
	struct hlist_node node;
	struct mm_struct *mm;
	unsigned int pages;
	struct rcu_head rcu;
};

static DEFINE_HASHTABLE(readers, READER_BITS);
static DEFINE_SPINLOCK(readers_lock);	/* protects changes of the table */

/* Context: RCU, interrupts off, or readers_lock. */
static struct reader *reader_find(const struct mm_struct *mm)
{
	struct reader *reader;

	hash_for_each_possible_rcu(readers, reader, node, (unsigned long)mm,
				   rcu_read_lock_sched_held() ||
				   lockdep_is_held(&readers_lock))
		if (reader->mm == mm)
			return reader;
	return NULL;
}

/** perfmon_reader_known - has a program the right from us?  Context: interrupts off. */
bool perfmon_reader_known(const struct mm_struct *mm)
{
	return reader_find(mm);
}

/**
 * perfmon_reader_zero - stop and zero all counters of this CPU
 *
 * While perf_event has the counters nothing is written: none is marked as used by us.
 *
 * Context: interrupts off; nothing may count before the next resume.
 */
void perfmon_reader_zero(void)
{
	if (perfctr_cpu_isolates)
		perfctr_cpu_alone();
}

/**
 * perfmon_reader_isolate - perfmon_reader_zero(), unless the administrator trusts readers
 *
 * Context: as above.
 */
void perfmon_reader_isolate(void)
{
	if (READ_ONCE(perfmon_rdpmc_mode) != PERFMON_RDPMC_FAST)
		perfmon_reader_zero();
}

/**
 * perfmon_reader_isolate_here - the same while the running thread continues to count
 *
 * Context: interrupts off.
 */
void perfmon_reader_isolate_here(void)
{
	struct perfmon_session *s = perfmon_host_here();

	if (!s || !s->counting) {
		perfmon_reader_isolate();
		return;
	}
	perfmon_live_stop(s);
	perfmon_reader_isolate();
	perfmon_live_start(s);
}

/* Takes over @new.  Return: is this the first page of the program? */
static bool reader_add(struct mm_struct *mm, struct reader *new)
{
	struct reader *reader;
	bool first;

	spin_lock(&readers_lock);
	reader = reader_find(mm);
	first = !reader;
	if (first) {
		reader = new;
		reader->mm = mm;
		hash_add_rcu(readers, &reader->node, (unsigned long)mm);
		new = NULL;
	}
	reader->pages++;
	spin_unlock(&readers_lock);
	kfree(new);
	return first;
}

/**
 * perfmon_host_reader_begin - a program has mapped a state page
 * @mm: its mm, which is the caller's
 *
 * Context: may sleep.
 * Return: true if it may execute RDPMC; then perfmon_host_reader_end() must follow.
 * False if it may not, because of a system-wide session or lack of memory.
 */
bool perfmon_host_reader_begin(struct mm_struct *mm)
{
	struct reader *new;

	if (!perfctr_cpu_isolates)
		return false;
	new = kzalloc(sizeof(*new), GFP_KERNEL_ACCOUNT);
	if (!new)
		return false;
	if (perfmon_reader_get()) {
		kfree(new);
		return false;
	}
	if (reader_add(mm, new)) {
		atomic_inc(&mm->context.perf_rdpmc_allowed);
		perfctr_reader_gain();
	}
	return true;
}

/* Return: the reader, removed from the table, if this was its last page; else NULL. */
static struct reader *reader_remove(struct mm_struct *mm)
{
	struct reader *reader;

	spin_lock(&readers_lock);
	reader = reader_find(mm);
	if (--reader->pages)
		reader = NULL;
	else
		hash_del_rcu(&reader->node);
	spin_unlock(&readers_lock);
	return reader;
}

/**
 * perfmon_host_reader_end - a program has unmapped a state page
 * @mm: its mm, which perhaps no thread uses any more
 *
 * Context: may sleep.
 */
void perfmon_host_reader_end(struct mm_struct *mm)
{
	struct reader *reader = reader_remove(mm);

	if (reader) {
		/* No thread will run with a mm that is about to be freed. */
		if (!atomic_dec_if_positive(&mm->context.perf_rdpmc_allowed) &&
		    atomic_read(&mm->mm_users))
			perfctr_reader_lose(mm);
		kfree_rcu(reader, rcu);
	}
	perfmon_reader_put();
}

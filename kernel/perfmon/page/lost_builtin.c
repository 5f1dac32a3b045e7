// SPDX-License-Identifier: GPL-2.0-only
/*
 * A fault of RDPMC in a thread that had the right to execute it a moment ago.
 *
 * Called by the handler of general protection faults, which a module cannot
 * change.  Therefore a module does not take the right before the page is
 * unmapped.
 */
#include <linux/atomic.h>
#include <linux/irqflags.h>
#include <linux/mm.h>
#include <linux/perfmon_pmu.h>
#include <linux/sched.h>

#include "../session.h"
#include "../target.h"
#include "page.h"

/* Has the running thread had the right through a page that is still mapped? */
static bool lost_had_right(void)
{
	struct mm_struct *mm = current->mm;
	const struct perfmon_page *page;
	struct vm_area_struct *vma;
	struct vma_iterator vmi;
	bool had = false;

	vma_iter_init(&vmi, mm, 0);
	mmap_read_lock(mm);
	for_each_vma(vmi, vma) {
		if (vma->vm_ops != &perfmon_page_vm_ops)
			continue;
		page = vma->vm_file->private_data;
		had |= READ_ONCE(page->reader) == current &&
		       READ_ONCE(page->reader_start) == current->start_time;
	}
	mmap_read_unlock(mm);
	return had;
}

/**
 * perfmon_page_right_was_lost - has the running thread lost the right to
 *	execute RDPMC?
 *
 * If so, its page has changed after the thread found it usable.  If perf's own
 * switch has taken the right, the page still says "usable"; this is corrected
 * here.
 *
 * Context: may sleep.
 * Return: true if it has; false if it never had it.
 */
bool perfmon_page_right_was_lost(void)
{
	struct perfmon_session *s;

	if (!lost_had_right())
		return false;
	local_irq_disable();
	s = perfmon_host_here();
	if (s && s->counting)
		perfmon_page_update(s);
	local_irq_enable();
	return true;
}

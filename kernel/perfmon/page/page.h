/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The state page of a session: a copy of the counts of the active set, for programs that
 * map it (mapping.c); it is updated where the session changes (contents.c).  Also the
 * right of the session's thread to execute RDPMC (right.h, recheck.c).
 *
 * A session that no program has mapped has no page: then each change costs one test of a
 * pointer.  A page lives as long as the session or a mapping of it.
 */
#ifndef _KERNEL_PERFMON_PAGE_H
#define _KERNEL_PERFMON_PAGE_H

#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <uapi/linux/perfmon.h>

#include "../account.h"

struct file;
struct mm_struct;
struct page;
struct perfmon_session;
struct perfmon_set;
struct vm_area_struct;

/* Values of perfmon_rdpmc_mode: rdpmc in sysfs. */
#define PERFMON_RDPMC_OFF 0 /* no thread may read */
#define PERFMON_RDPMC_ISOLATED 1 /* all other counters are stopped and zero */
#define PERFMON_RDPMC_FAST 2 /* other counters keep their values, visible to readers */

/**
 * struct perfmon_page - a state page
 * @state: the contents that programs see; hot
 * @shown: the set whose layout @state has; hot
 * @shown_builds: perfmon_set.builds of @shown at that time; hot
 * @reads: the right has been given, on the CPU that the target is on; hot
 * @isolated: it was given with the counters isolated; hot
 * @off: the host forbids all programs to read; hot, used by the module only
 * @reader_mm: the only mm that maps the page, NULL if there is none or several; changed
 *	under @lock
 * @reader: the thread that last got the right, never dereferenced
 * @reader_start: its start_time, since task addresses are reused
 * @memory: the page of @state
 * @file: held by the mappings and by the session; its release frees all this
 * @lock: protects @users
 * @users: each mm that maps the page, with a count
 * @account: the creator of the session is charged for the page
 *
 * Hot fields follow the rule of perfmon_session's, see session.h.
 */
struct perfmon_page {
	struct pfm_state *state;
	struct perfmon_set *shown;
	u32 shown_builds;
	bool reads;
	bool isolated;
	bool off;
	struct mm_struct *reader_mm;
	const void *reader;
	u64 reader_start;
	struct page *memory;
	struct file *file;
	spinlock_t lock; /* protects @users */
	struct list_head users;
	struct perfmon_account account;
};

/* contents.c.  Context: on the target, see perfmon_on_target(). */
void perfmon_page_start(struct perfmon_session *s);
void perfmon_page_stop(struct perfmon_session *s);
void __perfmon_page_update(struct perfmon_session *s);

/* right.c */
extern int perfmon_rdpmc_mode;

/* recheck.c */
void perfmon_page_recheck(struct perfmon_page *page);
void perfmon_rdpmc_mode_set(int mode);

/* mapping.c */
extern const struct vm_operations_struct perfmon_page_vm_ops;

void perfmon_page_admit(struct perfmon_page *page);
int perfmon_page_mmap(struct perfmon_session *s, struct vm_area_struct *vma);
void perfmon_page_put(struct perfmon_page *page);

#endif /* _KERNEL_PERFMON_PAGE_H */

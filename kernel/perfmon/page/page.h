/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The state page of a session: a copy of what the active set has counted, for
 * programs that map it (mapping.c), kept up to date where the session changes
 * (contents.c); and the right of the session's thread to execute RDPMC (right.h,
 * recheck.c).
 *
 * A session that nobody has mapped has none: then each change costs the test of a
 * pointer.  The page lives as long as the session or a mapping of it.
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
#define PERFMON_RDPMC_OFF 0 /* nobody reads */
#define PERFMON_RDPMC_ISOLATED 1 /* readers find their own counts only */
#define PERFMON_RDPMC_FAST 2 /* readers find what others have counted */

/**
 * struct perfmon_page - a state page
 * @state: what programs see; hot
 * @shown: the set whose layout @state has; hot
 * @shown_builds: its perfmon_set.builds then; hot
 * @reads: the right has been given, on the CPU that the target is on; hot
 * @isolated: it was given with the counters isolated; hot
 * @off: the host keeps all programs from reading; hot, and a module's only
 * @reader_mm: the mm that alone maps the page, NULL if none or several do;
 *	changed under @lock
 * @reader: the thread that was given the right last, never dereferenced
 * @reader_start: its start_time, since addresses are used again
 * @memory: of @state
 * @file: mappings hold it, and the session does; it frees all this
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
	spinlock_t lock; /* of users */
	struct list_head users;
	struct perfmon_account account;
};

/* contents.c.  Context of these: the target's, see perfmon_on_target(). */
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

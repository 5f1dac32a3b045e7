// SPDX-License-Identifier: GPL-2.0-only
/*
 * The life of a session.  A session lives while any of these holds a reference: its file,
 * its attachment (task_struct.perfmon_session or the CPU), its queued works, and threads
 * that use it for a moment.  create.c makes it.
 */
#include <linux/init.h>
#include <linux/list.h>
#include <linux/pid_namespace.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "family/family.h"
#include "host.h"
#include "owner.h"
#include "session.h"
#include "smpl/smpl.h"

/* A session is little more than 1 KiB; kmalloc() would use 2 KiB. */
static struct kmem_cache *session_cache __ro_after_init;

/** perfmon_session_init - prepare for sessions */
int __init perfmon_session_init(void)
{
	session_cache = KMEM_CACHE(perfmon_session, SLAB_ACCOUNT);
	return session_cache ? 0 : -ENOMEM;
}

/** perfmon_session_exit - undo perfmon_session_init() */
void __init perfmon_session_exit(void)
{
	kmem_cache_destroy(session_cache);
}

static void session_free(struct perfmon_session *s)
{
	struct perfmon_set *set, *next;

	if (s->claimed)
		perfmon_arch_unclaim();
	perfmon_pmu_put(s);
	perfmon_fmt_stop(s);
	perfmon_page_put(s->page);
	list_for_each_entry_safe(set, next, &s->sets, node)
		perfmon_set_free(set);
	if (perfmon_family(s))
		perfmon_family_free(s->family);
	perfmon_account_close(&s->account);
	put_pid_ns(s->ns);
	perfmon_host_session_exit(s);
	/* msgq_notify() may still be returning on some CPU. */
	if (s->msgq.told || PERFMON_HOST_LOOKS_UP)
		perfmon_host_free_rcu(s);
	else
		kmem_cache_free(session_cache, s);
}

static void session_free_work(struct work_struct *work)
{
	session_free(container_of(work, struct perfmon_session, free_work));
}

/**
 * perfmon_session_alloc - make a session
 * @set: its set 0
 *
 * Return: a detached session with one reference, which the caller owns; create.c fills
 * the fields that are zero.  NULL: no memory.
 */
struct perfmon_session *perfmon_session_alloc(struct perfmon_set *set)
{
	struct perfmon_session *s;

	/* The ring is a third of the session, and needs no zeroing while it is empty. */
	s = perfmon_host_alloc(session_cache, GFP_KERNEL, 0,
			       offsetof(struct perfmon_session, msgq.ring));
	if (!s)
		return NULL;
	mutex_init(&s->lock);
	refcount_set(&s->ref, 1);
	s->state = PERFMON_UNLOADED;
	INIT_LIST_HEAD(&s->sets);
	s->sets_by_id = RB_ROOT;
	perfmon_set_add(s, set);
	s->active = set;
	s->cpu = -1;
	INIT_LIST_HEAD(&s->holder);
	INIT_WORK(&s->free_work, session_free_work);
	perfmon_host_session_init(s);
	return s;
}

/**
 * perfmon_session_put - drop a reference; the last one frees the session
 * @s: session
 *
 * Context: may sleep; the session is not locked.
 */
void perfmon_session_put(struct perfmon_session *s)
{
	if (refcount_dec_and_test(&s->ref))
		session_free(s);
}

/**
 * perfmon_session_put_atomic - drop a reference where it must not sleep
 * @s: session
 *
 * Freeing sleeps, and the end of the last session waits for CPU hotplug: so a work frees
 * it.
 *
 * Context: any, hard interrupt included.
 */
void perfmon_session_put_atomic(struct perfmon_session *s)
{
	if (refcount_dec_and_test(&s->ref))
		schedule_work(&s->free_work);
}

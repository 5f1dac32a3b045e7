// SPDX-License-Identifier: GPL-2.0-only
/*
 * perfmon as the owner of the PMU.  While any session holds the PMU, it is reserved and
 * the hooks in the context switch are patched in.
 *
 * Both linger after the last session.  Otherwise a program that creates and closes
 * sessions in a loop would interrupt all CPUs, isolated ones too, several times per
 * iteration.  Meanwhile the PMU is on offer (perfmon_arch_offer()): any other user gets
 * it at once, and the hooks find nothing to do.
 *
 * Owns the list of holders, the state of the hooks, and the time of lingering, all under
 * pmu_lock.  Called when a session is created or freed, and when the administrator takes
 * the PMU back from all sessions (admin/enabled.c).
 *
 * Lock order: pmu_lock, cpus_read_lock.
 */
#define pr_fmt(fmt) "perfmon: " fmt

#include <linux/errno.h>
#include <linux/init.h>
#include <linux/jiffies.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/perfmon_hooks.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/string.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "host.h"
#include "owner.h"

/* Longest time of lingering. */
#define LINGER_MS_CAP	60000

static void owner_linger_over(struct work_struct *work);

static void (*interrupt)(unsigned long ip) __ro_after_init;

static DEFINE_MUTEX(pmu_lock);		/* protects the rest */
static LIST_HEAD(holders);		/* sessions that hold the PMU, by age */
static bool allowed = true;		/* new sessions may become holders */
static DECLARE_WAIT_QUEUE_HEAD(no_holders);
static u64 nr_taken;			/* times the PMU was taken */
static unsigned int linger_ms = 1000;
static bool lingering;			/* no holder, but the hooks are in */
static unsigned long linger_end;	/* in jiffies */
static DECLARE_DELAYED_WORK(linger_work, owner_linger_over);

/** perfmon_pmu_init - set the handler of overflow interrupts */
void __init perfmon_pmu_init(void (*handler)(unsigned long ip))
{
	interrupt = handler;
}

static void owner_log(const char *owner)
{
	pr_info_ratelimited("cannot reserve the PMU: held by %s%s\n", owner,
			    strcmp(owner, "nmi_watchdog") ? "" :
			    "; sysctl kernel.nmi_watchdog=0 frees it");
}

/* No session holds the PMU: undo all actions of owner_take(). */
static void owner_give(void)
{
	lingering = false;
	cancel_delayed_work(&linger_work);
	perfmon_host_hooks_disable();
	if (perfmon_arch_retain())
		perfmon_arch_release();
}

static void owner_linger(void)
{
	unsigned long delay = msecs_to_jiffies(linger_ms);

	perfmon_arch_offer();
	lingering = true;
	linger_end = jiffies + delay;
	queue_delayed_work(system_power_efficient_wq, &linger_work, delay);
}

/* While the work waited for pmu_lock, a new time of lingering may have begun. */
static void owner_linger_over(struct work_struct *work)
{
	mutex_lock(&pmu_lock);
	if (lingering && time_after_eq(jiffies, linger_end))
		owner_give();
	mutex_unlock(&pmu_lock);
}

/*
 * Take the PMU, or end its lingering, and patch the hooks in.
 *
 * Return: 0; -EBUSY: @holder has the PMU; -ENOMEM.
 */
static int owner_take(const char **holder)
{
	const char *owner = NULL;
	int err = 0;

	if (!lingering || !perfmon_arch_retain()) {
		owner = perfmon_arch_acquire(interrupt);
		nr_taken += !owner;
	}
	if (owner) {
		if (lingering)
			owner_give();
		*holder = owner;
		return -EBUSY;
	}
	if (!lingering)
		err = perfmon_host_hooks_enable();
	cancel_delayed_work(&linger_work);
	lingering = false;
	if (err)
		perfmon_arch_release();
	return err;
}

/* Is the PMU held or forbidden?  Then a new session does not take it. */
static bool owner_settled(void)
{
	return !list_empty(&holders) || !allowed;
}

/*
 * Lock pmu_lock, but first wait while perf_event keeps the PMU for perfmon_arch_rest(): a
 * PMU that is handed over again and again also interrupts all CPUs.
 */
static int owner_lock_rested(void)
{
	unsigned long rest;

	for (;;) {
		if (mutex_lock_killable(&pmu_lock))
			return -ERESTARTNOINTR;
		rest = owner_settled() ? 0 : perfmon_arch_rest();
		if (!rest)
			return 0;
		mutex_unlock(&pmu_lock);
		schedule_timeout_killable(rest);
		if (fatal_signal_pending(current))
			return -ERESTARTNOINTR;
	}
}

/**
 * perfmon_pmu_get - let a session hold the PMU; the first one reserves it
 * @s: session that does not hold it
 *
 * Context: may sleep.
 * Return: 0; -EBUSY if another user has the PMU, whose name is logged, or the
 * administrator has disabled perfmon; -ENOMEM; -ERESTARTNOINTR if the thread is being
 * killed, which never sees it.
 */
int perfmon_pmu_get(struct perfmon_session *s)
{
	const char *owner = NULL;
	int err = owner_lock_rested();

	if (err)
		return err;
	if (!allowed)
		err = -EBUSY;
	else if (list_empty(&holders))
		err = owner_take(&owner);
	if (!err)
		list_add_tail(&s->holder, &holders);
	mutex_unlock(&pmu_lock);

	if (owner)
		owner_log(owner);
	return err;
}

static void owner_unheld(void)
{
	if (linger_ms && allowed && perfmon_host_lingers())
		owner_linger();
	else
		owner_give();
	wake_up_all(&no_holders);
}

/**
 * perfmon_pmu_put - end a session's hold of the PMU
 * @s: detached session, not locked; it may hold nothing
 *
 * After the last one the PMU lingers.
 *
 * Context: may sleep.
 */
void perfmon_pmu_put(struct perfmon_session *s)
{
	mutex_lock(&pmu_lock);
	if (!list_empty(&s->holder)) {
		list_del_init(&s->holder);
		if (list_empty(&holders))
			owner_unheld();
	}
	mutex_unlock(&pmu_lock);
}

/**
 * perfmon_pmu_allow - let sessions become holders of the PMU, or refuse it
 * @allow: which of the two, from now on
 *
 * Return: the previous setting.
 */
bool perfmon_pmu_allow(bool allow)
{
	bool before;

	mutex_lock(&pmu_lock);
	before = allowed;
	WRITE_ONCE(allowed, allow);
	mutex_unlock(&pmu_lock);
	return before;
}

bool perfmon_pmu_allowed(void)
{
	return READ_ONCE(allowed);
}

/**
 * perfmon_pmu_holder - find a session that holds the PMU
 *
 * Return: the oldest holder that is not about to be freed, with a reference; NULL if
 * there is none.
 */
struct perfmon_session *perfmon_pmu_holder(void)
{
	struct perfmon_session *s, *found = NULL;

	mutex_lock(&pmu_lock);
	list_for_each_entry(s, &holders, holder) {
		if (refcount_inc_not_zero(&s->ref)) {
			found = s;
			break;
		}
	}
	mutex_unlock(&pmu_lock);
	return found;
}

/**
 * perfmon_pmu_wait_free - wait until the PMU has been given back
 *
 * No session becomes a holder meanwhile, see perfmon_pmu_allow(); holders that are being
 * freed end by themselves.
 *
 * Context: may sleep.
 * Return: 0, or -EINTR if the caller was killed.
 */
int perfmon_pmu_wait_free(void)
{
	if (wait_event_killable(no_holders, list_empty_careful(&holders)))
		return -EINTR;
	/* The last holder may still have the lock, or the PMU may linger after it. */
	mutex_lock(&pmu_lock);
	if (lingering)
		owner_give();
	mutex_unlock(&pmu_lock);
	return 0;
}

/** perfmon_pmu_taken - how often the PMU was taken since boot */
u64 perfmon_pmu_taken(void)
{
	u64 taken;

	mutex_lock(&pmu_lock);
	taken = nr_taken;
	mutex_unlock(&pmu_lock);
	return taken;
}

/** perfmon_pmu_exit - give the PMU up for good; no sessions are left */
void __init perfmon_pmu_exit(void)
{
	perfmon_linger_set(0);
	cancel_delayed_work_sync(&linger_work);
}

unsigned int perfmon_linger_ms(void)
{
	return READ_ONCE(linger_ms);
}

/**
 * perfmon_linger_set - set how long the PMU stays after the last session
 * @ms: milliseconds; 0 also ends lingering that is under way
 *
 * Return: 0, or -EINVAL if that is over the limit.
 */
int perfmon_linger_set(u64 ms)
{
	if (ms > LINGER_MS_CAP)
		return -EINVAL;
	mutex_lock(&pmu_lock);
	WRITE_ONCE(linger_ms, ms);
	if (lingering && !ms)
		owner_give();
	mutex_unlock(&pmu_lock);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * /sys/kernel/perfmon/enabled: administrators take the PMU back from all sessions.
 *
 * To end all sessions, perfmon first refuses new ones.  Then it takes one
 * session after the other, under the session's own lock: marks it as ended,
 * detaches it, sends it an END message, and ends its hold of the PMU (owner.c).
 * An ended session keeps its counts: it can be read, but never attached or
 * changed again.
 *
 * Lock order: writer_lock, then either perfmon_session.lock or the lock of the
 * holders in owner.c, never both.
 */
#define pr_fmt(fmt) "perfmon: " fmt

#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/errno.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/string.h>
#include <linux/uidgid.h>

#include "../owner.h"
#include "../target.h"
#include "admin.h"

/* At most so many processes are named in the log. */
#define MAX_NAMED	100

static DEFINE_MUTEX(writer_lock);	/* one writer after the other */

static bool ended_same_creator(const struct perfmon_creator *a,
			       const struct perfmon_creator *b)
{
	return uid_eq(a->uid, b->uid) && a->tgid == b->tgid;
}

/* Sessions of one process that were ended and are not in the log yet. */
struct ended {
	struct perfmon_creator creator;
	unsigned int sessions;
	unsigned int processes;		/* in the log so far */
};

static void ended_log(struct ended *ended)
{
	const struct perfmon_creator *creator = &ended->creator;

	if (!ended->sessions)
		return;
	if (ended->processes < MAX_NAMED)
		pr_notice("sessions of user %u, process %d (%s) ended: %u\n",
			  from_kuid(&init_user_ns, creator->uid),
			  creator->tgid, creator->comm, ended->sessions);
	else if (ended->processes == MAX_NAMED)
		pr_notice("sessions of other processes ended\n");
	ended->processes++;
	ended->sessions = 0;
}

/*
 * Sessions of one process mostly follow each other, so they share a line in the
 * log.
 */
static void ended_count(struct ended *ended,
			const struct perfmon_creator *creator)
{
	if (!ended_same_creator(&ended->creator, creator)) {
		ended_log(ended);
		ended->creator = *creator;
	}
	ended->sessions++;
}

static void enabled_end_session(struct perfmon_session *s)
{
	mutex_lock(&s->lock);
	s->ended = true;
	if (perfmon_session_attached(s))
		perfmon_detach(s, false);
	perfmon_msgq_end(&s->msgq);
	mutex_unlock(&s->lock);
	perfmon_pmu_put(s);
}

/* No new session becomes a holder while this runs, see perfmon_pmu_allow(). */
static int enabled_end_all(void)
{
	struct ended ended = { };
	struct perfmon_session *s;

	while (!fatal_signal_pending(current)) {
		s = perfmon_pmu_holder();
		if (!s)
			break;
		enabled_end_session(s);
		ended_count(&ended, &s->creator);
		perfmon_session_put(s);
		cond_resched();
	}
	ended_log(&ended);
	return perfmon_pmu_wait_free();
}

static void enabled_log_writer(bool enable)
{
	pr_notice("%s by user %u, process %d (%s)\n",
		  enable ? "enabled" : "disabled",
		  from_kuid(&init_user_ns, current_uid()),
		  current->tgid, current->comm);
}

/**
 * perfmon_enable - let sessions be created, or end all of them
 * @enable: which of the two
 *
 * Writing the present value repeats the work.  This matters after a writer was
 * killed: the next one ends the sessions that the first left.
 *
 * Context: may sleep.
 * Return: 0; -EPERM without CAP_SYS_ADMIN; -EINTR if the caller was killed.
 * After 0 no session holds the PMU if @enable is false.
 */
int perfmon_enable(bool enable)
{
	int err = 0;

	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	if (mutex_lock_killable(&writer_lock))
		return -EINTR;
	if (perfmon_pmu_allow(enable) != enable)
		enabled_log_writer(enable);
	if (!enable)
		err = enabled_end_all();
	mutex_unlock(&writer_lock);
	return err;
}

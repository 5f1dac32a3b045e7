// SPDX-License-Identifier: GPL-2.0-only
/*
 * Notifications: messages about overflows, and their effects on the thread.
 *
 * Called by the overflow interrupt (ovfl.c), and by a member of a family after a sample
 * has waited for room (family/room.c): on the target, with interrupts off and no counter
 * running.
 */
#include <linux/bitmap.h>
#include <linux/limits.h>
#include <linux/perfmon_pmu.h>
#include <linux/smp.h>

#include "../admin/stats.h"
#include "../family/family.h"
#include "../loss.h"
#include "../pmd.h"
#include "../smpl/record.h"
#include "msgq.h"
#include "notify.h"

/** perfmon_wants_notification - do the last overflows of a set need a notification? */
bool perfmon_wants_notification(const struct perfmon_set *set)
{
	unsigned long left = *set->ovfl_pmds;
	unsigned int pos;

	while (perfmon_next_pmd(&left, &pos))
		if (set->pmds[pos].flags & PFM_REGFL_OVFL_NOTIFY)
			return true;
	return false;
}

/*
 * Is there room for one more message?  No lock: only this thread adds messages to the
 * session.  The members of a family share one queue.  If it is full, its reader will look
 * at all buffers anyway, so members need not stop.
 */
static bool tell_has_room(struct perfmon_session *s)
{
	return s->flags & PFM_FL_OVFL_NO_MSG || perfmon_family(s) ||
	       !perfmon_msgq_full(&s->msgq);
}

static void tell_write_message(struct perfmon_session *s,
			       const struct perfmon_set *set, u64 ip,
			       struct pfarg_ovfl_msg *msg)
{
	unsigned long left = *set->ovfl_pmds;
	unsigned int pos, num;

	perfmon_identify_task(s, current);
	*msg = (struct pfarg_ovfl_msg){
		.msg_type = PFM_MSG_OVFL,
		.msg_ovfl_pid = s->seen_tgid,
		.msg_ovfl_tid = s->seen_tid,
		.msg_active_set = set->id,
		.msg_ovfl_cpu = smp_processor_id(),
		.msg_ovfl_ip = ip,
	};
	while (perfmon_next_pmd(&left, &pos)) {
		num = perfmon_pmu.pmds[pos].num;
		msg->msg_ovfl_pmds[num / 64] |= 1ULL << num % 64;
	}
}

/**
 * perfmon_notify - notify, except for perfmon_tell(), which the caller postpones until
 *	the session is masked
 * @s: session
 * @set: has overflowed
 * @ip: instruction pointer of the overflow, as the session may see it
 * @msg: filled
 *
 * Return: false if the queue is full; then there is no notification.
 */
bool perfmon_notify(struct perfmon_session *s, const struct perfmon_set *set,
		    u64 ip, struct pfarg_ovfl_msg *msg)
{
	if (!tell_has_room(s)) {
		/* A format has recorded these overflows, so they are not lost. */
		if (!s->fmt)
			perfmon_lose(s, bitmap_weight(set->ovfl_pmds,
						      PERFMON_ARCH_MAX_PMDS));
		return false;
	}
	tell_write_message(s, set, ip, msg);
	perfmon_count(PERFMON_STAT_NOTIFY);
	if (s->flags & PFM_FL_OVFL_SIGINFO)
		perfmon_siginfo_send(s, msg->msg_ovfl_pmds[0]);
	if (s->can_restart < U8_MAX)
		s->can_restart++;
	/* Members of a family wait for room only, not for a restart. */
	if (s->flags & PFM_FL_NOTIFY_BLOCK && !perfmon_family(s))
		perfmon_block_target(s);
	return true;
}

/** perfmon_tell - queue the message; a reader on another CPU may take it at once */
void perfmon_tell(struct perfmon_session *s, const struct pfarg_ovfl_msg *msg)
{
	struct perfmon_family *family = perfmon_family(s);
	struct perfmon_session *owner = family ? family->root : s;

	perfmon_msgq_add(&owner->msgq, msg, s->flags & PFM_FL_OVFL_NO_MSG);
}

// SPDX-License-Identifier: MIT
/*
 * Makes, starts, reads and stops sessions, see perfmon_session.h.
 */
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "papi.h"

#include "perfmon_session.h"

unsigned int perfmon_forks;

/* The child has the descriptors, but neither the pages nor a right to stop its parent. */
static void count_fork(void)
{
	perfmon_forks++;
}

static void watch_forks(void)
{
	pthread_atfork(NULL, NULL, count_fork);
}

int perfmon_errno_error(void)
{
	switch (errno) {
	case EPERM:
	case EACCES:
		return PAPI_EPERM;
	case ENOMEM:
		return PAPI_ENOMEM;
	case EBUSY: /* others have the counters */
	case EEXIST: /* or this thread */
		return PAPI_ECNFLCT;
	case ENOSYS:
		return PAPI_ENOSUPP;
	default:
		return PAPI_ESYS;
	}
}

void perfmon_session_init(struct perfmon_session *s)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, watch_forks);
	memset(s, 0, sizeof(*s));
	s->fd = -1;
}

static int is_of_parent(const struct perfmon_session *s)
{
	return s->forks != perfmon_forks;
}

static int is_own(const struct perfmon_session *s)
{
	return pthread_equal(s->owner, pthread_self());
}

static void leave_thread(struct perfmon_session *s)
{
	if (s->thread)
		s->thread->attached = NULL;
	s->thread = NULL;
	s->is_attached = 0;
}

void perfmon_session_close(struct perfmon_session *s)
{
	leave_thread(s);
	/* A child has no mapping there, or another one. */
	if (s->state && !is_of_parent(s))
		perfmon_lib.pfm_unmap_state(s->state);
	s->state = NULL;
	s->is_direct = 0;
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
	memset(s->base, 0, sizeof(s->base));
	memset(s->base_ns, 0, sizeof(s->base_ns));
}

void perfmon_session_use(struct perfmon_session *s, struct perfmon_plan *plan)
{
	perfmon_session_close(s);
	perfmon_plan_free(s->plan);
	s->plan = plan;
}

static int make_sets(struct perfmon_session *s)
{
	for (int i = 0; i < s->plan->nr_sets; i++) {
		pfarg_setdesc_t set = {
			.set_id = (uint16_t)i,
			.set_flags = PFM_SETFL_TIME_SWITCH,
			.set_timeout = s->options.turn,
		};

		if (perfmon_lib.pfm_create_sets(s->fd, 0, &set, 1))
			return -1;
	}
	return 0;
}

static int program(struct perfmon_session *s)
{
	const struct perfmon_plan *plan = s->plan;

	if (plan->nr_sets > 1 && make_sets(s))
		return -1;
	if (perfmon_lib.pfm_write_pmrs(s->fd, PFM_RWFL_PMC, plan->pmcs.pmrs,
				       plan->pmcs.count))
		return -1;
	return perfmon_lib.pfm_write_pmrs(s->fd, PFM_RWFL_PMD, plan->pmds.pmrs,
					  plan->pmds.count);
}

/* Without a page, for want of lockable memory, counters are read by calls. */
static int make(struct perfmon_session *s)
{
	int flags = PFM_FL_CLOEXEC | (s->options.inherit ? PFM_FL_INHERIT : 0);
	int rc;

	s->forks = perfmon_forks;
	s->fd = perfmon_lib.pfm_create_session(flags);
	if (s->fd < 0)
		return perfmon_errno_error();
	if (program(s)) {
		rc = perfmon_errno_error();
		perfmon_session_close(s);
		return rc;
	}
	if (!s->options.target && !s->options.inherit && s->plan->nr_sets == 1)
		s->state = perfmon_lib.pfm_map_state(s->fd);
	return PAPI_OK;
}

/* Elements exist when a session was attached. */
static void find_elements(struct perfmon_session *s)
{
	if (!s->state)
		return;
	for (int i = 0; i < s->plan->count; i++) {
		int at = perfmon_lib.pfm_state_index(
			s->state, s->plan->events[i].reg_num, 0);

		if (at < 0)
			return;
		s->index[i] = (unsigned int)at;
	}
	s->is_direct = 1;
}

static int detach(struct perfmon_session *s)
{
	int flags = s->options.target ? PFM_ATFL_RUNNING : 0;

	leave_thread(s);
	return perfmon_lib.pfm_attach_session(s->fd, flags, PFM_NO_TARGET);
}

static int attach(struct perfmon_session *s, struct perfmon_thread *t)
{
	pid_t target = s->options.target;
	int flags = target ? PFM_ATFL_RUNNING : 0;

	if (!target) {
		target = (pid_t)syscall(SYS_gettid);
		if (t->attached)
			detach(t->attached);
	}
	if (perfmon_lib.pfm_attach_session(s->fd, flags, target))
		return perfmon_errno_error();
	s->is_attached = 1;
	s->owner = pthread_self();
	if (!s->options.target) {
		s->thread = t;
		t->attached = s;
	}
	find_elements(s);
	return PAPI_OK;
}

void perfmon_session_leave(struct perfmon_thread *t)
{
	struct perfmon_session *s = t->attached;

	if (!s)
		return;
	if (is_of_parent(s))
		leave_thread(s);
	else
		detach(s);
}

/* What a set has counted, as if it had had all the time. */
static int scale(struct perfmon_session *s, int is_base)
{
	pfarg_setinfo_t infos[PERFMON_MAX_EVENTS];
	int flags = s->options.inherit ? PFM_GIFL_FAMILY : 0;
	int sets = s->plan->nr_sets;
	uint64_t all = 0;

	memset(infos, 0, sizeof(infos));
	for (int i = 0; i < sets; i++)
		infos[i].set_id = (uint16_t)i;
	if (perfmon_lib.pfm_getinfo_sets(s->fd, flags, infos, sets))
		return perfmon_errno_error();
	for (int i = 0; i < sets; i++) {
		if (is_base)
			s->base_ns[i] = infos[i].set_act_duration;
		infos[i].set_act_duration -= s->base_ns[i];
		all += infos[i].set_act_duration;
	}
	for (int i = 0; i < s->plan->count; i++) {
		long long *value = &s->values[s->plan->positions[i]];
		uint64_t part =
			infos[s->plan->events[i].reg_set].set_act_duration;

		if (part)
			*value = (long long)((long double)*value * all / part);
	}
	return PAPI_OK;
}

/* Any session, by calls; as the base of later counts if @is_base. */
static int read_by_call(struct perfmon_session *s, int is_base)
{
	pfarg_pmr_t pmds[PERFMON_MAX_EVENTS];
	int flags = PFM_RWFL_PMD, count = s->plan->count;

	if (s->options.target || !is_own(s))
		flags |= PFM_RWFL_RUNNING;
	if (s->options.inherit)
		flags |= PFM_RWFL_FAMILY;
	memcpy(pmds, s->plan->events, sizeof(pmds));
	if (perfmon_lib.pfm_read_pmrs(s->fd, flags, pmds, count))
		return perfmon_errno_error();
	for (int i = 0; i < count; i++) {
		if (is_base)
			s->base[i] = (long long)pmds[i].reg_value;
		s->values[s->plan->positions[i]] =
			(long long)pmds[i].reg_value - s->base[i];
	}
	return s->plan->nr_sets > 1 ? scale(s, is_base) : PAPI_OK;
}

/* All counters at one moment; 0 if the page is not usable. */
static int read_by_page(struct perfmon_session *s)
{
	const struct pfm_state *state = s->state;
	const int *positions = s->plan->positions;
	int count = s->plan->count;
	uint32_t seq;

	do {
		seq = pfm_state_seq(state);
		PFM_STATE_BARRIER();
		if (!(seq & PFM_STATE_USABLE))
			return 0;
		for (int i = 0; i < count; i++)
			s->values[positions[i]] =
				(long long)pfm_state_peek(state, s->index[i]) -
				s->base[i];
		PFM_STATE_BARRIER();
	} while (seq != pfm_state_seq(state));
	return 1;
}

int perfmon_session_read(struct perfmon_session *s)
{
	if (is_of_parent(s))
		return PAPI_ECLOST;
	/* Only the thread that is counted may execute RDPMC. */
	if (s->is_direct && is_own(s) && read_by_page(s))
		return PAPI_OK;
	return read_by_call(s, 0);
}

int perfmon_session_reset(struct perfmon_session *s)
{
	int rc;

	if (!s->is_direct || is_of_parent(s)) {
		if (is_of_parent(s))
			return PAPI_ECLOST;
		return read_by_call(s, 1);
	}
	rc = perfmon_session_read(s);
	for (int i = 0; rc == PAPI_OK && i < s->plan->count; i++)
		s->base[i] += s->values[s->plan->positions[i]];
	return rc;
}

/* A stopped counter has its last value in the page. */
static int take_base(struct perfmon_session *s)
{
	if (!s->is_direct)
		return read_by_call(s, 1);
	for (int i = 0; i < s->plan->count; i++)
		s->base[i] = (long long)pfm_state_sum(s->state, s->index[i]);
	return PAPI_OK;
}

int perfmon_session_start(struct perfmon_session *s, struct perfmon_thread *t)
{
	int flags = s->options.target ? PFM_STFL_RUNNING : 0;
	int rc = PAPI_OK;

	if (!s->plan)
		return PAPI_EINVAL;
	/* The parent's, or another thread's: that one is not there to be left. */
	if (s->fd >= 0 && (is_of_parent(s) || (s->is_attached && !is_own(s))))
		perfmon_session_close(s);
	if (s->fd < 0)
		rc = make(s);
	if (rc == PAPI_OK && !s->is_attached)
		rc = attach(s, t);
	if (rc == PAPI_OK)
		rc = take_base(s);
	if (rc == PAPI_OK && perfmon_lib.pfm_start_session(s->fd, flags)) {
		/* EINVAL: detached meanwhile, because its thread has ended. */
		rc = errno == EINVAL ? PAPI_ECLOST : perfmon_errno_error();
		perfmon_session_close(s);
	}
	return rc;
}

/* A session whose target has ended is detached: nothing is left to be stopped. */
int perfmon_session_stop(struct perfmon_session *s)
{
	int flags = s->options.target ? PFM_STFL_RUNNING : 0;
	int rc;

	if (s->fd < 0)
		return PAPI_OK;
	if (is_of_parent(s))
		return PAPI_ECLOST;
	rc = perfmon_lib.pfm_stop_session(s->fd, flags);
	if (rc && errno == EINVAL) {
		leave_thread(s);
		return PAPI_OK;
	}
	if (!rc && s->options.target)
		rc = detach(s);
	return rc ? perfmon_errno_error() : PAPI_OK;
}

// SPDX-License-Identifier: MIT
/*
 * The component "perfmon" of PAPI 7: native events by libpfm's names, counted by sessions
 * of perfmon v3.0, read without a system call where the processor and the administrator
 * permit it.  See README.md beside this folder for what it has not.
 *
 * perfmon_library has the functions of libpfm, perfmon_events the names, perfmon_plan
 * finds registers, perfmon_session counts.  This file has PAPI's side.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "papi.h"
#include "papi_internal.h"
#include "papi_vector.h"
#include "extras.h"

#include "perfmon_events.h"
#include "perfmon_presets.h"
#include "perfmon_session.h"

#define INTERFACE "/sys/kernel/perfmon/interface"
#define DEFAULT_TURN 10000000 /* ns */
#define SHORTEST_TURN 10000

papi_vector_t _perfmon_vector;

/* An event set of PAPI. */
struct control {
	struct perfmon_wanted wanted;
	int papi_codes[PERFMON_MAX_EVENTS]; /* of the wanted events */
	struct perfmon_session session;
};

/* Says what helps a user whose program cannot count. */
static void say_why(char *reason, size_t size)
{
	const char *advice = errno == ENOSYS ?
				     "this kernel has no perfmon v3.0 "
				     "(modprobe perfmon?)" :
			     errno == EPERM || errno == EACCES ?
				     "see kernel.perf_event_paranoid" :
			     errno == ENOMEM ? "see ulimit -l" :
					       "see pfm_create_session(3)";

	snprintf(reason, size, "cannot create a session: %s; %s",
		 strerror(errno), advice);
}

/* Which control registers can sessions have? */
static int probe(char *reason, size_t size)
{
	pfarg_setinfo_t info = { 0 };
	int fd = perfmon_lib.pfm_create_session(PFM_FL_CLOEXEC);
	int rc;

	memset(&perfmon_unavailable, 0, sizeof(perfmon_unavailable));
	if (fd < 0 && errno == EBUSY) /* in this moment */
		return PAPI_OK;
	if (fd < 0) {
		rc = perfmon_errno_error();
		say_why(reason, size);
		return rc;
	}
	if (!perfmon_lib.pfm_getinfo_sets(fd, 0, &info, 1))
		for (unsigned int pmc = 0; pmc < PFM_MAX_PMCS; pmc++)
			if (!(info.set_avail_pmcs[pmc / 64] >> pmc % 64 & 1))
				pfm_regmask_set(&perfmon_unavailable, pmc);
	close(fd);
	return PAPI_OK;
}

static void read_version_of_kernel(char *version, size_t size)
{
	FILE *file = fopen(INTERFACE, "re");

	if (!file)
		return;
	if (fgets(version, (int)size, file))
		version[strcspn(version, "\n")] = '\0';
	fclose(file);
}

static int describe(PAPI_component_info_t *info)
{
	static char pmu[PAPI_MAX_STR_LEN];
	unsigned int counters = 0, version = 0;
	int rc = perfmon_events_init(&info->num_native_events);

	if (rc != PAPI_OK) {
		strcpy(info->disabled_reason,
		       "libpfm has no events for this processor");
		return rc;
	}
	perfmon_lib.pfm_get_num_counters(&counters);
	if (counters > PERFMON_MAX_EVENTS)
		counters = PERFMON_MAX_EVENTS;
	info->num_cntrs = (int)counters;
	perfmon_lib.pfm_get_version(&version);
	snprintf(info->support_version, sizeof(info->support_version),
		 "libpfm %u.%u", PFMLIB_MAJ_VERSION(version),
		 PFMLIB_MIN_VERSION(version));
	read_version_of_kernel(info->kernel_version,
			       sizeof(info->kernel_version));
	perfmon_lib.pfm_get_pmu_name(pmu, (int)sizeof(pmu));
	info->pmu_names[0] = pmu;
	return PAPI_OK;
}

static int init_component(int cidx)
{
	PAPI_component_info_t *info = &_perfmon_vector.cmp_info;
	int rc = perfmon_library_open(info->disabled_reason,
				      sizeof(info->disabled_reason));

	info->CmpIdx = cidx;
	if (rc == PAPI_OK)
		rc = probe(info->disabled_reason,
			   sizeof(info->disabled_reason));
	if (rc == PAPI_OK)
		rc = describe(info);
	info->disabled = rc;
	info->initialized = rc == PAPI_OK;
	if (rc == PAPI_OK && cidx == 0)
		perfmon_load_presets(cidx);
	return rc;
}

static int shutdown_component(void)
{
	perfmon_events_free();
	return PAPI_OK;
}

static int init_thread(hwd_context_t *context)
{
	struct perfmon_thread *thread = context;

	thread->attached = NULL;
	return PAPI_OK;
}

static int shutdown_thread(hwd_context_t *context)
{
	perfmon_session_leave(context);
	return PAPI_OK;
}

static int init_control_state(hwd_control_state_t *state)
{
	struct control *control = state;

	memset(&control->wanted, 0, sizeof(control->wanted));
	perfmon_session_init(&control->session);
	return PAPI_OK;
}

/* The registers for the wanted events; without events there is nothing to count. */
static int plan(struct control *control)
{
	struct perfmon_plan *made = NULL;
	int rc = PAPI_OK;

	if (control->wanted.count)
		rc = perfmon_plan_make(&control->wanted, &made);
	if (rc == PAPI_OK)
		perfmon_session_use(&control->session, made);
	return rc;
}

/*
 * When an event is removed PAPI moves the last one to its place: the native code and the
 * position, but not PAPI's own code, by which it looks for events later.
 */
static void mend(const struct control *control, NativeInfo_t *native)
{
	if (_papi_hwi_eventcode_to_native(native->ni_papi_code) ==
	    native->ni_event)
		return;
	for (int i = 0; i < control->wanted.count; i++)
		if (control->wanted.codes[i] == (unsigned int)native->ni_event)
			native->ni_papi_code = control->papi_codes[i];
}

/*
 * An event keeps its position, for PAPI does not ask for it again when others are removed.
 * New events have none, and come last.
 */
static void find_position(NativeInfo_t *native, uint64_t *taken)
{
	int at = native->ni_position;

	if (at < 0 || at >= PERFMON_MAX_EVENTS || *taken >> at & 1)
		for (at = 0; *taken >> at & 1; at++)
			;
	*taken |= 1ULL << at;
	native->ni_position = at;
}

/* Notes the wanted events; tells whether they are others than before. */
static int note(struct control *control, const NativeInfo_t *native, int count)
{
	struct perfmon_wanted *wanted = &control->wanted;
	int is_new = !control->session.plan || count != wanted->count;

	for (int i = 0; i < count; i++) {
		unsigned int code = (unsigned int)native[i].ni_event;

		is_new = is_new || wanted->codes[i] != code ||
			 wanted->positions[i] != native[i].ni_position;
		wanted->codes[i] = code;
		wanted->positions[i] = native[i].ni_position;
		control->papi_codes[i] = native[i].ni_papi_code;
	}
	wanted->count = count;
	return is_new;
}

/* PAPI calls it before each start of another event set than the last one, too. */
static int update_control_state(hwd_control_state_t *state,
				NativeInfo_t *native, int count,
				hwd_context_t *context)
{
	struct control *control = state;
	uint64_t taken = 0;

	(void)context;
	if (count > PERFMON_MAX_EVENTS)
		return PAPI_ECOUNT;
	for (int i = 0; i < count; i++)
		mend(control, &native[i]);
	for (int i = 0; i < count; i++)
		find_position(&native[i], &taken);
	return note(control, native, count) ? plan(control) : PAPI_OK;
}

static int set_domain(hwd_control_state_t *state, int domain)
{
	struct control *control = state;

	if (!(domain & (PAPI_DOM_USER | PAPI_DOM_KERNEL)) ||
	    domain & ~(PAPI_DOM_USER | PAPI_DOM_KERNEL))
		return PAPI_EINVAL_DOM;
	control->wanted.domain = domain;
	return plan(control);
}

static int set_target(struct control *control, unsigned long target)
{
	perfmon_session_close(&control->session);
	control->session.options.target = (pid_t)target;
	return PAPI_OK;
}

static int set_inherit(struct control *control, int inherit)
{
	perfmon_session_close(&control->session);
	control->session.options.inherit = inherit;
	return PAPI_OK;
}

static unsigned long turn_of(unsigned long ns)
{
	if (!ns)
		return DEFAULT_TURN;
	return ns < SHORTEST_TURN ? SHORTEST_TURN : ns;
}

static int multiplex(struct control *control, unsigned long *ns)
{
	*ns = turn_of(*ns);
	control->session.options.turn = *ns;
	control->wanted.is_multiplexed = 1;
	return plan(control);
}

static int ctl(hwd_context_t *context, int code, _papi_int_option_t *option)
{
	(void)context;
	switch (code) {
	case PAPI_DOMAIN:
		return set_domain(option->domain.ESI->ctl_state,
				  option->domain.domain);
	case PAPI_GRANUL:
		return option->granularity.granularity == PAPI_GRN_THR ?
			       PAPI_OK :
			       PAPI_ECMP;
	case PAPI_MULTIPLEX:
		return multiplex(option->multiplex.ESI->ctl_state,
				 &option->multiplex.ns);
	case PAPI_DEF_MPX_NS:
		option->multiplex.ns = turn_of(option->multiplex.ns);
		return PAPI_OK;
	case PAPI_ATTACH:
		return set_target(option->attach.ESI->ctl_state,
				  option->attach.tid);
	case PAPI_DETACH:
		return set_target(option->attach.ESI->ctl_state, 0);
	case PAPI_INHERIT:
		return set_inherit(option->inherit.ESI->ctl_state,
				   option->inherit.inherit);
	case PAPI_DEF_ITIMER:
	case PAPI_DEF_ITIMER_NS:
		return PAPI_OK;
	default:
		return PAPI_ENOSUPP;
	}
}

static int start(hwd_context_t *context, hwd_control_state_t *state)
{
	struct control *control = state;

	return perfmon_session_start(&control->session, context);
}

static int stop(hwd_context_t *context, hwd_control_state_t *state)
{
	struct control *control = state;

	(void)context;
	return perfmon_session_stop(&control->session);
}

static int read_counters(hwd_context_t *context, hwd_control_state_t *state,
			 long long **values, int flags)
{
	struct control *control = state;

	(void)context;
	(void)flags;
	*values = control->session.values;
	return perfmon_session_read(&control->session);
}

static int reset(hwd_context_t *context, hwd_control_state_t *state)
{
	struct control *control = state;

	(void)context;
	return perfmon_session_reset(&control->session);
}

static int cleanup_eventset(hwd_control_state_t *state)
{
	struct control *control = state;

	control->wanted.count = 0;
	return plan(control);
}

/* Overflows are PAPI's: a timer looks at the counts. */
static void dispatch_timer(int signal, hwd_siginfo_t *info, void *where)
{
	_papi_hwi_context_t context = { .si = info, .ucontext = where };
	ThreadInfo_t *thread = NULL;

	(void)signal;
	_papi_hwi_dispatch_overflow_signal(&context,
					   GET_OVERFLOW_ADDRESS(context), NULL,
					   0, 0, &thread,
					   _perfmon_vector.cmp_info.CmpIdx);
}

papi_vector_t _perfmon_vector = {
	.cmp_info = {
		.name = PERFMON_NAME,
		.short_name = "", /* see PERFMON_PREFIX */
		.description = "perfmon v3.0: counters of threads, read by RDPMC",
		.version = "1.0",
		.num_mpx_cntrs = PERFMON_MAX_EVENTS,
		.default_domain = PAPI_DOM_USER,
		.available_domains = PAPI_DOM_USER | PAPI_DOM_KERNEL,
		.default_granularity = PAPI_GRN_THR,
		.available_granularities = PAPI_GRN_THR,
		.hardware_intr_sig = PAPI_INT_SIGNAL,
		.kernel_multiplex = 1,
		.fast_counter_read = 1,
		.fast_real_timer = 1,
		.attach = 1,
		/* It need not, but programs let the thread go on only then. */
		.attach_must_ptrace = 1,
		.cntr_umasks = 1,
		.inherit = 1,
	},
	.size = {
		.context = sizeof(struct perfmon_thread),
		.control_state = sizeof(struct control),
		.reg_value = 1,
		.reg_alloc = 1,
	},
	.init_component = init_component,
	.shutdown_component = shutdown_component,
	.init_thread = init_thread,
	.shutdown_thread = shutdown_thread,
	.init_control_state = init_control_state,
	.update_control_state = update_control_state,
	.set_domain = set_domain,
	.ctl = ctl,
	.start = start,
	.stop = stop,
	.read = read_counters,
	.reset = reset,
	.cleanup_eventset = cleanup_eventset,
	.dispatch_timer = dispatch_timer,
	.ntv_enum_events = perfmon_enum_events,
	.ntv_name_to_code = perfmon_name_to_code,
	.ntv_code_to_name = perfmon_code_to_name,
	.ntv_code_to_descr = perfmon_code_to_descr,
};

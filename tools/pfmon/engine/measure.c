// SPDX-License-Identifier: GPL-2.0-only
/* Executing a request, see measure.h. */
#include "engine/measure.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "diag.h"
#include "engine/means.h"
#include "engine/session.h"
#include "engine/system.h"
#include "events/instances.h"
#include "events/loads.h"
#include "events/tables.h"
#include "metrics/formula_set.h"
#include "registers/samplers.h"

/* How many of the default events are only there with -d. */
#define DETAILED 2

/* Each session is a descriptor, and the default of shells is 1024. */
static void raise_descriptors(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static int assign(struct measurement *m)
{
	const struct request *request = m->request;
	const struct sets_wish wish = {
		.split = *request->verb && !request->samples.wanted &&
			 (request->events || m->choice.events[0]),
		.reference = request->reference,
		.levels = request->levels,
		.switch_events = request->switch_events,
		/* A session that is inherited knows no other turns. */
		.timeout_ns = request->means == FOLLOW_KERNEL &&
					      !request->switch_ns ?
				      SETS_TIMEOUT_DEFAULT :
				      request->switch_ns,
	};
	const char *kind = request->system_wide ? system_kind(&m->cpus) : NULL;
	struct pfarg_setinfo info;

	if (session_info(m->spare, &info) ||
	    regmap_read(&m->map, REGMAP_SYSFS) ||
	    (kind && regmap_add_kind(&m->map, REGMAP_SYSFS, kind)) ||
	    events_hardware(&m->events, &m->hardware))
		return -1;
	if (!m->hardware.count)
		return 0;
	if (!request->samples.wanted && samplers_check_counted(&m->hardware))
		return -1;
	events_free(&m->reference);
	return sets_make(&m->sets, &m->hardware, &wish, &m->reference, &m->map,
			 &info);
}

/* Counting may begin after the command, or end before it. */
static bool is_of_a_while(const struct request *request)
{
	return request->timeout_ns || request_waits(request) ||
	       request->control;
}

/*
 * The events that pfmon stat counts if none are named: as many of them as there
 * are, and as fit.
 */
static int assign_default(struct measurement *m)
{
	static const char *const names[] = {
		"task-clock",
		"context-switches",
		"page-faults",
		"cycles",
		"instructions",
		"branches",
		"branch-misses",
		/* if they are wanted */
		"cache-references",
		"cache-misses",
	};
	const struct request *request = m->request;
	size_t count = sizeof(names) / sizeof(names[0]);
	char list[160] = "";
	size_t kept = 0;

	if (!request->detailed)
		count -= DETAILED;
	for (size_t i = 0; i < count; i++) {
		int error;

		/* What the kernel tells of a command when it has ended. */
		if ((!request->command || request->interval_ns ||
		     is_of_a_while(request)) &&
		    alias_soft(names[i]) &&
		    alias_soft(names[i]) != SOFT_TASK_CLOCK)
			continue;
		kept = strlen(list);
		strcat(strcat(list, *list ? "," : ""), names[i]);
		diag_quiet(true);
		error = events_parse(&m->events, list, request->levels) ||
			assign(m);
		diag_quiet(false);
		free(m->hardware.events);
		m->hardware.events = NULL;
		events_free(&m->events);
		if (error)
			list[kept] = '\0';
	}
	return events_parse(&m->events, list, request->levels) || assign(m) ?
		       -1 :
		       0;
}

/* Values that the kernel keeps for a command are not there for all targets. */
static int check_soft(const struct measurement *m)
{
	const struct request *request = m->request;

	for (int i = 0; i < m->events.count; i++) {
		const struct event *event = &m->events.events[i];

		if (event->kernel && !request->system_wide)
			return diag(
				"event %s: counted for the whole machine, not for programs; add -a",
				event->name);
		if (event->kernel)
			continue;
		if (event->soft && event->soft != SOFT_TASK_CLOCK &&
		    (!request->command || request->system_wide))
			return diag(
				"event %s: known of a command only, not of CPUs and of what runs already",
				event->name);
		if (event->soft && event->soft != SOFT_TASK_CLOCK &&
		    request->interval_ns)
			return diag(
				"event %s: known at the end only; not with -I",
				event->name);
		if (event->soft && event->soft != SOFT_TASK_CLOCK &&
		    is_of_a_while(request))
			return diag(
				"event %s: known of the whole command only; not with -D, --timeout and --control",
				event->name);
		if (event->soft && event->soft != SOFT_TASK_CLOCK &&
		    request->grouping != GROUP_ALL)
			return diag(
				"event %s: known of the whole only; count it without rows",
				event->name);
	}
	return 0;
}

/* Events of one metric are counted at the same time if they can be. */
static void gather_clusters(struct measurement *m)
{
	for (int i = 0; m->choice.formulas && i < m->events.count; i++)
		m->events.events[i].cluster = formula_set_cluster(
			m->choice.formulas, m->events.events[i].name);
}

/* Names are looked up before the kernel is asked for anything. */
static int parse_events(struct measurement *m)
{
	const struct request *request = m->request;
	const char *list = request->events;

	if (request->null)
		return 0;
	m->choice.all_cpus = request->system_wide && !request->cpus;
	if ((request->groups && groups_choose(&m->choice, request->groups)) ||
	    (request->metrics &&
	     groups_choose_metrics(&m->choice, request->metrics)))
		return -1;
	if (m->choice.events[0])
		list = m->choice.events;
	if (list && !strcmp(list, LOADS_DEFAULT))
		list = loads_default();
	loads_choose_latency(request->samples.latency);
	if (!list && !*request->verb)
		list = "cycles";
	if (!list)
		return 0;
	if (events_parse(&m->events, list, request->levels) || check_soft(m))
		return -1;
	gather_clusters(m);
	return request->no_merge ? events_split_instances(&m->events) : 0;
}

static int choose_events(struct measurement *m)
{
	if (!m->events.count && !m->request->null)
		return assign_default(m);
	return assign(m);
}

static int open_spare(struct measurement *m)
{
	const struct request *request = m->request;

	if (m->spare >= 0)
		return 0;
	if (m->means == FOLLOW_KERNEL) {
		m->spare = session_create_inherited(!request->follow.forks);
		return m->spare < 0 ? diag("cannot make a session: %s",
					   strerror(errno)) :
				      0;
	}
	m->spare = session_create(REGMAP_SYSFS, request->system_wide);
	return m->spare < 0 ? -1 : 0;
}

/* Which means follow. The session is one for that means then. */
static int choose_means(struct measurement *m)
{
	const struct request *request = m->request;
	const char *further = means_obstacle_of_events(
		sets_take_turns(&m->sets) && m->sets.switch_events,
		turns_for_one_kind(&m->sets),
		samplers_has_records(&m->hardware));
	int inherited = -1, ret;

	m->means = FOLLOW_NONE;
	/* It counts itself. */
	if (request->regions)
		return 0;
	m->members_wait = request->samples.wanted && session_members_wait();
	if (!further)
		further = means_obstacle_of_samples(request, m->members_wait);
	if (request_follows(request) && request->means != FOLLOW_PTRACE &&
	    !means_obstacle(request) && !further && m->remote)
		inherited = session_create_inherited(!request->follow.forks);
	ret = means_choose(request, further, inherited >= 0, &m->means);
	if (!ret && m->means == FOLLOW_KERNEL) {
		close(m->spare);
		m->spare = inherited;
	} else if (inherited >= 0) {
		close(inherited);
	}
	return ret;
}

static int program_spare(struct measurement *m)
{
	if (!m->hardware.count)
		return 0;
	return turns_program(m->spare, &m->sets, 0, &m->hardware);
}

int measure_prepare(struct measurement *m, const struct request *request)
{
	memset(m, 0, sizeof(*m));
	m->request = request;
	m->spare = -1;
	raise_descriptors();
	if (tables_init(request->pmu) || attach_parse(&m->attached, request) ||
	    (request->system_wide && system_cpus(request, &m->cpus)))
		return -1;
	if (parse_events(m) || open_spare(m) || choose_events(m))
		return -1;
	m->remote = session_reaches_running(m->spare);
	if (means_check_running(request, m->remote))
		return -1;
	if (request->control && control_open(&m->control, request->control))
		return -1;
	return choose_means(m) || program_spare(m) ? -1 : 0;
}

int measure_sampled(struct measurement *m, const struct sampling *sampling)
{
	m->sampling = sampling;
	close(m->spare);
	m->spare = -1;
	if (m->request->system_wide)
		return 0;
	m->spare = sampling->open(sampling->arg);
	if (m->spare >= 0)
		return 0;
	if (errno == EINVAL && m->means == FOLLOW_KERNEL)
		return diag(
			"--follow=kernel: this kernel does not sample children by itself (E4); use --follow=ptrace");
	if (errno == ENOMEM)
		return diag(
			"buffer: no memory for samples may be locked; raise ulimit -l");
	if (errno == EBUSY && samplers_has_records(&m->hardware))
		return diag(
			"cannot take samples: PEBS is busy, as while KVM is loaded; leave the p out");
	return diag("cannot take samples: %s", strerror(errno));
}

static void set_started(struct outcome *outcome)
{
	time_t now = time(NULL);
	struct tm utc;

	outcome->started_s = (uint64_t)now;
	strftime(outcome->started, sizeof(outcome->started),
		 "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
}

int measure_request(struct measurement *m, unsigned int run)
{
	const struct request *request = m->request;

	m->outcome = (struct outcome){ .run = run };
	m->skew = (struct skew){ 0 };
	set_started(&m->outcome);
	if (!m->signals_taken)
		signals_take(&m->signals);
	m->signals_taken = true;
	/* The next runs need a session as the first had one. */
	if (run > 1 && !request->system_wide &&
	    (open_spare(m) || program_spare(m)))
		return STATUS_FAILED;
	tally_reset(&m->tally, request->grouping, request->system_wide);
	if (request->regions)
		return measure_marked(m);
	return request->system_wide ? measure_system(m) : measure_tasks(m);
}

void measure_finish(struct measurement *m)
{
	if (m->signals_taken)
		signals_restore(&m->signals);
	if (m->spare >= 0)
		close(m->spare);
	if (m->request->control)
		control_close(&m->control);
	tally_free(&m->tally);
	free(m->hardware.events);
	events_free(&m->reference);
	kernel_counters_close(&m->kernel);
	events_free(&m->events);
	groups_free(&m->choice);
}

uint64_t measure_soft(const struct measurement *m, int event)
{
	const struct outcome *outcome = &m->outcome;

	switch (m->events.events[event].soft) {
	case SOFT_TASK_CLOCK:
		if (m->request->interval_ns)
			return outcome->clock_ns;
		return m->tally.coverage.cpu_ns;
	case SOFT_CONTEXT_SWITCHES:
		return outcome->switches;
	case SOFT_PAGE_FAULTS:
		return outcome->faults;
	case SOFT_MINOR_FAULTS:
		return outcome->faults - outcome->major_faults;
	case SOFT_MAJOR_FAULTS:
		return outcome->major_faults;
	default:
		return 0;
	}
}

// SPDX-License-Identifier: GPL-2.0-only
/* System-wide sessions, see system.h. */
#include "engine/system.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"
#include "engine/idlist.h"
#include "engine/session.h"
#include "registers/regmap.h"

int system_cpus(const struct request *request, cpu_set_t *cpus)
{
	if (request->cpus)
		return idlist_cpus(request->cpus, "-C", cpus);
	if (sched_getaffinity(0, sizeof(*cpus), cpus))
		return diag("cannot list the CPUs: %s", strerror(errno));
	return 0;
}

static int open_cpu(struct cpu_session *session, bool yield,
		    const struct event_sets *sets,
		    const struct event_list *events)
{
	session->session = yield ? session_create_yielding(REGMAP_SYSFS) :
				   session_create(REGMAP_SYSFS, true);
	if (session->session < 0 ||
	    turns_program(session->session, sets, 0, events))
		return -1;
	if (yield && !pfm_attach_session(session->session, 0, session->cpu))
		return 0;
	session->away = yield && errno == EBUSY;
	if (session->away)
		return 0;
	return session_attach_cpu(session->session, session->cpu);
}

static int open_sampled(struct cpu_session *session,
			const struct sampling *sampling)
{
	session->session = sampling->open(sampling->arg);
	if (session->session < 0)
		return diag("cannot sample CPU %d: %s", session->cpu,
			    strerror(errno));
	if (session_attach_cpu(session->session, session->cpu))
		return -1;
	sampling->attached(session->session, NULL, session->cpu, sampling->arg);
	return 0;
}

int system_open(struct cpu_sessions *sessions, const cpu_set_t *cpus,
		const struct event_sets *sets, const struct event_list *events)
{
	sessions->count = 0;
	sessions->list =
		calloc((size_t)CPU_COUNT(cpus) + 1, sizeof(*sessions->list));
	if (!sessions->list)
		return diag("out of memory");
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		struct cpu_session *session = &sessions->list[sessions->count];

		if (!CPU_ISSET(cpu, cpus))
			continue;
		session->cpu = cpu;
		sessions->count++;
		if (sessions->sampling ?
			    open_sampled(session, sessions->sampling) :
			    open_cpu(session, sessions->yield, sets, events))
			return -1;
	}
	return 0;
}

int system_start(const struct cpu_sessions *sessions)
{
	for (int i = 0; i < sessions->count; i++) {
		struct cpu_session *session = &sessions->list[i];

		/* One that yields may have done so already. */
		if (sessions->yield && !session->away)
			session->away = pfm_start_session(session->session, 0);
		else if (!session->away && session_start(session->session))
			return -1;
	}
	return 0;
}

void system_return(const struct cpu_sessions *sessions)
{
	for (int i = 0; i < sessions->count; i++) {
		struct cpu_session *session = &sessions->list[i];

		if (session_has_ended(session->session))
			session->away = true;
		if (session->away)
			session->away =
				session_return(session->session, session->cpu);
	}
}

void system_stop(const struct cpu_sessions *sessions)
{
	for (int i = 0; i < sessions->count; i++)
		session_stop(sessions->list[i].session, false);
}

void system_close(struct cpu_sessions *sessions)
{
	for (int i = 0; i < sessions->count; i++) {
		if (sessions->list[i].session >= 0)
			close(sessions->list[i].session);
	}
	free(sessions->list);
	*sessions = (struct cpu_sessions){ 0 };
}

static enum report_scope scope_of(enum grouping grouping)
{
	switch (grouping) {
	case GROUP_CORES:
		return SCOPE_CORE;
	case GROUP_SOCKETS:
		return SCOPE_SOCKET;
	case GROUP_NODES:
		return SCOPE_NODE;
	default:
		return SCOPE_CPU;
	}
}

int system_read(const struct cpu_sessions *sessions,
		const struct event_sets *sets, struct tally *tally)
{
	for (int i = 0; i < sessions->count; i++) {
		const struct cpu_session *session = &sessions->list[i];
		struct tally_row row = { .scope = scope_of(tally->grouping),
					 .cpu = session->cpu,
					 .cpus = 1 };

		topology_place(row.cpu, tally->grouping, row.place);
		if (turns_read(session->session, sets, 0, false, &row.counted))
			return -1;
		if (sessions->sampling)
			sessions->sampling->ended(session->session, NULL,
						  &row.counted,
						  sessions->sampling->arg);
		if (tally_add(tally, &row))
			return -1;
	}
	return 0;
}

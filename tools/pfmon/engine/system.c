// SPDX-License-Identifier: GPL-2.0-only
/* System-wide sessions, see system.h. */
#include "engine/system.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
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

static bool are_of_kind(const cpu_set_t *cpus, const char *kind)
{
	cpu_set_t of_kind, both;
	char path[96], text[64];
	FILE *file;
	bool known;

	snprintf(path, sizeof(path), REGMAP_SYSFS "/pmu_desc/%s/cpus", kind);
	file = fopen(path, "re");
	if (!file)
		return false;
	known = fscanf(file, "%63s", text) == 1 &&
		!idlist_cpus(text, path, &of_kind);
	fclose(file);
	if (!known)
		return false;
	CPU_AND(&both, cpus, &of_kind);
	return CPU_EQUAL(&both, cpus);
}

const char *system_kind(const cpu_set_t *cpus)
{
	static const char *const kinds[] = { "cpu_core", "cpu_atom" };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (are_of_kind(cpus, kinds[i]))
			return kinds[i];
	return NULL;
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
		enum grouping grouping, const struct event_sets *sets,
		const struct event_list *events)
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
		topology_place(cpu, grouping, session->place);
		sessions->count++;
		if (sessions->sampling ?
			    open_sampled(session, sessions->sampling) :
			    open_cpu(session, sessions->yield, sets, events))
			return -1;
	}
	return 0;
}

/* The kernel has detached the session; what it has counted can be read. */
static void tell_left(struct cpu_session *session)
{
	if (!session->left)
		diag("note: CPU %d went off line; what it has counted is kept",
		     session->cpu);
	session->left = true;
}

/* Not one that was ended by somebody, who has sent a message. */
static bool is_detached(const struct cpu_sessions *sessions,
			const struct cpu_session *session, int error)
{
	const struct sampling *sampling = sessions->sampling;

	if (error != EINVAL || session->away)
		return false;
	return sampling ?
		       !sampling->has_ended(session->session, sampling->arg) :
		       !session_has_ended(session->session);
}

/* Without a list all are taken to be there. */
static void list_online(cpu_set_t *cpus)
{
	char text[4096] = "";
	FILE *file = fopen("/sys/devices/system/cpu/online", "re");
	bool known;

	known = file && fscanf(file, "%4095s", text) == 1 &&
		!idlist_cpus(text, "online", cpus);
	if (file)
		fclose(file);
	if (!known)
		memset(cpus, 0xff, sizeof(*cpus));
}

static int start(const struct cpu_sessions *sessions,
		 struct cpu_session *session)
{
	if (!pfm_start_session(session->session, 0))
		return 0;
	if (!is_detached(sessions, session, errno))
		return diag("cannot start counting: %s", strerror(errno));
	tell_left(session);
	return 0;
}

int system_start(const struct cpu_sessions *sessions)
{
	for (int i = 0; i < sessions->count; i++) {
		struct cpu_session *session = &sessions->list[i];

		/* One that yields may have done so already. */
		if (sessions->yield && !session->away)
			session->away = pfm_start_session(session->session, 0);
		else if (!session->away && start(sessions, session))
			return -1;
	}
	return 0;
}

void system_return(const struct cpu_sessions *sessions)
{
	cpu_set_t online;

	list_online(&online);
	for (int i = 0; i < sessions->count; i++) {
		struct cpu_session *session = &sessions->list[i];

		if (session_has_ended(session->session))
			session->away = true;
		if (!session->away && !CPU_ISSET(session->cpu, &online)) {
			tell_left(session);
			session->away = true;
		}
		if (session->away)
			session->away =
				session_return(session->session, session->cpu);
	}
}

void system_stop(const struct cpu_sessions *sessions)
{
	for (int i = 0; i < sessions->count; i++) {
		struct cpu_session *session = &sessions->list[i];

		if (session_stop(session->session, false) &&
		    is_detached(sessions, session, errno))
			tell_left(session);
	}
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
	case GROUP_DIES:
		return SCOPE_DIE;
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

		memcpy(row.place, session->place, sizeof(row.place));
		if (turns_read(session->session, sets, 0, false, &row.counted))
			return -1;
		if (sessions->sampling)
			sessions->sampling->ended(session->session, NULL,
						  &row.counted,
						  sessions->sampling->arg);
		tally->coverage.off_line += session->left;
		if (tally_add(tally, &row))
			return -1;
	}
	return 0;
}

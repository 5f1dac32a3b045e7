// SPDX-License-Identifier: GPL-2.0-only
/* From a measurement to a report, see present.h. */
#include "report/present.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "diag.h"
#include "engine/clocks.h"

/* pfmon stat tells the levels behind each name. */
static void name_event(const struct event *event, bool with_level,
		       char name[192])
{
	snprintf(name, 192, "%s%s%s%s", event->name,
		 with_level && !event->has_level ? ":" : "",
		 with_level && !event->has_level && event->levels & LEVEL_USER ?
			 "u" :
			 "",
		 with_level && !event->has_level &&
				 event->levels & LEVEL_KERNEL ?
			 "k" :
			 "");
}

static void present_events(struct presented *p, const struct measurement *m)
{
	bool with_level = *m->request->verb;
	int hardware = 0;

	for (int i = 0; i < m->events.count; i++) {
		const struct event *event = &m->events.events[i];
		struct report_event *shown = &p->events[i];

		name_event(event, with_level, p->names[i]);
		*shown = (struct report_event){
			.meaning = event->meaning,
			.name = p->names[i],
			.native = event->full_name ? event->full_name :
						     event->name,
			.level = event_level_name(event),
			.unit = event->soft == SOFT_TASK_CLOCK ? "ns" : "",
			.has_counter = !event->soft,
		};
		if (event->soft)
			continue;
		shown->counter = m->plan.pmds[hardware].reg_num;
		shown->selector = m->plan.selectors[hardware++];
	}
}

static void present_row(struct presented *p, const struct measurement *m,
			const struct tally_row *row)
{
	int events = m->events.count, hardware = 0;
	int number = p->report.row_count++;
	uint64_t *counts = p->counts + (size_t)number * (size_t)events;

	for (int i = 0; i < events; i++) {
		enum event_soft soft = m->events.events[i].soft;

		counts[i] = soft ? measure_soft(m, soft) :
				   row->counts[hardware++];
	}
	p->rows[number] = (struct report_row){
		.scope = row->scope,
		.pid = row->pid,
		.tid = row->tid,
		.ppid = row->ppid,
		.cpu = row->cpu,
		.comm = row->scope == SCOPE_THREAD ||
					row->scope == SCOPE_PROCESS ?
				row->comm :
				NULL,
		.counts = counts,
		.counted_ns = row->counted_ns,
	};
}

static int allocate(struct presented *p, const struct measurement *m)
{
	size_t events = (size_t)m->events.count;
	size_t rows = (size_t)m->tally.count + 1;

	p->events = calloc(events + 1, sizeof(*p->events));
	p->names = calloc(events + 1, sizeof(*p->names));
	p->rows = calloc(rows, sizeof(*p->rows));
	p->counts = calloc(events * rows + 1, sizeof(*p->counts));
	p->host = calloc(1, sizeof(*p->host));
	if (!p->events || !p->names || !p->rows || !p->counts || !p->host)
		return diag("out of memory");
	return 0;
}

static const char *scope_of(const struct request *request)
{
	if (request->system_wide)
		return "system";
	return request->command ? "command" : "attached";
}

static const char *means_of(const struct request *request)
{
	if (request->system_wide)
		return "none";
	return request_follows(request) ? "ptrace" : "none";
}

static void present_run(struct report *report, const struct measurement *m)
{
	const struct request *request = m->request;
	const struct outcome *outcome = &m->outcome;

	*report = (struct report){
		.verb = request->verb,
		.command = request->command,
		.model = m->map.model,
		.follow = means_of(request),
		.advice = request->advice,
		.scope = scope_of(request),
		.started = outcome->started,
		.exit_status = measure_exit_status(outcome->wait_status),
		.run = outcome->run,
		.elapsed_ns = outcome->elapsed_ns,
		.user_ns = outcome->user_ns,
		.sys_ns = outcome->sys_ns,
		.coverage = m->tally.coverage,
		.event_count = m->events.count,
	};
}

int present(struct presented *p, const struct measurement *m)
{
	*p = (struct presented){ 0 };
	if (allocate(p, m))
		return -1;
	present_run(&p->report, m);
	present_events(p, m);
	for (int i = 0; i < m->tally.count; i++)
		present_row(p, m, &m->tally.rows[i]);
	/* Rows of CPUs or threads need no sum in 3.x's text. */
	if (!m->tally.count || *m->request->verb)
		present_row(p, m, &m->tally.total);
	if (!uname(p->host)) {
		p->report.host = p->host->nodename;
		p->report.kernel = p->host->release;
	}
	p->report.events = p->events;
	p->report.rows = p->rows;
	return 0;
}

void present_free(struct presented *p)
{
	free(p->events);
	free(p->names);
	free(p->rows);
	free(p->counts);
	free(p->host);
}

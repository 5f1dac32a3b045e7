// SPDX-License-Identifier: GPL-2.0-only
/* From a measurement to a report, see present.h. */
#include "report/present.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "diag.h"
#include "engine/clocks.h"
#include "engine/means.h"
#include "report/rank.h"

/* pfmon stat tells the levels behind each name. */
static void name_event(const struct event *event, bool with_level,
		       char name[192])
{
	size_t length = strlen(event->name);
	/* As perf: cpu/event=0xc0/u. */
	bool slash = length && event->name[length - 1] == '/';

	snprintf(name, 192, "%s%s%s%s", event->name,
		 with_level && !event->has_level && !slash ? ":" : "",
		 with_level && !event->has_level && event->levels & LEVEL_USER ?
			 "u" :
			 "",
		 with_level && !event->has_level &&
				 event->levels & LEVEL_KERNEL ?
			 "k" :
			 "");
}

static void present_counter(struct report_event *shown,
			    const struct event_sets *sets, int event)
{
	const struct event_set *set = &sets->list[sets->set_of[event]];
	int place = sets->place_of[event];

	shown->set = sets->set_of[event];
	shown->counter = set->plan.pmds[place].reg_num;
	shown->selector = set->plan.selectors[place];
}

static const char *unit_of(const struct event *event)
{
	if (event->kernel)
		return event->kernel->unit;
	return event->soft == SOFT_TASK_CLOCK ? "ns" : "";
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
			.given = event->name,
			.native = event->full_name ? event->full_name :
						     event->name,
			.level = event_level_name(event),
			.unit = unit_of(event),
			.has_counter = !event->soft,
			.of_machine = event->kernel,
		};
		if (event->soft)
			continue;
		present_counter(shown, &m->sets, hardware++);
	}
}

static uint64_t sum(const uint64_t values[SETS_MAX])
{
	uint64_t all = 0;

	for (int i = 0; i < SETS_MAX; i++)
		all += values[i];
	return all;
}

/* What the count of an event, which one of the sets has, means for the whole. */
static struct estimate estimate_event(const struct measurement *m, int event,
				      const struct turns_counts *counted)
{
	const struct event_sets *sets = &m->sets;
	const struct event *one = &m->hardware.events[event];
	const struct event *reference = sets->reference;
	const uint64_t *parts = reference ? counted->reference :
					    counted->active_ns;
	struct estimate estimate;
	unsigned int most = 0;

	if (reference && one->levels == reference->levels &&
	    !modifiers_any(&one->modifiers))
		most = alias_most(one->meaning, reference->meaning);
	estimate = estimate_make(counted->counts[event],
				 parts[sets->set_of[event]], sum(parts), most);
	/* Of the reference itself no part is missing. */
	if (event == sets->reference_event) {
		estimate.value = estimate.low = estimate.high = sum(parts);
		estimate.bounded = true;
		estimate.seen = 1;
	}
	return estimate;
}

/* Of all counters, of the counters of a CPU, or of the counters of a place. */
static struct kernel_value kernel_value(const struct measurement *m, int event,
					const struct tally_row *row)
{
	return kernel_counters_value(&m->kernel, event,
				     row->scope == SCOPE_TOTAL ? -1 : row->cpu,
				     row->place);
}

/* Of counters that others have had, or whose CPU was off line, a part was seen. */
static struct estimate estimate_soft(const struct measurement *m, int event,
				     const struct tally_row *row,
				     uint64_t count)
{
	struct kernel_value value;

	if (!m->events.events[event].kernel)
		return estimate_make(count, 1, 1, 1);
	value = kernel_value(m, event, row);
	return estimate_make(count, value.running, value.enabled, 0);
}

/* Of a row that is not the whole only the time is known, that it was counted for. */
static uint64_t soft_value(const struct measurement *m, int event,
			   const struct tally_row *row)
{
	if (m->events.events[event].soft == SOFT_TASK_CLOCK &&
	    row->scope != SCOPE_TOTAL)
		return row->counted.counted_ns;
	if (m->events.events[event].kernel)
		return kernel_value(m, event, row).count;
	return measure_soft(m, event);
}

/* Which events of other PMUs have no counter in the row, or have lost it. */
static void present_absent(struct presented *p, const struct measurement *m,
			   const struct tally_row *row, size_t first)
{
	for (int i = 0; p->absent && i < m->events.count; i++)
		p->absent[first + (size_t)i] = m->events.events[i].kernel &&
					       !kernel_value(m, i, row).there;
}

/* Sessions of threads know it at the end; in an interval the CPU clock does. */
static uint64_t counted_time(const struct measurement *m,
			     const struct tally_row *row)
{
	const struct request *request = m->request;

	return request->interval_ns && !request->system_wide &&
			       row->scope == SCOPE_TOTAL ?
		       m->outcome.clock_ns :
		       row->counted.counted_ns;
}

static void present_row(struct presented *p, const struct measurement *m,
			const struct tally_row *row)
{
	int events = m->events.count, hardware = 0;
	int number = p->report.row_count++;
	size_t first = (size_t)number * (size_t)events;
	uint64_t *counts = p->counts + first;
	struct estimate *estimates = p->estimates ? p->estimates + first : NULL;
	bool turns = sets_take_turns(&m->sets);

	present_absent(p, m, row, first);
	for (int i = 0; i < events; i++) {
		enum event_soft soft = m->events.events[i].soft;

		counts[i] = soft ? soft_value(m, i, row) :
				   row->counted.counts[hardware++];
		if (!estimates)
			continue;
		if (soft)
			estimates[i] = estimate_soft(m, i, row, counts[i]);
		else if (turns)
			estimates[i] =
				estimate_event(m, hardware - 1, &row->counted);
		else
			estimates[i] = estimate_make(counts[i], 1, 1, 1);
		counts[i] = estimates[i].value;
	}
	p->rows[number] = (struct report_row){
		.scope = row->scope,
		.pid = row->pid,
		.tid = row->tid,
		.ppid = row->ppid,
		.cpu = row->cpu,
		.place = row->place,
		.cpus = row->cpus,
		.comm = row->scope == SCOPE_THREAD ||
					row->scope == SCOPE_PROCESS ?
				row->comm :
				NULL,
		.counts = counts,
		.absent = p->absent ? p->absent + first : NULL,
		.estimates = estimates,
		.set_runs = row->counted.runs,
		.set_ns = row->counted.active_ns,
		.counted_ns = counted_time(m, row),
	};
}

static int allocate(struct presented *p, const struct measurement *m)
{
	size_t events = (size_t)m->events.count;
	size_t rows = (size_t)m->tally.count + 1;
	bool estimated = sets_take_turns(&m->sets) ||
			 kernel_counters_partial(&m->kernel);

	p->events = calloc(events + 1, sizeof(*p->events));
	p->names = calloc(events + 1, sizeof(*p->names));
	p->rows = calloc(rows, sizeof(*p->rows));
	p->counts = calloc(events * rows + 1, sizeof(*p->counts));
	p->host = calloc(1, sizeof(*p->host));
	if (estimated)
		p->estimates = calloc(events * rows + 1, sizeof(*p->estimates));
	if (m->kernel.count)
		p->absent = calloc(events * rows + 1, sizeof(*p->absent));
	if ((estimated && !p->estimates) || (m->kernel.count && !p->absent) ||
	    !p->events || !p->names || !p->rows || !p->counts || !p->host)
		return diag("out of memory");
	return 0;
}

static const char *scope_of(const struct request *request)
{
	if (request->system_wide)
		return "system";
	return request->command ? "command" : "attached";
}

/* How to get full coverage. */
static const char *advice_of(const struct measurement *m)
{
	return m->means == FOLLOW_KERNEL ?
		       "raise ulimit -l or /sys/kernel/perfmon/inherit_max, or use --follow=ptrace" :
		       m->request->advice;
}

static void present_run(struct report *report, const struct measurement *m)
{
	const struct request *request = m->request;
	const struct outcome *outcome = &m->outcome;

	*report = (struct report){
		.verb = request->verb,
		.command = request->command,
		.model = m->map.model,
		.follow = means_name(m->means),
		.advice = advice_of(m),
		.scope = scope_of(request),
		.started = outcome->started,
		.started_s = outcome->started_s,
		.rank = rank_own(),
		.ranks = rank_count(),
		.job = rank_job(),
		.exit_status = measure_exit_status(outcome->wait_status),
		.run = outcome->run,
		.elapsed_ns = outcome->elapsed_ns,
		.user_ns = outcome->user_ns,
		.sys_ns = outcome->sys_ns,
		.skew_ns = m->kernel.count ?
				   m->skew.start_ns + m->skew.read_ns :
				   0,
		.coverage = m->tally.coverage,
		.event_count = m->events.count,
		.metrics = m->choice.metrics,
		.formulas = m->choice.formulas,
		.metric_count = m->choice.metric_count,
		.cpu_hz = m->choice.metric_count ? clocks_cpu_hz() : 0,
		.sets = m->sets.count,
		.reference = m->sets.reference ? m->sets.reference->name : NULL,
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
	free(p->estimates);
	free(p->absent);
	free(p->host);
}

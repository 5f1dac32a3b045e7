// SPDX-License-Identifier: GPL-2.0-only
/*
 * Precise samples, see precise.h.
 *
 * As in Linux, the op unit of AMD's IBS samples what two counters would count: cycles, and
 * ops. It cannot leave out a level, but the kernel drops samples of its own code. Intel's are
 * in pebs.c.
 */
#include "events/precise.h"

#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "events/pebs.h"
#include "events/selector.h"
#include "events/tables.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* Event codes of AMD's counters. */
#define CODE_CYCLES 0x76
#define CODE_OPS 0xc1

/* Of the control of the op unit: count ops and not cycles. */
#define OP_COUNTS_OPS (1ull << 19)

/* The code with its unit mask and all that qualifies it; UINT64_MAX: not known. */
static uint64_t code_of(const struct event *event)
{
	int code = 0;

	if (event->by_value)
		return event->selector &
		       ~(SEL_USR | SEL_OS | SEL_ENABLE | SEL_INT);
	if (event->found.num_masks ||
	    pfm_get_event_code(event->found.event, &code) != PFMLIB_SUCCESS)
		return UINT64_MAX;
	return (uint64_t)code;
}

/* The name that reports have. -1 after a message. */
static int set_name(struct event *event, const char *name)
{
	free(event->full_name);
	event->full_name = strdup(name);
	return event->full_name ? 0 : diag("out of memory");
}

/* What no unit of IBS can do. -1 after a message. */
static int check_modifiers(const struct event *event)
{
	if (event->modifiers.precise > 2)
		return diag(
			"event %s: IBS does not spread its samples evenly (ppp); write pp",
			event->name);
	if (modifiers_any(&event->modifiers))
		return diag(
			"event %s: IBS has no modifiers but u, k and p; leave the others out",
			event->name);
	if (event->levels == LEVEL_KERNEL)
		return diag(
			"event %s: IBS does not sample the kernel alone; write :u, or :uk",
			event->name);
	return 0;
}

static bool is_amd(void)
{
	return tables_type() == PFMLIB_AMD64_PMU;
}

int precise_choose(struct event *event)
{
	uint64_t code = code_of(event);
	bool ops = code == CODE_OPS;

	if (!is_amd())
		return pebs_choose(event);
	if (check_modifiers(event))
		return -1;
	if (code != CODE_CYCLES && !ops)
		return diag(
			"event %s: of this processor only cycles:p and ops:p have precise samples",
			event->name);
	event->sampler = SAMPLER_IBS_OP;
	event->sampler_control = ops ? OP_COUNTS_OPS : 0;
	return set_name(event, ops ? "ibs_op/cnt_ctl=1/" : "ibs_op//");
}

/* The units, and perf's words for bits of their controls. */
static const struct unit {
	const char *name;
	enum event_sampler sampler;
	struct {
		const char *name;
		unsigned int bit;
	} terms[2];
} units[] = {
	{ "ibs_op/",
	  SAMPLER_IBS_OP,
	  { { "cnt_ctl", 19 }, { "l3missonly", 16 } } },
	{ "ibs_fetch/",
	  SAMPLER_IBS_FETCH,
	  { { "rand_en", 57 }, { "l3missonly", 59 } } },
};

static const struct unit *unit_of(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (!strncmp(name, units[i].name, strlen(units[i].name)))
			return &units[i];
	return NULL;
}

bool precise_is_unit(const char *name)
{
	return unit_of(name);
}

/* One of the terms, of len characters: "cnt_ctl=1", or "cnt_ctl". -1 after a message. */
static int take_term(struct event *event, const struct unit *unit,
		     const char *text, size_t len)
{
	size_t name = strcspn(text, "=,/");
	const char *value = name < len ? text + name + 1 : "1";
	size_t digits = name < len ? len - name - 1 : 1;

	for (size_t i = 0; i < ARRAY_SIZE(unit->terms); i++) {
		uint64_t bit = 1ull << unit->terms[i].bit;

		if (strlen(unit->terms[i].name) != name ||
		    strncmp(unit->terms[i].name, text, name) != 0)
			continue;
		if (digits != 1 || (*value != '0' && *value != '1'))
			return diag("event %s: %.*s: must be 0 or 1",
				    event->name, (int)len, text);
		event->sampler_control &= ~bit;
		event->sampler_control |= *value == '1' ? bit : 0;
		return 0;
	}
	return diag("event %s: no term %.*s; %.*s has %s and %s", event->name,
		    (int)name, text, (int)strlen(unit->name) - 1, unit->name,
		    unit->terms[0].name, unit->terms[1].name);
}

/* The letters behind the last slash. */
static int take_modifiers(struct event *event, const char *text,
			  unsigned int levels)
{
	text += *text == ':';
	if (*text && !modifiers_parse(&event->modifiers, text, strlen(text)))
		return modifiers_refuse(event->name, text,
					"there are u, k and p");
	event->levels = event->modifiers.levels;
	event->has_level = event->levels;
	if (!event->levels)
		event->levels = levels;
	return check_modifiers(event);
}

int precise_parse_unit(struct event *event, unsigned int levels)
{
	const struct unit *unit = unit_of(event->name);
	const char *text = event->name + strlen(unit->name), *end;
	char *name;
	int ret;

	if (!is_amd())
		return diag("event %s: of processors of AMD only", event->name);
	event->sampler = unit->sampler;
	while (*text && *text != '/') {
		size_t len = strcspn(text, ",/");

		if (take_term(event, unit, text, len))
			return -1;
		text += len + (text[len] == ',');
	}
	end = text;
	if (*end != '/')
		return diag("event %s: a slash must end the terms",
			    event->name);
	if (take_modifiers(event, end + 1, levels))
		return -1;
	name = strndup(event->name, (size_t)(end + 1 - event->name));
	ret = name ? set_name(event, name) : diag("out of memory");
	free(name);
	if (unit->sampler == SAMPLER_IBS_OP &&
	    !(event->sampler_control & OP_COUNTS_OPS))
		event->meaning = MEANS_CYCLES;
	return ret;
}

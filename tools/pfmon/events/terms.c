// SPDX-License-Identifier: GPL-2.0-only
/* Events as perf writes them, see terms.h. */
#include "events/terms.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "diag.h"
#include "events/coded.h"
#include "events/modifiers.h"
#include "events/resolve.h"
#include "events/selector.h"
#include "events/tables.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define MARKS ",;{}"
#define PMU "cpu/"

/* What processors have, as flags of a term and of a model. */
#define ALL 0x1u /* that have selectors */
#define AMD 0x2u
#define INTEL 0x4u
#define ANY 0x8u
#define OFFCORE 0x10u
#define TRANSACTIONS 0x20u
#define FRONTEND 0x40u
#define LATENCY 0x80u
#define BIG (OFFCORE | LATENCY | TRANSACTIONS | FRONTEND)

/* What kind of place a term has. */
enum place { SELECTOR, EVENT_NUMBER, MODIFIER, EXTRA, WHOLE };

static const struct term {
	const char *name;
	unsigned int of; /* the processors that have it */
	unsigned int shift, bits;
	enum place place;
	char modifier; /* what does the same to an event with a name */
	enum coding_kind kind;
} terms[] = {
	{ "event", AMD, 0, 12, EVENT_NUMBER, 0, CODING_PLAIN },
	{ "event", INTEL, 0, 8, EVENT_NUMBER, 0, CODING_PLAIN },
	{ "umask", ALL, 8, 8, SELECTOR, 0, CODING_PLAIN },
	{ "edge", ALL, 18, 1, MODIFIER, 'e', CODING_PLAIN },
	{ "pc", INTEL, 19, 1, SELECTOR, 0, CODING_PLAIN },
	{ "any", ANY, 21, 1, MODIFIER, 't', CODING_PLAIN },
	{ "inv", ALL, 23, 1, MODIFIER, 'i', CODING_PLAIN },
	{ "cmask", ALL, 24, 8, MODIFIER, 'c', CODING_PLAIN },
	{ "in_tx", TRANSACTIONS, 32, 1, SELECTOR, 0, CODING_PLAIN },
	{ "in_tx_cp", TRANSACTIONS, 33, 1, SELECTOR, 0, CODING_PLAIN },
	{ "offcore_rsp", OFFCORE, 0, 60, EXTRA, 0, CODING_OFFCORE },
	{ "frontend", FRONTEND, 0, 24, EXTRA, 0, CODING_FRONTEND },
	{ "ldlat", LATENCY, 0, 16, EXTRA, 0, CODING_LATENCY },
	{ "config", ALL, 0, 64, WHOLE, 0, CODING_PLAIN },
};

/* The terms of an event. */
struct parsed {
	const struct event *event;
	unsigned int has; /* flags of the model */
	struct coding coding;
	char name[128]; /* of an event, "" if there is none */
	char modifiers[64]; /* for it */
	bool coded; /* a term has said a part of the code */
};

static bool is_pmu(const char *name, size_t len)
{
	static const char *const pmus[] = { "cpu", "cpu_core", "cpu_atom" };

	for (size_t i = 0; i < ARRAY_SIZE(pmus); i++)
		if (strlen(pmus[i]) == len && !strncasecmp(name, pmus[i], len))
			return true;
	return false;
}

/* The slash that ends the terms, NULL: there is none. */
static const char *closing_slash(const char *open)
{
	const char *slash = open + 1 + strcspn(open + 1, "/;{}");
	const char *comma = slash;

	if (*slash != '/')
		return NULL;
	while (comma > open && *comma != ',')
		comma--;
	/* That of the next event, as in cpu_core/a,cpu_atom/b. */
	if (comma > open && is_pmu(comma + 1, (size_t)(slash - comma - 1)))
		return NULL;
	return slash;
}

size_t terms_length(const char *list)
{
	size_t len = strcspn(list, MARKS);
	const char *open = memchr(list, '/', len);
	const char *close = open ? closing_slash(open) : NULL;

	if (!close)
		return len;
	return (size_t)(close - list) + strcspn(close, MARKS);
}

bool terms_is(const char *name)
{
	const char *open = strchr(name, '/');

	if (!open)
		return false;
	return !strncasecmp(name, PMU, strlen(PMU)) ||
	       !is_pmu(name, (size_t)(open - name)) || strpbrk(open, ",=");
}

/* What Linux lists for a model. */
static unsigned int flags_of(int type)
{
	switch (type) {
	case PFMLIB_AMD64_PMU:
		return ALL | AMD;
	case PFMLIB_INTEL_NHM_PMU:
	case PFMLIB_INTEL_WSM_PMU:
	case PFMLIB_INTEL_SNB_PMU:
	case PFMLIB_INTEL_IVB_PMU:
		return ALL | INTEL | ANY | OFFCORE | LATENCY;
	case PFMLIB_INTEL_HSW_PMU:
	case PFMLIB_INTEL_BDW_PMU:
		return ALL | INTEL | ANY | OFFCORE | LATENCY | TRANSACTIONS;
	case PFMLIB_INTEL_SKL_PMU:
		return ALL | INTEL | ANY | BIG;
	case PFMLIB_INTEL_ICL_PMU:
	case PFMLIB_INTEL_SPR_PMU:
	case PFMLIB_INTEL_GLC_PMU:
	case PFMLIB_INTEL_RWC_PMU:
	case PFMLIB_INTEL_LNC_PMU:
	case PFMLIB_INTEL_HYBRID_PMU:
		return ALL | INTEL | BIG;
	case PFMLIB_INTEL_SLM_PMU:
	case PFMLIB_INTEL_GLM_PMU:
	case PFMLIB_INTEL_KNL_PMU:
		return ALL | INTEL | ANY | OFFCORE;
	case PFMLIB_INTEL_TMT_PMU:
	case PFMLIB_INTEL_GRT_PMU:
	case PFMLIB_INTEL_CMT_PMU:
	case PFMLIB_INTEL_SKT_PMU:
		return ALL | INTEL | OFFCORE | LATENCY;
	case PFMLIB_CORE_PMU:
	case PFMLIB_INTEL_ATOM_PMU:
	case PFMLIB_GEN_IA32_PMU:
		return ALL | INTEL | ANY;
	case PFMLIB_I386_P6_PMU:
	case PFMLIB_I386_PM_PMU:
	case PFMLIB_INTEL_PPRO_PMU:
	case PFMLIB_INTEL_PII_PMU:
	case PFMLIB_COREDUO_PMU:
		return ALL | INTEL;
	default:
		return 0;
	}
}

static int refuse_term(const struct parsed *parsed, const char *text,
		       size_t len)
{
	char known[160] = "";

	for (size_t i = 0; i < ARRAY_SIZE(terms); i++)
		if (terms[i].of & parsed->has)
			strcat(strcat(known, *known ? ", " : ""),
			       terms[i].name);
	return diag("event %s: no term %.*s; %s has %s", parsed->event->name,
		    (int)len, text, tables_pmu(), known);
}

/* The number behind the equals sign, or 1 without one. -1 after a message. */
static int take_value(const struct parsed *parsed, const struct term *term,
		      const char *text, size_t len, uint64_t *value)
{
	size_t name = strlen(term->name);
	uint64_t most = term->bits < 64 ? (1ull << term->bits) - 1 : UINT64_MAX;
	char digits[32] = "1", *end;

	if (len > name + sizeof(digits))
		return diag("event %s: %.*s: not a number", parsed->event->name,
			    (int)len, text);
	if (len > name)
		snprintf(digits, sizeof(digits), "%.*s", (int)(len - name - 1),
			 text + name + 1);
	errno = 0;
	*value = strtoull(digits, &end, 0);
	if (!isdigit((unsigned char)*digits) || *end ||
	    (len == name && term->bits > 1))
		return diag("event %s: %.*s: must be a number, as %s=0x1",
			    parsed->event->name, (int)len, text, term->name);
	if (errno || *value > most)
		return diag("event %s: %.*s: at most 0x%llx",
			    parsed->event->name, (int)len, text,
			    (unsigned long long)most);
	return 0;
}

static void set_bits(struct parsed *parsed, const struct term *term,
		     uint64_t value)
{
	uint64_t mask = (term->bits < 64 ? 1ull << term->bits : 0) - 1;
	uint64_t *selector = &parsed->coding.selector;

	if (term->place == EVENT_NUMBER) {
		*selector &= ~(0xffull | 0xfull << SEL_EVENT_HIGH);
		*selector |= (value & 0xff) | (value >> 8) << SEL_EVENT_HIGH;
		return;
	}
	*selector = (*selector & ~(mask << term->shift)) | value << term->shift;
}

/* The same for an event with a name. */
static void add_modifier(struct parsed *parsed, const struct term *term,
			 uint64_t value)
{
	size_t used = strlen(parsed->modifiers);

	if (term->modifier == 'c')
		snprintf(parsed->modifiers + used,
			 sizeof(parsed->modifiers) - used, ":c=%u",
			 (unsigned int)value);
	else if (value)
		snprintf(parsed->modifiers + used,
			 sizeof(parsed->modifiers) - used, ":%c",
			 term->modifier);
}

static int take_term(struct parsed *parsed, const struct term *term,
		     const char *text, size_t len)
{
	uint64_t value = 0;

	if (take_value(parsed, term, text, len, &value))
		return -1;
	switch (term->place) {
	case EXTRA:
		parsed->coding.value = value;
		parsed->coding.kind = term->kind;
		parsed->coded = true;
		return 0;
	case MODIFIER:
		add_modifier(parsed, term, value);
		break;
	default:
		parsed->coded = true;
		break;
	}
	set_bits(parsed, term, value);
	return 0;
}

/* A term without a value that is none of the processor's is the name of an event. */
static int take_name(struct parsed *parsed, const char *text, size_t len)
{
	if (*parsed->name)
		return diag("event %s: %s and %.*s: two names; give one",
			    parsed->event->name, parsed->name, (int)len, text);
	if (len >= sizeof(parsed->name))
		return diag("event %s: a name is too long",
			    parsed->event->name);
	snprintf(parsed->name, sizeof(parsed->name), "%.*s", (int)len, text);
	return 0;
}

static int take_one(struct parsed *parsed, const char *text, size_t len)
{
	size_t name = strcspn(text, ",=/");

	for (size_t i = 0; i < ARRAY_SIZE(terms); i++)
		if (strlen(terms[i].name) == name &&
		    !strncmp(terms[i].name, text, name) &&
		    terms[i].of & parsed->has)
			return take_term(parsed, &terms[i], text, len);
	if (!len)
		return diag(
			"event %s: empty term; separate terms by single commas",
			parsed->event->name);
	if (name < len)
		return refuse_term(parsed, text, name);
	return take_name(parsed, text, len);
}

/* The text for an event with a name: with its kind, and modifiers. */
static int resolve_named(struct event *event, const struct parsed *parsed,
			 size_t pmu, const char *modifiers)
{
	bool of_kind = pmu > strlen(PMU);
	char text[256];

	if (parsed->coded)
		return diag(
			"event %s: %s has a code; beside a name only edge, any, inv and cmask are possible",
			event->name, parsed->name);
	snprintf(text, sizeof(text), "%.*s%s%s%s%s", of_kind ? (int)pmu : 0,
		 event->name, parsed->name, parsed->modifiers,
		 *modifiers ? ":" : "", modifiers);
	return resolve_event(event, text);
}

/* Linux' codes for fixed counters: event 0, and the number of the counter from 1. */
static void use_fixed(struct coding *coding)
{
	static const uint64_t same[] = { 0xc0, 0x3c, 0, 0 };
	uint64_t umask = SEL_UMASK(coding->selector);

	if (tables_type() == PFMLIB_AMD64_PMU || !umask ||
	    umask > ARRAY_SIZE(same) || coding->selector != umask << 8)
		return;
	coding->fixed = (unsigned int)umask;
	coding->selector = same[umask - 1];
}

static int resolve_coded(struct event *event, const struct parsed *parsed,
			 size_t pmu, const char *modifiers)
{
	bool of_kind = pmu > strlen(PMU);
	char kind[32];

	event->by_value = true;
	event->coding = parsed->coding;
	use_fixed(&event->coding);
	if (*modifiers &&
	    !modifiers_parse(&event->modifiers, modifiers, strlen(modifiers)))
		return modifiers_refuse(event->name, modifiers,
					"there are u and k");
	snprintf(kind, sizeof(kind), "%.*s", (int)pmu, event->name);
	if (of_kind && coded_of_kind(&event->coding, kind, event->name))
		return -1;
	event->full_name = coded_spell(&event->coding);
	if (!event->full_name)
		return diag("out of memory");
	return coded_modify(&event->coding, &event->modifiers, event->name);
}

static int check_form(const struct event *event, const char *open,
		      unsigned int has)
{
	const char *close = closing_slash(open);

	if (!is_pmu(event->name, (size_t)(open - event->name)))
		return diag("event %s: %s %.*s; %s", event->name,
			    kernel_pmu_known() ? "this machine has no PMU" :
						 "nothing is known of PMU",
			    (int)(open - event->name), event->name,
			    kernel_pmu_known() ?
				    "pfmon list --system lists their events" :
				    KERNEL_PMU_UNKNOWN);
	if (!close)
		return diag("event %s: a slash must end the terms",
			    event->name);
	if (!tables_pmu() || !has)
		return diag(
			"event %s: terms are known for processors with event select registers only",
			event->name);
	return 0;
}

int terms_parse(struct event *event)
{
	const char *open = strchr(event->name, '/'), *close, *text;
	struct parsed parsed = { .event = event,
				 .has = flags_of(tables_type()) };
	size_t pmu = (size_t)(open - event->name) + 1;

	if (check_form(event, open, parsed.has))
		return -1;
	close = closing_slash(open);
	for (text = open + 1; text <= close; text++) {
		size_t len = strcspn(text, ",/");

		if (take_one(&parsed, text, len))
			return -1;
		text += len;
	}
	text = close + 1 + (close[1] == ':');
	return *parsed.name ? resolve_named(event, &parsed, pmu, text) :
			      resolve_coded(event, &parsed, pmu, text);
}

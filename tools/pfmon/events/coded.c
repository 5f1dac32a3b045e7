// SPDX-License-Identifier: GPL-2.0-only
/* Events by their codes, see coded.h. */
#include "events/coded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "diag.h"
#include "events/loads.h"
#include "events/selector.h"
#include "events/tables.h"
#include "names/generic.h"
#include "names/makers.h"

/* Only one kind of core counts a selector or an off-core value with these. */
#define SEL_KIND(atom) (1ull << (62 + (atom)))
#define EXTRA_KIND(atom) (1ull << (60 + (atom)))

#define CORE "cpu_core/"
#define ATOM "cpu_atom/"

/* A name on its way: what it means on one kind of core. */
struct meaning {
	bool known; /* it is a generic name, if nothing is found either */
	bool found;
	struct coding coding;
	char full_name[MAKERS_NAME_MAX];
};

static void find_on(const char *name, size_t len,
		    const struct processor *processor, bool atom,
		    struct meaning *meaning)
{
	int number = generic_number(name, len);
	const char *native = "";

	memset(meaning, 0, sizeof(*meaning));
	meaning->known = number >= 0;
	if (loads_find(name, len, &meaning->coding))
		meaning->found = true;
	else if (meaning->known)
		meaning->found = generic_find(number, processor, atom,
					      &meaning->coding, &native);
	else
		meaning->found = makers_find(name, len, processor, atom,
					     &meaning->coding,
					     meaning->full_name);
	if (*native)
		strcpy(meaning->full_name, native);
}

static enum coded_result refuse(const char *event, const char *why)
{
	diag("event %s: %s", event, why);
	return CODED_REFUSED;
}

static bool is_same(const struct coding *a, const struct coding *b)
{
	return a->selector == b->selector && a->value == b->value &&
	       a->kind == b->kind && a->fixed == b->fixed;
}

/* Of a processor with both kinds of core. */
static enum coded_result find_on_both(const char *name, size_t len,
				      const struct processor *processor,
				      const char *event,
				      struct meaning *meaning)
{
	struct meaning atom;

	find_on(name, len, processor, false, meaning);
	find_on(name, len, processor, true, &atom);
	if (meaning->found && atom.found &&
	    is_same(&meaning->coding, &atom.coding))
		return CODED_FOUND;
	if (!meaning->found && !atom.found)
		return CODED_UNKNOWN;
	diag("event %s: the kinds of core do not count it alike; choose one, as cpu_core/%.*s/",
	     event, (int)len, name);
	return CODED_REFUSED;
}

/* What is found cannot be counted. */
static enum coded_result judge(const struct coding *coding, const char *event)
{
	if (coding->fixed == CODING_NO_COUNTER)
		return refuse(
			event,
			"is counted by a fixed counter that perfmon does not have");
	return CODED_FOUND;
}

/* Of a processor that has one kind only, all CPUs count it. */
static void set_kind(struct coding *coding, bool atom)
{
	const struct processor *processor = tables_processor();

	if (!processor->core || !processor->atom)
		return;
	coding->selector |= SEL_KIND(atom);
	coding->fixed = 0;
	if (coding->value)
		coding->value |= EXTRA_KIND(atom);
}

static bool begins(const char *name, size_t len, const char *prefix)
{
	return len > strlen(prefix) &&
	       !strncasecmp(name, prefix, strlen(prefix));
}

static enum coded_result look_up(const char *name, size_t len,
				 const char *event, struct meaning *meaning)
{
	const struct processor *processor = tables_processor();
	bool core = begins(name, len, CORE), atom = begins(name, len, ATOM);

	memset(meaning, 0, sizeof(*meaning));
	if ((core && !processor->core) || (atom && !processor->atom))
		return CODED_UNKNOWN;
	if (!core && !atom && processor->core && processor->atom)
		return find_on_both(name, len, processor, event, meaning);
	if (core || atom) {
		name += strlen(CORE);
		len -= strlen(CORE);
	}
	find_on(name, len, processor, atom || !processor->core, meaning);
	if (!meaning->found)
		return CODED_UNKNOWN;
	if (core || atom)
		set_kind(&meaning->coding, atom);
	return CODED_FOUND;
}

enum coded_result coded_find(const char *name, size_t len,
			     const char *as_written, struct coding *coding,
			     char **full_name)
{
	struct meaning meaning;
	enum coded_result result;

	if (!tables_pmu())
		return CODED_UNKNOWN;
	result = look_up(name, len, as_written, &meaning);
	if (result == CODED_UNKNOWN && meaning.known) {
		diag("event %s: %s has no event for it; choose another",
		     as_written, tables_pmu());
		return CODED_REFUSED;
	}
	if (result == CODED_FOUND)
		result = judge(&meaning.coding, as_written);
	if (result != CODED_FOUND)
		return result;
	*coding = meaning.coding;
	*full_name = *meaning.full_name ? strdup(meaning.full_name) :
					  coded_spell(coding);
	if (*full_name)
		return CODED_FOUND;
	return refuse(as_written, "out of memory");
}

int coded_of_kind(struct coding *coding, const char *kind,
		  const char *as_written)
{
	const struct processor *processor = tables_processor();
	bool atom = !strncasecmp(kind, ATOM, strlen(ATOM));

	if (atom ? !processor->atom : !processor->core)
		return diag("event %s: %s has no such kind of core", as_written,
			    tables_pmu());
	set_kind(coding, atom);
	return 0;
}

int coded_modify(struct coding *coding, const struct modifiers *modifiers,
		 const char *as_written)
{
	bool is_amd = tables_type() == PFMLIB_AMD64_PMU;

	if (!modifiers_any(modifiers))
		return 0;
	if (coding->fixed && !coding->selector)
		return diag(
			"event %s: only a fixed counter counts it, which has no modifiers but :u and :k",
			as_written);
	if (is_amd ? modifiers->any_thread :
		     modifiers->guest || modifiers->host)
		return diag(
			"event %s: %s cannot count it with these modifiers; choose others",
			as_written, tables_pmu());
	coding->fixed = 0;
	if (modifiers->threshold)
		coding->selector = (coding->selector & ~SEL_CMASK) |
				   (uint64_t)modifiers->threshold
					   << SEL_CMASK_SHIFT;
	coding->selector |= (modifiers->edge ? SEL_EDGE : 0) |
			    (modifiers->invert ? SEL_INVERT : 0) |
			    (modifiers->any_thread ? SEL_ANY_THREAD : 0) |
			    (modifiers->guest ? SEL_GUEST : 0) |
			    (modifiers->host ? SEL_HOST : 0);
	return 0;
}

/* Selectors that mean the same on all processors of a vendor. */
static enum event_meaning meaning_of(uint64_t selector)
{
	switch (selector) {
	case 0xc0:
		return MEANS_INSTRUCTIONS;
	case 0x76:
		return tables_type() == PFMLIB_AMD64_PMU ? MEANS_CYCLES :
							   MEANS_OTHER;
	case 0x3c:
		return tables_type() != PFMLIB_AMD64_PMU ? MEANS_CYCLES :
							   MEANS_OTHER;
	case 0xc2:
	case 0xc3:
		return tables_type() == PFMLIB_AMD64_PMU ? MEANS_BRANCHES :
							   MEANS_OTHER;
	case 0xc4:
	case 0xc5:
		return tables_type() != PFMLIB_AMD64_PMU ? MEANS_BRANCHES :
							   MEANS_OTHER;
	default:
		return MEANS_OTHER;
	}
}

enum event_meaning coded_meaning(const struct coding *coding)
{
	const struct processor *processor = tables_processor();

	/* Of one kind of core it is a part of them. */
	if (processor->vendor == PROCESSOR_OTHER)
		return MEANS_OTHER;
	return meaning_of(coding->selector);
}

static void add_term(FILE *out, const char *name, uint64_t value)
{
	if (value)
		fprintf(out, ",%s=0x%llx", name, (unsigned long long)value);
}

char *coded_spell(const struct coding *coding)
{
	uint64_t selector = coding->selector;
	/* What Linux calls the reference cycles of a fixed counter. */
	uint64_t umask = coding->fixed && !selector ? coding->fixed :
						      SEL_UMASK(selector);
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	fprintf(out, "cpu/event=0x%llx",
		(unsigned long long)(SEL_EVENT(selector) |
				     (selector >> SEL_EVENT_HIGH & 0xf) << 8));
	add_term(out, "umask", umask);
	add_term(out, "edge", !!(selector & SEL_EDGE));
	add_term(out, "any", !!(selector & SEL_ANY_THREAD));
	add_term(out, "inv", !!(selector & SEL_INVERT));
	add_term(out, "cmask", (selector & SEL_CMASK) >> SEL_CMASK_SHIFT);
	add_term(out,
		 coding->kind == CODING_FRONTEND ? "frontend" :
		 coding->kind == CODING_LATENCY	 ? "ldlat" :
						   "offcore_rsp",
		 coding->value & ~(EXTRA_KIND(0) | EXTRA_KIND(1)));
	fputc('/', out);
	return fclose(out) ? NULL : text;
}

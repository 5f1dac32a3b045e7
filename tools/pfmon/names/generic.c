// SPDX-License-Identifier: GPL-2.0-only
/* perf's generic events, see generic.h. */
#include "names/generic.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "names/generic_table.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

struct word {
	const char *text;
	uint8_t number;
};

static const struct word hardware[] = {
	{ "cache-references", GENERIC_CACHE_REFERENCES },
	{ "cache-misses", GENERIC_CACHE_MISSES },
	{ "branches", GENERIC_BRANCHES },
	{ "branch-instructions", GENERIC_BRANCHES },
	{ "branch-misses", GENERIC_BRANCH_MISSES },
	{ "bus-cycles", GENERIC_BUS_CYCLES },
	{ "stalled-cycles-frontend", GENERIC_STALLED_FRONTEND },
	{ "idle-cycles-frontend", GENERIC_STALLED_FRONTEND },
	{ "stalled-cycles-backend", GENERIC_STALLED_BACKEND },
	{ "idle-cycles-backend", GENERIC_STALLED_BACKEND },
	{ "ref-cycles", GENERIC_REF_CYCLES },
};

/* Of words that begin alike the longer one comes first. */
static const struct word caches[] = {
	{ "L1-dcache", 0 }, { "l1-data", 0 },
	{ "l1-d", 0 },	    { "l1d", 0 },
	{ "L1-icache", 1 }, { "L1-instruction", 1 },
	{ "l1-i", 1 },	    { "l1i", 1 },
	{ "LLC", 2 },	    { "L2", 2 },
	{ "dTLB", 3 },	    { "d-tlb", 3 },
	{ "Data-TLB", 3 },  { "iTLB", 4 },
	{ "i-tlb", 4 },	    { "Instruction-TLB", 4 },
	{ "branches", 5 },  { "branch", 5 },
	{ "bpu", 5 },	    { "btb", 5 },
	{ "bpc", 5 },	    { "node", 6 },
};

static const struct word operations[] = {
	{ "loads", 0 },
	{ "load", 0 },
	{ "read", 0 },
	{ "stores", 1 },
	{ "store", 1 },
	{ "write", 1 },
	{ "prefetches", 2 },
	{ "prefetch", 2 },
	{ "speculative-read", 2 },
	{ "speculative-load", 2 },
};

static const struct word results[] = {
	{ "refs", 0 },	 { "Reference", 0 }, { "ops", 0 },
	{ "access", 0 }, { "misses", 1 },    { "miss", 1 },
};

/* Takes one of the words, up to a dash or the end; -1: it is none of them. */
static int take(const struct word *words, size_t count, const char **text,
		const char *end)
{
	for (size_t i = 0; i < count; i++) {
		size_t length = strlen(words[i].text);
		const char *behind = *text + length;

		if ((size_t)(end - *text) < length ||
		    strncasecmp(*text, words[i].text, length) != 0 ||
		    (behind != end && *behind != '-'))
			continue;
		*text = behind == end ? end : behind + 1;
		return words[i].number;
	}
	return -1;
}

/* A cache, with one operation and one result behind it at most, in any order. */
static int cache_number(const char *name, size_t len)
{
	const char *text = name, *end = name + len;
	int cache = take(caches, ARRAY_SIZE(caches), &text, end);
	int operation = -1, result = -1, number;

	if (cache < 0)
		return -1;
	while (text != end) {
		number = take(operations, ARRAY_SIZE(operations), &text, end);
		if (number >= 0 && operation < 0) {
			operation = number;
			continue;
		}
		if (number < 0)
			number = take(results, ARRAY_SIZE(results), &text, end);
		else
			return -1;
		if (number < 0 || result >= 0)
			return -1;
		result = number;
	}
	if (name[len - 1] == '-')
		return -1;
	operation = operation < 0 ? 0 : operation;
	result = result < 0 ? 0 : result;
	return GENERIC_CACHE +
	       (cache * GENERIC_OPERATIONS + operation) * GENERIC_RESULTS +
	       result;
}

int generic_number(const char *name, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(hardware); i++) {
		if (strlen(hardware[i].text) == len &&
		    !strncasecmp(name, hardware[i].text, len))
			return hardware[i].number;
	}
	return len ? cache_number(name, len) : -1;
}

/* The group of a processor, -1: Linux has no table for it. */
static int group_of(const struct processor *processor, bool atom)
{
	for (unsigned int i = 0; i < generic_model_count; i++) {
		const struct generic_model *row = &generic_models[i];

		if (row->vendor == processor->vendor &&
		    processor->family >= row->first_family &&
		    processor->family <= row->last_family &&
		    processor->model >= row->first_model &&
		    processor->model <= row->last_model)
			return atom ? row->atom_group : row->group;
	}
	return -1;
}

static int compare(const void *wanted, const void *row)
{
	const struct generic_row *a = wanted, *b = row;

	return a->group != b->group ? (int)a->group - (int)b->group :
				      (int)a->event - (int)b->event;
}

bool generic_find(int number, const struct processor *processor, bool atom,
		  struct coding *coding, const char **native)
{
	int group = group_of(processor, atom);
	const struct generic_row wanted = { .group = (uint8_t)group,
					    .event = (uint8_t)number };
	const struct generic_row *row = NULL;

	if (group >= 0)
		row = bsearch(&wanted, generic_rows, generic_row_count,
			      sizeof(*row), compare);
	if (!row)
		return false;
	*coding = (struct coding){
		.selector = row->code,
		.value = row->extra,
		.kind = row->extra ? CODING_OFFCORE : CODING_PLAIN,
	};
	if (number == GENERIC_REF_CYCLES &&
	    row->code == GENERIC_CODE_FIXED_REFERENCE) {
		coding->selector = 0;
		coding->fixed = 3;
	}
	*native = row->native;
	return true;
}

// SPDX-License-Identifier: GPL-2.0-only
/* The words of pfmon record -j, see branches.h. */
#include "grammar/branches.h"

#include <string.h>

#include "diag.h"
#include "events/event.h"

/* Kinds are added; a word without any is about levels, or is not for pfmon. */
static const struct {
	const char *word;
	unsigned int kinds;
	unsigned int levels;
	const char *why_not;
} words[] = {
	{ "any", BRANCHES_ALL, 0, NULL },
	{ "any_call", BRANCHES_REL_CALL | BRANCHES_IND_CALL | BRANCHES_FAR, 0,
	  NULL },
	{ "any_ret", BRANCHES_RETURN | BRANCHES_FAR, 0, NULL },
	{ "call", BRANCHES_REL_CALL, 0, NULL },
	{ "ind_call", BRANCHES_IND_CALL, 0, NULL },
	{ "ind_jmp", BRANCHES_IND_JMP, 0, NULL },
	{ "cond", BRANCHES_COND, 0, NULL },
	{ "u", 0, LEVEL_USER, NULL },
	{ "k", 0, LEVEL_KERNEL, NULL },
	{ "hv", 0, 0, "x86 has no level of hypervisors" },
	{ "in_tx", 0, 0, "pfmon takes all transactions" },
	{ "no_tx", 0, 0, "pfmon takes all transactions" },
	{ "abort_tx", 0, 0, "pfmon takes all transactions" },
	{ "stack", 0, 0, "use -g for the calls that led to a sample" },
	{ "call_stack", 0, 0, "use -g for the calls that led to a sample" },
	{ "save_type", 0, 0, "the kinds of branches are not kept" },
	{ "hw_index", 0, 0, "places in the processor's stack are not kept" },
	{ "priv", 0, 0, "addresses tell the levels" },
	{ "counter", 0, 0, "events between branches are not counted" },
};

static int take_word(struct sample_wish *wish, const char *word, size_t length)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strlen(words[i].word) != length ||
		    strncmp(words[i].word, word, length) != 0)
			continue;
		if (words[i].why_not)
			return diag("-j %s: %s", words[i].word,
				    words[i].why_not);
		wish->branches |= words[i].kinds;
		wish->branch_levels |= words[i].levels;
		return 0;
	}
	return diag(
		"-j %.*s: must be any, any_call, any_ret, call, ind_call, ind_jmp, cond, u or k",
		(int)length, word);
}

void branches_take_all(struct sample_wish *wish)
{
	wish->branches |= BRANCHES_ALL;
}

int branches_take(struct sample_wish *wish, const char *list)
{
	for (const char *word = list;; word++) {
		size_t length = strcspn(word, ",");

		if (take_word(wish, word, length))
			return -1;
		word += length;
		if (!*word)
			break;
	}
	/* Levels alone: any kind of branch, as perf has it. */
	if (!wish->branches)
		branches_take_all(wish);
	return 0;
}

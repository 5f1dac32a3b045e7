// SPDX-License-Identifier: GPL-2.0-only
/* Options that are refused by name, see later.h. */
#include "grammar/later.h"

#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "grammar/shared.h"

#define TRIGGERS "this pfmon has no triggers yet"
#define NOT_YET "this pfmon does not have it yet"
#define NO no_argument
#define ARG required_argument
#define MAY optional_argument

const struct later later_classic[] = {
	{ "print-syms", 0, NO, "pfmon prints no symbol tables; use nm" },
	{ "trigger-code-start", 0, ARG, TRIGGERS },
	{ "trigger-code-stop", 0, ARG, TRIGGERS },
	{ "trigger-data-start", 0, ARG, TRIGGERS },
	{ "trigger-data-stop", 0, ARG, TRIGGERS },
	{ "cpu-set-relative", 0, NO, NOT_YET },
	{ "interval-by-stop", 0, NO, NOT_YET },
	{ NULL, '2', NO, "x86 has no such level; use -u and -k" },
	{ NULL, '1', NO, "x86 has no such level; use -u and -k" },
	{ NULL, 0, 0, NULL },
};

const struct later later_stat[] = {
	{ "interval-by-stop", 0, NO, NOT_YET },
	{ "for-each-cgroup", 0, ARG, "use -G NAME, a pfmon for each cgroup" },
	{ "bpf-counters", 0, NO, "pfmon has no BPF programs" },
	{ "bpf-prog", 'b', ARG, "pfmon has no BPF programs" },
	{ "transaction", 'T', NO, "pfmon has no metrics of transactions" },
	{ NULL, 0, 0, NULL },
};

const struct later later_record[] = {
	{ "transaction", 'T', NO, "pfmon has no metrics of transactions" },
	{ NULL, 0, 0, NULL },
};

static bool has(const struct option *options, int count, const char *name)
{
	while (count && strcmp(options[count - 1].name, name) != 0)
		count--;
	return count > 0;
}

void later_join(struct option all[LATER_OPTIONS_MAX], const struct option *own,
		const struct later *refused)
{
	int count = 0, own_count;

	while (own->name)
		all[count++] = *own++;
	own_count = count;
	for (const struct option *row = shared_options; row->name; row++) {
		if (!has(all, own_count, row->name))
			all[count++] = *row;
	}
	for (int i = 0; refused[i].why; i++) {
		const struct later *row = &refused[i];

		if (!row->name)
			continue;
		if (count == LATER_OPTIONS_MAX - 1)
			abort();
		all[count++] = (struct option){
			.name = row->name,
			.has_arg = row->has_arg,
			.val = OPT_LATER + i,
		};
	}
	all[count] = (struct option){ 0 };
}

static const struct later *find(int option, const struct later *refused)
{
	if (option >= OPT_LATER)
		return &refused[option - OPT_LATER];
	for (; refused->why; refused++) {
		if (refused->letter && refused->letter == option)
			return refused;
	}
	return NULL;
}

int later_is(int option, const struct later *refused)
{
	return find(option, refused) != NULL;
}

int later_refuse(int option, const struct later *refused)
{
	const struct later *row = find(option, refused);

	if (option < OPT_LATER)
		return diag("option -%c: %s", row->letter, row->why);
	return diag("option --%s: %s", row->name, row->why);
}

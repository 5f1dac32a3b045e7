// SPDX-License-Identifier: GPL-2.0-only
/* What both grammars do with the words of a command line, see words.h. */
#include "grammar/words.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "engine/clocks.h"

/* What prints the options of the command line that is being parsed. */
static char help[32];

/* The long options that begin with the word, up to its equals sign. */
static int explain_long(const char *word, const struct option *known)
{
	size_t len = strcspn(word + 2, "=");
	char names[256] = "";
	int count = 0;

	for (; known->name; known++) {
		if (strncmp(known->name, word + 2, len) != 0)
			continue;
		/* The one that it is, with too much or too little. */
		if (strlen(known->name) == len)
			return diag("%s: wrong use of this option; see %s",
				    word, help);
		if (strlen(names) + strlen(known->name) + 5 < sizeof(names))
			strcat(strcat(strcat(names, count ? ", " : ""), "--"),
			       known->name);
		count++;
	}
	if (count > 1)
		return diag("%s: ambiguous; one of %s", word, names);
	if (count)
		return diag("%s: wrong use of %s; see %s", word, names, help);
	return diag("%s: unknown option; see %s", word, help);
}

/* What getopt_long() has refused: reason is what it returned. */
static void explain(int reason, const char *word, const struct option *known)
{
	if (reason == ':')
		diag("%s: argument missing; see %s", word, help);
	else if (!strncmp(word, "--", 2))
		explain_long(word, known);
	else
		diag("-%c: unknown option; see %s", optopt, help);
}

void words_begin(const char *verb)
{
	snprintf(help, sizeof(help),
		 *verb ? "pfmon %s --help" : "pfmon --help-classic", verb);
	opterr = 0;
	optind = 0;
}

int words_next(int argc, char **argv, const char *letters,
	       const struct option *known)
{
	int option = getopt_long(argc, argv, letters, known, NULL);

	if (option != '?' && option != ':')
		return option;
	explain(option, argv[optind - 1], known);
	return WORDS_BAD;
}

int words_number(const char *text, const char *option, unsigned int min,
		 unsigned int max, unsigned int *number)
{
	unsigned long value;
	char *end;

	errno = 0;
	value = strtoul(text, &end, 10);
	if (!isdigit((unsigned char)*text) || *end || errno || value < min ||
	    value > max)
		return diag("%s %s: not a number from %u to %u", option, text,
			    min, max);
	*number = (unsigned int)value;
	return 0;
}

/* Of a unit in ns, with a decimal point; the locale has no say. */
static int parse_time(const char *text, const char *option, uint64_t unit,
		      const char *name, uint64_t *ns)
{
	const char *c = text;
	uint64_t whole = 0, part = unit;

	for (; isdigit((unsigned char)*c) && whole < UINT64_MAX / unit / 20;
	     c++)
		whole = whole * 10 + (uint64_t)(*c - '0');
	whole *= unit;
	if (c > text && *c == '.') {
		for (c++; isdigit((unsigned char)*c); c++) {
			part /= 10;
			whole += (uint64_t)(*c - '0') * part;
		}
	}
	if (c == text || *c || !whole)
		return diag("%s %s: not a time in %s above 0", option, text,
			    name);
	*ns = whole;
	return 0;
}

int words_seconds(const char *text, const char *option, uint64_t *ns)
{
	return parse_time(text, option, NS_PER_S, "seconds", ns);
}

int words_milliseconds(const char *text, const char *option, uint64_t *ns)
{
	return parse_time(text, option, NS_PER_MS, "milliseconds", ns);
}

static bool add_list(char *all, size_t size, const char *list, bool again,
		     const char *mark)
{
	if (strlen(all) + strlen(list) + 2 > size)
		return false;
	if (again)
		strcat(all, mark);
	strcat(all, list);
	return true;
}

int words_add_events(struct request *request, const char *list,
		     const char *mark)
{
	char *all = request->event_lists;

	if (!add_list(all, sizeof(request->event_lists), list, request->events,
		      mark))
		return diag("-e: too many events");
	request->events = all;
	return 0;
}

int words_add_names(struct request *request, const char **given,
		    const char *list)
{
	char *all = request->name_lists;

	/* The other one has been given: that is refused later. */
	if (*all && !*given) {
		*given = list;
		return 0;
	}
	if (!add_list(all, sizeof(request->name_lists), list, *given, ","))
		return diag("-g, -M: too many names");
	*given = all;
	return 0;
}

int words_format(struct request *request, enum report_format format)
{
	enum report_format *chosen = &request->style.format;

	if (*chosen != REPORT_TABLE && *chosen != REPORT_STAT &&
	    *chosen != format)
		return diag(
			"--json, --csv, -x, --textfile: two formats given; choose one");
	*chosen = format;
	return 0;
}

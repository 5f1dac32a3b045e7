/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files of metrics: the manufacturers', which comes with pfmon, and files of the user.
 * pfmon(1) describes them.
 */
#ifndef PFMON_FORMULA_FILES_H
#define PFMON_FORMULA_FILES_H

#include <stdbool.h>
#include <stddef.h>

/* A metric as its file has it: texts, "" if they are not there. */
struct formula_metric {
	const char *name;
	const char *core; /* "cpu_core", "cpu_atom", or "": all */
	const char *groups; /* words */
	const char *unit; /* behind a factor: "100%" */
	const char *threshold; /* formula: it is worth a look */
	const char *about;
	const char *text; /* formula */
};

struct formula_files {
	char **texts;
	size_t text_count;
	struct formula_metric *metrics;
	size_t count;
};

/*
 * Reads the metrics of the processor whose events are counted; of two with the same name
 * the user's is first. -1 after a message. To be freed in both cases.
 */
int formula_files_read(struct formula_files *files);
void formula_files_free(struct formula_files *files);

/* Takes the lines of one file. name is for messages. The text is changed, and kept. */
int formula_files_take(struct formula_files *files, const char *name,
		       char *text);

/* The first metric of a name for a kind of core. NULL: there is none. */
const struct formula_metric *
formula_files_find(const struct formula_files *files, const char *name,
		   const char *core);

/* Whether a word is one of the metric's groups. */
bool formula_metric_is_in(const struct formula_metric *metric,
			  const char *group);

#endif /* PFMON_FORMULA_FILES_H */

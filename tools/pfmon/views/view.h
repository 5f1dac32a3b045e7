/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the verbs that read samples share: the options, the file, which of its samples
 * were asked for, and where the output goes.
 */
#ifndef PFMON_VIEW_H
#define PFMON_VIEW_H

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>

#include "profile/read_profile.h"
#include "report/output.h"
#include "symbols/functions.h"

/* Files of pfmon record without -o. */
#define VIEW_FILE "pfmon.data"

/* Of which each verb says in its usage which it takes. */
struct view_options {
	const char *file; /* NULL: VIEW_FILE */
	const char *output; /* NULL: standard output */
	const char *event; /* only samples of it, by name; NULL: all */
	const char *comm, *object; /* NULL: all */
	unsigned int pid, tid; /* 0: all */
	bool in_order; /* of time: all samples are kept in memory */
	struct image_options images;
	struct functions_options functions;
};

struct view {
	struct view_options options;
	struct profile profile;
	struct images *images;
	struct functions *functions;
	struct output output;
	bool found; /* a sample that was asked for */
};

/*
 * Takes the options of argv, whose first word is the verb; positional words are left at
 * optind. 0; 1: help was asked for; -1 after a message.
 */
int view_parse(struct view *view, int argc, char **argv);

/* The options that a verb has beside, whose values are letters or begin here. */
#define VIEW_OPT_OWN 512

struct view_words {
	const struct option *options; /* end with a row of zeros */
	const char *letters; /* for getopt_long() */
	/* Takes one of them, as optarg says; -1 after a message. */
	int (*take)(struct view_options *options, int option, void *arg);
	void *arg;
};

int view_parse_with(struct view *view, int argc, char **argv,
		    const struct view_words *own);

/* What they are, for usages; "  -i, --input=FILE ..." and so on. */
extern const char view_usage[];

/* The file may be the only word that is no option. 0, or -1 after a message. */
int view_take_file(struct view *view, const char *verb, int argc, char **argv);

/*
 * Reads the file, and opens the output. 0, or -1 after a message; view_close() in
 * both cases.
 */
int view_open(struct view *view);

/* Ends the output; 0 if ret is and all of it was written, otherwise STATUS_FAILED. */
int view_close(struct view *view, int ret);

/*
 * A verb of one file in the order of time, by the words of argv behind its name. Help is what usage prints,
 * and print writes all of the output. Returns the status of the program.
 */
int view_run(const char *verb, int argc, char **argv, void (*usage)(FILE *out),
	     int (*print)(struct view *view));

/*
 * The next sample that was asked for, and its place; both are there until the next
 * call, unless samples are in order. 1, or 0: there is none; -1 after a message.
 */
int view_next(struct view *view, const struct profile_sample **sample,
	      const struct place **place);

/* A note if all samples were looked at, and none was asked for. */
void view_tell_none(const struct view *view);

/* Begins again with the first. 0, or -1 after a message. */
int view_rewind(struct view *view);

/* "" if all was sampled, or a sentence that tells what was lost. Returns text. */
char *view_losses(const struct view *view, char *text, size_t size);

#endif /* PFMON_VIEW_H */

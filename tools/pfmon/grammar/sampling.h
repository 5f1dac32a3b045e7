/* SPDX-License-Identifier: GPL-2.0-only */
/* The options of the classic command line that are about samples. */
#ifndef PFMON_SAMPLING_OPTIONS_H
#define PFMON_SAMPLING_OPTIONS_H

#include <getopt.h>
#include <stdio.h>

#include "request.h"

/* What is printed of samples. */
enum smpl_module {
	MODULE_INST_HIST, /* how many each address or function has */
	MODULE_COMPACT, /* a line each */
	MODULE_DETAILED, /* some lines each */
	MODULE_RAW, /* as the kernel has recorded them */
};

struct sampling_view {
	const char *given; /* an option that is about samples, NULL: none */
	enum smpl_module module;
	const char *outfile; /* NULL: standard output */
	const char *symbol_file, *sysmap_file; /* NULL: found as always */
	unsigned int top; /* rows, 0: all */
	unsigned int cum_threshold; /* percent, 0: not given */
	bool per_function;
	bool ignore_pids;
	bool resolve; /* addresses have symbols */
	bool demangle;
	bool print_counts;
};

/* Options have values from this on. */
#define OPT_SAMPLING 768

/* Ends with zeros. */
extern const struct option sampling_options[];

/* Returns 0, -1 after a message, or 1: it is none of them. */
int sampling_take(struct sampling_view *view, struct sample_wish *wish,
		  int opt);

/*
 * When all options are known: whether samples are wanted, and what follows from
 * that. -1 after a message.
 */
int sampling_settle(const struct sampling_view *view, struct request *request);

/* The word of a module, as --smpl-module takes it. */
const char *sampling_module_name(enum smpl_module module);

/* Describes a module to people. -1 after a message: there is none of this name. */
int sampling_describe(const char *name, FILE *out);

#endif /* PFMON_SAMPLING_OPTIONS_H */

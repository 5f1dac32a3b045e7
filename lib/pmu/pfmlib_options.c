// SPDX-License-Identifier: MIT
/*
 * The environment, pfm_set_options(), and the output that they ask for.  The
 * flags are atomic: any function may print while another thread sets them.
 */
#include "pfmlib_options.h"

#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_bool verbose;
static atomic_bool debug;
static atomic_bool use_stdout;
/* The environment goes before what the program wants. */
static atomic_bool set_by_environment;

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Even digits switch off. */
static bool read_switch(const char *name, atomic_bool *flag)
{
	const char *value = getenv(name);

	if (!value || !is_digit(*value))
		return false;
	atomic_store(flag, (*value - '0') & 1);
	return true;
}

void pfmlib_read_options(void)
{
	bool is_set = read_switch("LIBPFM_VERBOSE", &verbose);

	if (read_switch("LIBPFM_DEBUG", &debug))
		is_set = true;
	atomic_store(&set_by_environment, is_set);
	atomic_store(&use_stdout, getenv("LIBPFM_DEBUG_STDOUT") != NULL);
}

pfm_err_t pfm_set_options(pfmlib_options_t *opt)
{
	if (!opt)
		return PFMLIB_ERR_INVAL;
	if (!atomic_load(&set_by_environment)) {
		atomic_store(&debug, opt->pfm_debug);
		atomic_store(&verbose, opt->pfm_verbose);
	}
	return PFMLIB_SUCCESS;
}

/* Reads a comma and a number; moves text behind them. */
static bool read_number(const char **text, unsigned int *number)
{
	unsigned long value;
	char *end;

	if ((*text)[0] != ',' || !is_digit((*text)[1]))
		return false;
	value = strtoul(*text + 1, &end, 10);
	if (value > INT_MAX)
		return false;
	*number = (unsigned int)value;
	*text = end;
	return true;
}

bool pfmlib_read_forced(int *type, struct pfmlib_cpu *cpu)
{
	const char *text = getenv("LIBPFM_FORCE_PMU");
	struct pfmlib_cpu sub_model = { 0 };

	memset(cpu, 0, sizeof(*cpu));
	if (!text || !is_digit(*text))
		return false;
	*type = (int)strtol(text, NULL, 10);

	text += strspn(text, "0123456789");
	if (read_number(&text, &sub_model.family) &&
	    read_number(&text, &sub_model.model) &&
	    read_number(&text, &sub_model.stepping) && !*text)
		*cpu = sub_model;
	return true;
}

static void print(const char *fmt, va_list args)
{
	vfprintf(atomic_load(&use_stdout) ? stdout : stderr, fmt, args);
}

void pfmlib_verbose(const char *fmt, ...)
{
	va_list args;

	if (!atomic_load_explicit(&verbose, memory_order_relaxed))
		return;
	va_start(args, fmt);
	print(fmt, args);
	va_end(args);
}

void pfmlib_debug(const char *fmt, ...)
{
	va_list args;

	if (!atomic_load_explicit(&debug, memory_order_relaxed))
		return;
	va_start(args, fmt);
	print(fmt, args);
	va_end(args);
}

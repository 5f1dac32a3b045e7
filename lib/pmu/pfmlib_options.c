// SPDX-License-Identifier: MIT
/*
 * Messages of the library, and the options that enable them: the environment
 * and pfm_set_options().  The flags are atomic: any function may print while
 * another thread sets them.
 */
#include "pfmlib_pmu.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_bool verbose;
static atomic_bool debug;
static atomic_bool use_stdout;
/* The environment overrides pfm_set_options(). */
static atomic_bool set_by_environment;

/* An even digit means off. */
static bool read_switch(const char *name, atomic_bool *flag)
{
	const char *value = getenv(name);

	if (!value || !pfmlib_is_digit(*value))
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

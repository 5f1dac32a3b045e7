// SPDX-License-Identifier: MIT
/*
 * The bridge to the private copy of libpfm4, see libpfm4.h.
 *
 * mk/libpfm4.mk adds the prefix pfm4_ to every global symbol of the copy, and also to the
 * names of libc that it must not use: the end of this file has their replacements.
 */
#include "libpfm4.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define pfm_get_event_attr_info pfm4_pfm_get_event_attr_info
#define pfm_get_event_info pfm4_pfm_get_event_info
#define pfm_get_event_next pfm4_pfm_get_event_next
#define pfm_get_os_event_encoding pfm4_pfm_get_os_event_encoding
#define pfm_get_pmu_info pfm4_pfm_get_pmu_info
#define pfm_initialize pfm4_pfm_initialize
#include <perfmon/pfmlib.h>

/* More attributes than this mean unit masks: no processor has so many modifiers. */
#define MODIFIERS_MOST 16

int pfmlib_libpfm4_start(void)
{
	int ret = pfm_initialize();

	/* NOTSUPP: none of the PMUs is the host's. The tables can still be used. */
	return ret == PFM_SUCCESS || ret == PFM_ERR_NOTSUPP ? 0 : -1;
}

int pfmlib_libpfm4_first_event(const char *pmu)
{
	pfm_pmu_t i;

	pfm_for_all_pmus(i)
	{
		pfm_pmu_info_t info = { .size = sizeof(info) };

		if (pfm_get_pmu_info(i, &info) == PFM_SUCCESS &&
		    !strcmp(info.name, pmu))
			return info.first_event;
	}
	return -1;
}

int pfmlib_libpfm4_next_event(int event)
{
	return pfm_get_event_next(event);
}

int pfmlib_libpfm4_event(int event, struct libpfm4_entry *entry)
{
	pfm_event_info_t info = { .size = sizeof(info) };

	if (pfm_get_event_info(event, PFM_OS_NONE, &info) != PFM_SUCCESS)
		return -1;
	entry->name = info.name;
	entry->desc = info.desc;
	entry->code = (unsigned int)info.code;
	entry->precise = info.is_precise;
	entry->has_masks = info.nattrs > MODIFIERS_MOST;
	return 0;
}

int pfmlib_libpfm4_mask(int event, unsigned int mask,
			struct libpfm4_entry *entry)
{
	pfm_event_attr_info_t info = { .size = sizeof(info) };
	int ret = pfm_get_event_attr_info(event, (int)mask, PFM_OS_NONE, &info);

	if (ret == PFM_ERR_NOMEM)
		return LIBPFM4_NO_MEMORY;
	if (ret != PFM_SUCCESS || info.type != PFM_ATTR_UMASK)
		return LIBPFM4_NO_UMASK;
	entry->name = info.name;
	entry->desc = info.desc;
	entry->code = (unsigned int)info.code;
	entry->precise = info.is_precise;
	return 0;
}

/* Appends a mark and a word to text, which may be moved; NULL without memory. */
static char *append(char *text, const char *mark, const char *word)
{
	size_t used = text ? strlen(text) : 0;
	size_t mark_size = strlen(mark), word_size = strlen(word) + 1;
	char *grown = realloc(text, used + mark_size + word_size);

	if (!grown) {
		free(text);
		return NULL;
	}
	memcpy(grown + used, mark, mark_size);
	memcpy(grown + used + mark_size, word, word_size);
	return grown;
}

/*
 * "PMU::EVENT:MASK:...", to be freed, or NULL. At a program's start a table asks for the
 * name of each of its events: with streams this would take most of that time.
 */
static char *full_name(int event, const unsigned int *masks,
		       unsigned int num_masks)
{
	pfm_event_info_t info = { .size = sizeof(info) };
	pfm_pmu_info_t pmu = { .size = sizeof(pmu) };
	char *name;

	if (pfm_get_event_info(event, PFM_OS_NONE, &info) != PFM_SUCCESS ||
	    pfm_get_pmu_info(info.pmu, &pmu) != PFM_SUCCESS)
		return NULL;
	name = append(NULL, "", pmu.name);
	if (name)
		name = append(name, "::", info.name);
	for (unsigned int i = 0; name && i < num_masks; i++) {
		struct libpfm4_entry mask;

		if (pfmlib_libpfm4_mask(event, masks[i], &mask)) {
			free(name);
			return NULL;
		}
		name = append(name, ":", mask.name);
	}
	return name;
}

static int error_of(int ret)
{
	switch (ret) {
	case PFM_ERR_UMASK:
	case PFM_ERR_ATTR:
		return LIBPFM4_NO_UMASK;
	case PFM_ERR_FEATCOMB:
		return LIBPFM4_NO_COMBINATION;
	case PFM_ERR_NOMEM:
		return LIBPFM4_NO_MEMORY;
	default:
		return LIBPFM4_OTHER_ERROR;
	}
}

int pfmlib_libpfm4_encode(int event, const unsigned int *masks,
			  unsigned int num_masks, bool user, bool kernel,
			  uint64_t values[2])
{
	int levels = (user ? PFM_PLM3 : 0) | (kernel ? PFM_PLM0 : 0);
	pfm_pmu_encode_arg_t codes = { .size = sizeof(codes) };
	char *name = full_name(event, masks, num_masks);
	int ret;

	if (!name)
		return LIBPFM4_OTHER_ERROR;
	ret = pfm_get_os_event_encoding(name, levels, PFM_OS_NONE, &codes);
	free(name);
	if (ret != PFM_SUCCESS)
		return error_of(ret);
	ret = codes.count;
	if (ret < 1 || ret > 2)
		ret = LIBPFM4_OTHER_ERROR;
	for (int i = 0; i < ret; i++)
		values[i] = codes.codes[i];
	free(codes.codes);
	return ret;
}

/*
 * Replacements of names of libc, for libpfm4.
 */

char *pfm4_getenv(const char *name);
char *pfm4_strtok(char *text, const char *delimiters);

/*
 * libpfm4 must not read the environment: its variables have the same names as ours and
 * another meaning. These answers let it encode for processors other than the host, and
 * omit the PMUs of perf_event, for which it would read kernel files.
 */
char *pfm4_getenv(const char *name)
{
	static char enabled[] = "1";
	static char perf[] = "perf";

	if (!strcmp(name, "LIBPFM_ENCODE_INACTIVE"))
		return enabled;
	if (!strcmp(name, "LIBPFM_DISABLED_PMUS"))
		return perf;
	return NULL;
}

/*
 * libpfm4 splits a list at its start, perhaps while the program is using strtok() itself.
 * pfmlib_libpfm4_start() is called under a lock, which protects this function.
 */
char *pfm4_strtok(char *text, const char *delimiters)
{
	static char *rest;

	return strtok_r(text, delimiters, &rest);
}

/*
 * libpfm4's objects are compiled for programs, not for shared libraries: they can access
 * data in their own link unit only, so not stderr of libc.
 */
FILE *pfm4_stderr;
FILE *pfm4_stdout;

__attribute__((constructor)) static void set_streams(void)
{
	pfm4_stderr = stderr;
	pfm4_stdout = stdout;
}

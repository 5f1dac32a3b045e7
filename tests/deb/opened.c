// SPDX-License-Identifier: GPL-2.0-only
/*
 * All functions of both libraries in one program: beside-libpfm4 links it with
 * libpfm4 and pfm4.c, and it opens libpfm3, as libpfm(3) advises.
 */
#include <dlfcn.h>
#include <perfmon/pfmlib.h>
#include <stdlib.h>

int use_pfm4(void);

/* Returns 0 if functions whose names are in both are those of libpfm.so.3. */
static int use_opened(void)
{
	pfm_err_t (*find_event)(const char *str, unsigned int *idx);
	pfm_err_t (*get_version)(unsigned int *version);
	pfm_err_t (*initialize)(void);
	void *library = dlopen("libpfm.so.3", RTLD_NOW | RTLD_LOCAL);
	unsigned int version, event;

	if (!library)
		return 20;
	*(void **)&initialize = dlsym(library, "pfm_initialize");
	*(void **)&get_version = dlsym(library, "pfm_get_version");
	*(void **)&find_event = dlsym(library, "pfm_find_event");
	if (!initialize || !get_version || !find_event)
		return 21;
	/* A Core 2, whatever runs this. */
	if (setenv("LIBPFM_FORCE_PMU", "36", 1) || initialize())
		return 22;
	if (get_version(&version) || PFMLIB_MAJ_VERSION(version) != 3)
		return 23;
	return find_event("L2_LINES_IN", &event) ? 24 : 0;
}

int main(void)
{
	int rc = use_pfm4();

	if (!rc)
		rc = use_opened();
	return rc ? rc : use_pfm4();
}

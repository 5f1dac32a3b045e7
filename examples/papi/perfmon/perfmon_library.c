// SPDX-License-Identifier: MIT
/*
 * Opens libpfm.so.3, see perfmon_library.h.  It stays open: threads may still be in it
 * when PAPI shuts down.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "papi.h"

#include "perfmon_library.h"

#define LIBRARY "libpfm.so.3"

struct perfmon_library perfmon_lib;

/* Its own calls of its functions stay inside it, whatever libpfm.so.4 has. */
static int find_functions(char *reason, size_t size)
{
	void *handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);

	if (!handle) {
		snprintf(reason, size, "cannot open perfmon's library: %s",
			 dlerror());
		return PAPI_ENOSUPP;
	}
#define FIND(name)                                                             \
	do {                                                                   \
		void *found = dlsym(handle, #name);                            \
                                                                               \
		if (!found) {                                                  \
			snprintf(reason, size, LIBRARY " has no " #name "()"); \
			dlclose(handle);                                       \
			return PAPI_ENOSUPP;                                   \
		}                                                              \
		memcpy(&perfmon_lib.name, &found, sizeof(found));              \
	} while (0);
	PERFMON_FUNCTIONS(FIND)
#undef FIND
	return PAPI_OK;
}

int perfmon_library_open(char *reason, size_t size)
{
	static int opened;
	int rc;

	if (!opened) {
		rc = find_functions(reason, size);
		if (rc != PAPI_OK)
			return rc;
		opened = 1;
	}
	rc = perfmon_lib.pfm_initialize();
	if (rc != PFMLIB_SUCCESS) {
		snprintf(reason, size,
			 "libpfm has no events for this processor: %s",
			 perfmon_lib.pfm_strerror(rc));
		return PAPI_ENOSUPP;
	}
	return PAPI_OK;
}

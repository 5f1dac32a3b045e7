// SPDX-License-Identifier: GPL-2.0-only
/* The libraries that this pfmon was built with, see libraries.h. */
#include "views/libraries.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#ifdef HAVE_DW
#include <elfutils/libdwfl.h>
#endif
#ifdef HAVE_CAPSTONE
#include <capstone.h>
#endif
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "diag.h"

#define ABSENT "not built in"

static void tell(const char *name, const char *version, const char *what_for)
{
	printf("  %-12s %-12s %s\n", name, version, what_for);
}

static void tell_all(void)
{
#ifdef HAVE_DW
	tell("libdw", dwfl_version(NULL), "symbols and source lines");
#else
	tell("libdw", ABSENT, "symbols and source lines");
#endif
#ifdef HAVE_CAPSTONE
	char version[32];

	/* Loaded when it is needed: that of the headers. */
	snprintf(version, sizeof(version), "%d.%d", CS_API_MAJOR, CS_API_MINOR);
	tell("libcapstone", version, "pfmon annotate");
#else
	tell("libcapstone", ABSENT, "pfmon annotate");
#endif
#ifdef HAVE_ZLIB
	tell("zlib", zlibVersion(), "pfmon export pprof");
#else
	tell("zlib", ABSENT, "pfmon export pprof");
#endif
#ifdef HAVE_ZSTD
	tell("libzstd", ZSTD_versionString(), "files of pfmon record -z");
#else
	tell("libzstd", ABSENT, "files of pfmon record -z");
#endif
}

int libraries(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	tell_all();
	if (!fflush(stdout))
		return 0;
	diag("cannot write: %s", strerror(errno));
	return STATUS_FAILED;
}

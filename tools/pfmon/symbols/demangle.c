// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of C++ and Rust, see demangle.h. Names of C++ are read by the library of the
 * system's C++ programs, if there is one.
 */
#include "symbols/demangle.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/rust.h"

typedef char *(*cxa_demangle)(const char *name, char *buffer, size_t *size,
			      int *status);

static cxa_demangle find_library(void)
{
	static cxa_demangle found;
	static bool looked;
	void *library;

	if (looked)
		return found;
	looked = true;
	library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
	if (!library)
		library = dlopen("libc++abi.so.1", RTLD_LAZY | RTLD_LOCAL);
	/* POSIX wants this of pointers to functions. */
	if (library)
		*(void **)&found = dlsym(library, "__cxa_demangle");
	return found;
}

char *demangle(const char *name)
{
	cxa_demangle library;
	char *shown = NULL;

	if (!strncmp(name, "_R", 2))
		shown = rust_demangle(name);
	else if (rust_is_legacy(name))
		shown = rust_demangle_legacy(name);
	if (!shown && !strncmp(name, "_Z", 2)) {
		library = find_library();
		shown = library ? library(name, NULL, NULL, NULL) : NULL;
	}
	return shown ? shown : strdup(name);
}

bool demangled_is(const char *name, const char *called)
{
	size_t length = strlen(called);

	return !strncmp(name, called, length) &&
	       (!name[length] || name[length] == '(');
}

/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of C++ and Rust as their programmers wrote them. */
#ifndef PFMON_DEMANGLE_H
#define PFMON_DEMANGLE_H

#include <stdbool.h>

/*
 * The name to show for one of a symbol table; free() it. NULL without memory. C++ is
 * left as it is where its library is not installed.
 */
char *demangle(const char *name);

/* Whether somebody calls the name so, perhaps without its parameters. */
bool demangled_is(const char *name, const char *called);

#endif /* PFMON_DEMANGLE_H */

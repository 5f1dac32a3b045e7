/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of C++ and Rust as their programmers wrote them. */
#ifndef PFMON_DEMANGLE_H
#define PFMON_DEMANGLE_H

/*
 * The name to show for one of a symbol table; free() it. NULL without memory. C++ is
 * left as it is where its library is not installed.
 */
char *demangle(const char *name);

#endif /* PFMON_DEMANGLE_H */

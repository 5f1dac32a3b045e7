/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of Rust: of today's compilers ("v0") and of those before ("legacy"). */
#ifndef PFMON_RUST_H
#define PFMON_RUST_H

#include <stdbool.h>

/* NULL: it is none, or without memory; else free() it. */
char *rust_demangle(const char *name);

/* A name as of C++, whose last part is a hash: _ZN...17hHHHHHHHHHHHHHHHHE. */
bool rust_is_legacy(const char *name);
char *rust_demangle_legacy(const char *name);

#endif /* PFMON_RUST_H */

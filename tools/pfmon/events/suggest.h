/* SPDX-License-Identifier: GPL-2.0-only */
/* Names that somebody may have meant who wrote another. */
#ifndef PFMON_SUGGEST_H
#define PFMON_SUGGEST_H

#include <stddef.h>

/*
 * Writes up to three names of events, of perf's that all models share and of the
 * model, that differ from the given one by at most two characters, nearest first: "A, B, C". Returns text, which
 * is empty if there are none.
 */
char *suggest_events(const char *name, char *text, size_t size);

/* In how many characters two words differ, case ignored; at most max + 1. */
int suggest_distance(const char *a, const char *b, int max);

#endif /* PFMON_SUGGEST_H */

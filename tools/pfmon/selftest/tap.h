/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The results. A test that ends is printed as a line of TAP (test anything protocol)
 * with its findings as comments below, and kept for the report (selftest.c).
 */
#ifndef PFMON_SELFTEST_TAP_H
#define PFMON_SELFTEST_TAP_H

#include <json-c/json.h>
#include <stdint.h>
#include <stdio.h>

#include "judge.h"

struct tap {
	FILE *out;
	int count;
	int worst; /* of all tests, enum verdict */
	int wrong, unsure, skipped;
	struct json_object *tests; /* all that have ended */
	/* the test that runs */
	const char *name;
	struct json_object *test, *findings, *notes;
	enum verdict verdict;
	int left_out; /* findings beyond those that are printed */
	char reason[256]; /* of a skip, or of an inconclusive test */
	bool skip;
};

/* The place of a measurement. */
struct place {
	int cpu; /* -1: on several */
	const char *counter; /* name of the PMD, NULL: none */
	const char *event; /* with its level */
};

void tap_open(struct tap *tap, FILE *out);
void tap_close(struct tap *tap);

void tap_begin(struct tap *tap, const char *name);
void tap_end(struct tap *tap);

/* Adds a ruling to the test that runs, unless it is "right". */
void tap_ruling(struct tap *tap, const struct place *place,
		const struct ruling *ruling);

/* Adds the failure of a call of perfmon: "what", and errno. */
void tap_failed(struct tap *tap, const struct place *place, const char *what,
		int error);

/* Makes the test inconclusive, with the reason. */
void tap_unsure(struct tap *tap, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Skips the rest of the test, with the reason. Rulings before that stay. */
void tap_skip(struct tap *tap, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Notes an observation that is neither right nor wrong. */
void tap_note(struct tap *tap, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* "1..N". */
void tap_plan(struct tap *tap);

/* Returns the exit status for the verdicts, see selftest.h. */
int tap_status(const struct tap *tap);

#endif /* PFMON_SELFTEST_TAP_H */

// SPDX-License-Identifier: GPL-2.0-only
/* Command lines of tests, see words.h. */
#include "words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#define WORD_MAX 64

char **words_of(const char *name, const char *const words[ARGS_MAX], int *argc)
{
	static char storage[ARGS_MAX + 1][WORD_MAX];
	static char *argv[ARGS_MAX + 2];
	int count = 0;

	for (const char *word = name; word;) {
		assert_true(snprintf(storage[count], WORD_MAX, "%s", word) <
			    WORD_MAX);
		argv[count] = storage[count];
		word = count < ARGS_MAX ? words[count] : NULL;
		count++;
	}
	argv[count] = NULL;
	*argc = count;
	return argv;
}

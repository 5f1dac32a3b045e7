// SPDX-License-Identifier: GPL-2.0-only
/* Catching messages, see message.h. */
#include "message.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static FILE *real_stderr;
static char *text_caught;
static size_t size_caught;

void message_catch(void)
{
	real_stderr = stderr;
	stderr = open_memstream(&text_caught, &size_caught);
	assert_non_null(stderr);
}

static void stop_catching(char *line, size_t size)
{
	fclose(stderr);
	stderr = real_stderr;
	snprintf(line, size, "%s", text_caught);
	free(text_caught);
}

void message_expect(const char *text, ...)
{
	char line[1024];
	char *end;
	va_list texts;

	stop_catching(line, sizeof(line));
	end = strchr(line, '\n');
	if (strncmp(line, "pfmon: ", 7) != 0 || !end || end[1])
		fail_msg("not one line of pfmon: '%s'", line);
	va_start(texts, text);
	for (; text; text = va_arg(texts, const char *)) {
		if (!strstr(line, text))
			fail_msg("'%s' is not in '%s'", text, line);
	}
	va_end(texts);
}

void message_expect_none(void)
{
	char line[1024];

	stop_catching(line, sizeof(line));
	assert_string_equal(line, "");
}

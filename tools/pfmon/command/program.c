// SPDX-License-Identifier: GPL-2.0-only
/* Choosing programs by their command lines, see program.h. */
#include "command/program.h"

#include <stdio.h>

/* Longer ones are compared by their beginning. */
#define LINE_MAX_LEN 4096

char *program_line(pid_t pid, char *text, size_t size)
{
	char path[48];
	size_t len;
	FILE *file;

	text[0] = '\0';
	snprintf(path, sizeof(path), "/proc/%d/cmdline", pid);
	file = fopen(path, "re");
	if (!file)
		return text;
	len = fread(text, 1, size - 1, file);
	fclose(file);
	while (len && !text[len - 1])
		len--;
	for (size_t i = 0; i < len; i++) {
		if (!text[i])
			text[i] = ' ';
	}
	text[len] = '\0';
	return text;
}

bool program_line_wanted(const struct follow_rules *rules, const char *line)
{
	if (rules->only && regexec(rules->only, line, 0, NULL, 0))
		return false;
	return !rules->except || regexec(rules->except, line, 0, NULL, 0);
}

bool program_wanted(const struct follow_rules *rules, pid_t pid)
{
	char line[LINE_MAX_LEN];

	if (!rules->only && !rules->except)
		return true;
	return program_line_wanted(rules,
				   program_line(pid, line, sizeof(line)));
}

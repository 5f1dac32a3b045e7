/* SPDX-License-Identifier: GPL-2.0-only */
/* Choosing programs by their command lines. */
#ifndef PFMON_PROGRAM_H
#define PFMON_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "request.h"

/* The words of the process's command line, with single spaces. Returns text. */
char *program_line(pid_t pid, char *text, size_t size);

/* Whether the program that the process executes is one to be counted. */
bool program_wanted(const struct follow_rules *rules, pid_t pid);

/* The same for a command line. */
bool program_line_wanted(const struct follow_rules *rules, const char *line);

#endif /* PFMON_PROGRAM_H */

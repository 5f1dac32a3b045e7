/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading and writing one-line files, above all those of /sys/kernel/perfmon. */
#ifndef PFM_TEST_ATTR_H
#define PFM_TEST_ATTR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PERFMON_SYSFS "/sys/kernel/perfmon/"
#define PERFMON_DEBUGFS "/sys/kernel/debug/perfmon/"

/* Reads @path whole, NUL terminated. Returns 0 or an errno. */
int file_read(const char *path, char *text, size_t size);

/* Writes @text with one call. Returns 0 or an errno. */
int file_write(const char *path, const char *text);

/* The number in @path, base found from its prefix; -1 if there is none. */
int64_t file_number(const char *path);

/* The same for an attribute of /sys/kernel/perfmon. */
int attr_read(const char *name, char *text, size_t size);
int attr_write(const char *name, const char *text);
int64_t attr_number(const char *name);

/* Is perfmon a module here, with a device in the place of system calls? */
bool perfmon_is_module(void);

#endif

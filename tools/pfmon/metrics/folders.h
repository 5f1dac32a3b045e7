/* SPDX-License-Identifier: GPL-2.0-only */
/* The folders of groups and of metric files. */
#ifndef PFMON_FOLDERS_H
#define PFMON_FOLDERS_H

#include <stddef.h>

/* The folder of this name in the user's configuration. size: at most PATH_MAX. */
void folder_of_user(char *path, size_t size, const char *name);

/*
 * The folder of this name that came with pfmon, or the one that the environment variable
 * names. "" if the program's own path is not known.
 */
void folder_of_pfmon(char *path, size_t size, const char *name,
		     const char *variable);

#endif /* PFMON_FOLDERS_H */

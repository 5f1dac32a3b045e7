/* SPDX-License-Identifier: GPL-2.0-only */
/* A copy of the running program, for tests of what execve() does to sessions. */
#ifndef PFM_TEST_PROGRAM_COPY_H
#define PFM_TEST_PROGRAM_COPY_H

#include <sys/types.h>

/* Makes or replaces the file @path, with this mode whatever the umask. 0 or -1. */
int program_copy(const char *path, mode_t mode);

#endif

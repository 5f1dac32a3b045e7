/* SPDX-License-Identifier: GPL-2.0-only */
/* What the kernel says in its log. */
#ifndef PFM_TEST_KMSG_H
#define PFM_TEST_KMSG_H

#include <stdbool.h>

/* Opens the log; only messages from now on will be seen. -1 on failure. */
int kmsg_open(void);

/* Whether a message since kmsg_open(), or the last call, has @text in it. */
bool kmsg_says(int fd, const char *text);

#endif

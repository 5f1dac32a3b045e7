/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files below /proc as text in memory.
 */
#ifndef PERFCTR_TEST_LINUX_SEQ_FILE_H
#define PERFCTR_TEST_LINUX_SEQ_FILE_H

#include <linux/kernel.h>

struct seq_file {
	char text[256];
	size_t length;
};

void seq_printf(struct seq_file *m, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#define seq_puts(m, text) seq_printf(m, "%s", text)

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/* Addresses of the kernel and of its modules. */
#ifndef PFM_TEST_KERNEL_SYMBOL_H
#define PFM_TEST_KERNEL_SYMBOL_H

#include <stdint.h>

/* The address of the last symbol with this name in /proc/kallsyms, or 0. */
uint64_t kernel_symbol(const char *name);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/* Replaces a header that newer kernels have split. */
#include <asm/cpuid/api.h>

/* SPDX-License-Identifier: GPL-2.0-only */
/* Stands in for a header that newer kernels have in parts. */
#include <asm/cpuid/api.h>

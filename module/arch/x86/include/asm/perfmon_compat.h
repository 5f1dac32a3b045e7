/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What kernels that perfmon is built into need here, compat.h has for the module,
 * but for a header that not every file needs.
 */
#include <asm/cpuid.h>

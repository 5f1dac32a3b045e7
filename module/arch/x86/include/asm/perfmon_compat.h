/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The module has its names in compat.h, which is included first. This header is left,
 * as only some files need it.
 */
#include <asm/cpuid.h>

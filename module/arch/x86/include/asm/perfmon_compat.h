/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The module has these definitions in compat.h, which is included first. This
 * header remains because only some files need it.
 */
#include <asm/cpuid.h>

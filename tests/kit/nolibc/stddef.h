/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Nothing to add: nolibc.h, which is included first, has defined all of it, and
 * ptrdiff_t in another way than the compiler's own header for i386.
 */

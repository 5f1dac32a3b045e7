/* SPDX-License-Identifier: GPL-2.0-only */
/* Nothing to add: nolibc.h, which is included first, has its own types. */

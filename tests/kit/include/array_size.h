/* SPDX-License-Identifier: GPL-2.0-only */
/* The number of elements of an array; the kernel's harness brings the same. */
#ifndef PFM_TEST_ARRAY_SIZE_H
#define PFM_TEST_ARRAY_SIZE_H

#ifndef ARRAY_SIZE
#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#endif

#endif

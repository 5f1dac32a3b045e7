/* SPDX-License-Identifier: MIT */
/* The number of elements of an array, for the library and its tests. */
#ifndef PFMLIB_ARRAY_SIZE_H
#define PFMLIB_ARRAY_SIZE_H

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#endif /* PFMLIB_ARRAY_SIZE_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/* The object of a program that an address of data is in. */
#ifndef PFMON_DATA_OBJECTS_H
#define PFMON_DATA_OBJECTS_H

#include "views/view.h"

/*
 * Writes "OBJECT  FILE", with "+0x" and the offset behind the object if that is wanted, or
 * what the address is else, in brackets. Programs and libraries have to be there: files of
 * samples have the names of functions only.
 */
void data_object_name(const struct view *view,
		      const struct profile_sample *sample,
		      const struct place *place, uint64_t address,
		      bool with_offset, char *name, size_t size);

#endif /* PFMON_DATA_OBJECTS_H */

/* SPDX-License-Identifier: MIT */
/*
 * The changes to libpfm4's tables: names and codes that programs know from libpfm
 * 3.10 and that libpfm4 renamed, left out or replaced by numbers of its own.  Where
 * the two disagree on what the hardware counts, libpfm4's value stays, as it is the
 * maintained one, unless Intel's event file agrees with libpfm 3.10.
 *
 * And the events that not every version of libpfm4 has, or has alike: the library
 * offers the same whichever it was built with (make check-libpfm4).
 */
#ifndef PFMLIB_PATCH_ROWS_H
#define PFMLIB_PATCH_ROWS_H

struct pfmlib_file_row;

/* What is added takes the place of what libpfm4 has by the same name. */
enum pfmlib_patch_kind {
	SET_EVENT_CODE,
	ADD_EVENT,
	DROP_EVENT,
	SET_MASK_OPTIONAL,
	SET_DEFAULT, /* by a row of an event file */
	/* These are of masks: */
	SET_MASK_CODE,
	SET_MASK_BY_NAME,
	SET_MASK_PRECISE,
	ADD_MASK,
	ADD_SECOND_MASK, /* at index 1 */
	DROP_MASK,
};

struct pfmlib_patch {
	unsigned int models; /* PFMLIB_PATCH_* */
	enum pfmlib_patch_kind kind;
	const char *event;
	const char *mask;
	unsigned int code;
	const char *desc; /* of what is added */
	const struct pfmlib_file_row *row; /* NULL: libpfm4 encodes it */
};

/* Ends with a row without models. */
extern const struct pfmlib_patch pfmlib_patches[];

#endif /* PFMLIB_PATCH_ROWS_H */

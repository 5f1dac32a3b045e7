/* SPDX-License-Identifier: MIT */
/*
 * The changes to libpfm4's tables: names and codes of libpfm 3.10 that programs use and
 * that libpfm4 has renamed, omitted or replaced by its own numbers.  Where the two
 * disagree about the event that the hardware counts, libpfm4's value stays, as it is
 * maintained, unless Intel's event file agrees with libpfm 3.10.
 *
 * Also the events that only some versions of libpfm4 have, or that differ between
 * versions: the library offers the same events with all of them (make check-libpfm4).
 */
#ifndef PFMLIB_PATCH_ROWS_H
#define PFMLIB_PATCH_ROWS_H

struct pfmlib_file_row;

/* An addition replaces libpfm4's entry of the same name. */
enum pfmlib_patch_kind {
	SET_EVENT_CODE,
	ADD_EVENT,
	DROP_EVENT,
	SET_MASK_OPTIONAL,
	SET_DEFAULT, /* from a row of an event file */
	/* These change masks: */
	SET_MASK_CODE,
	SET_MASK_BY_NAME,
	SET_MASK_PRECISE,
	ADD_MASK,
	ADD_SECOND_MASK, /* insert at index 1 */
	DROP_MASK,
};

struct pfmlib_patch {
	unsigned int models; /* PFMLIB_PATCH_* */
	enum pfmlib_patch_kind kind;
	const char *event;
	const char *mask;
	unsigned int code;
	const char *desc; /* description of the addition */
	const struct pfmlib_file_row *row; /* NULL: libpfm4 encodes it */
};

/* Ends with a row whose models are 0. */
extern const struct pfmlib_patch pfmlib_patches[];

#endif /* PFMLIB_PATCH_ROWS_H */

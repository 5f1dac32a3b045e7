/* SPDX-License-Identifier: MIT */
/*
 * The changes to libpfm4's tables: names and codes that programs know from libpfm
 * 3.10 and that libpfm4 renamed, left out or replaced by numbers of its own.  Where
 * the two disagree on what the hardware counts, libpfm4's value stays, as it is the
 * maintained one, unless Intel's event file agrees with libpfm 3.10.
 */
#ifndef PFMLIB_PATCH_ROWS_H
#define PFMLIB_PATCH_ROWS_H

enum pfmlib_patch_kind {
	SET_EVENT_CODE,
	ADD_EVENT,
	SET_MASK_OPTIONAL,
	/* These are of masks: */
	SET_MASK_CODE,
	SET_MASK_BY_NAME,
	ADD_MASK,
	ADD_SECOND_MASK, /* at index 1 */
};

struct pfmlib_patch {
	unsigned int models; /* PFMLIB_PATCH_* */
	enum pfmlib_patch_kind kind;
	const char *event;
	const char *mask;
	unsigned int code;
	const char *desc; /* of what is added */
};

/* Ends with a row without models. */
extern const struct pfmlib_patch pfmlib_patches[];

#endif /* PFMLIB_PATCH_ROWS_H */

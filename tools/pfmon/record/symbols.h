/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The symbols of a file of samples, so that it can be read where the programs are not
 * there any more, or are others.
 */
#ifndef PFMON_RECORD_SYMBOLS_H
#define PFMON_RECORD_SYMBOLS_H

#include "profile/chains.h"
#include "profile/writer.h"
#include "record/mapped_files.h"

/*
 * Before the first chunk: what goes into a pipe is copied, as it has to be read again.
 */
void symbols_begin(struct writer *writer);

/*
 * Adds what the samples in the file so far have hit, as the program of pfmon report
 * finds it in the files that were mapped; a note tells if it cannot. It also tells of
 * call chains what their addresses say, otherwise these stay as they are. 0, or -1 with
 * errno: the file cannot be written.
 */
int symbols_write(struct writer *writer, struct mapped_files *files,
		  struct chains *chains);

#endif /* PFMON_RECORD_SYMBOLS_H */

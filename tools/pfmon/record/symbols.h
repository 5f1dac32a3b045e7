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
 * A new file for a copy of what goes to fd, if that is a pipe: it has to be read again.
 * -1: there is none to be made, or it cannot be, after a message.
 */
int symbols_copy(int fd);

/*
 * Adds what the samples in the file so far have hit, as the program of pfmon report
 * finds it in the files that were mapped; a note tells if it cannot. It also tells of
 * call chains what their addresses say, otherwise these stay as they are. 0, or -1 with
 * errno: the file cannot be written.
 */
int symbols_write(struct writer *writer, struct mapped_files *files,
		  struct chains *chains);

#endif /* PFMON_RECORD_SYMBOLS_H */

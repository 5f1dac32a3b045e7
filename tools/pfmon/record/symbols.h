/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The symbols of a file of samples, so that it can be read where the programs are not
 * there any more, or are others.
 */
#ifndef PFMON_RECORD_SYMBOLS_H
#define PFMON_RECORD_SYMBOLS_H

#include "profile/writer.h"

/*
 * Adds what the samples in the file so far have hit, as the program of pfmon report
 * finds it; nothing where that is not installed or the file is no regular one. 0, or -1
 * with errno: the file cannot be written.
 */
int symbols_write(struct writer *writer);

#endif /* PFMON_RECORD_SYMBOLS_H */

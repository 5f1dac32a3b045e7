/* SPDX-License-Identifier: GPL-2.0-only */
/* pfmon record: samples of commands, of what runs, and of CPUs, into a file. */
#ifndef PFMON_RECORD_H
#define PFMON_RECORD_H

/* argv[0] is "record". Returns the exit status of pfmon. */
int verb_record(int argc, char **argv);

#endif /* PFMON_RECORD_H */

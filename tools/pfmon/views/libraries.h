/* SPDX-License-Identifier: GPL-2.0-only */
/* The libraries that this pfmon was built with, for pfmon -V -v. */
#ifndef PFMON_LIBRARIES_H
#define PFMON_LIBRARIES_H

/* Prints a line for each. The status. */
int libraries(int argc, char **argv);

#endif /* PFMON_LIBRARIES_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A temporary directory that stands for a part of sysfs in the tests of the
 * library and of pfmon.  A failure ends the test program.
 */
#ifndef SCRATCH_DIR_H
#define SCRATCH_DIR_H

/* Returns the name of a new, empty directory; remove it with scratch_remove. */
char *scratch_make(void);
void scratch_remove(char *dir);

/* Writes text to dir/path; makes the directories on the way. */
void scratch_write(const char *dir, const char *path, const char *text);
void scratch_unlink(const char *dir, const char *path);

#endif /* SCRATCH_DIR_H */

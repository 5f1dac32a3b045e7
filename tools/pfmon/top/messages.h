/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Messages while the terminal is a screen: they would be gone with it, so they are
 * kept until it has ended.
 */
#ifndef PFMON_TOP_MESSAGES_H
#define PFMON_TOP_MESSAGES_H

/* A file for messages that nobody sees yet. -1 with errno. */
int messages_file(void);

/* Writes what such a file has to the standard error. */
void messages_write(int file);

/*
 * From the first on messages are kept, with the second they are shown. Without
 * memory they are shown at once.
 */
void messages_keep(void);
void messages_show(void);

#endif /* PFMON_TOP_MESSAGES_H */

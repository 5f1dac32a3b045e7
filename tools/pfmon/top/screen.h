/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the tables of pfmon top are shown: a terminal, or a stream. */
#ifndef PFMON_TOP_SCREEN_H
#define PFMON_TOP_SCREEN_H

#include "top/table.h"
#include "top/wish.h"

/* 0, or -1 after a message: there is no terminal, or no library for it. */
int screen_begin(void);
void screen_end(void);

/* The key that was pressed, as a character; 0: none. Does not wait. */
int screen_key(void);

void screen_show(const struct wish *wish, const struct table *table,
		 bool paused);

/* The same behind the last one, for a batch. -1 after a message. */
int screen_print(const struct wish *wish, const struct table *table, FILE *out);

#endif /* PFMON_TOP_SCREEN_H */

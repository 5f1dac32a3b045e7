/* SPDX-License-Identifier: GPL-2.0-only */
/* Command lines for the parsers of pfmon, which may change the words. */
#ifndef WORDS_H
#define WORDS_H

/* Of a command line, without the name; fewer end with NULL. */
#define ARGS_MAX 12

/* An argv, up to the next call: the name, and the words that follow it. */
char **words_of(const char *name, const char *const words[ARGS_MAX], int *argc);

#endif /* WORDS_H */

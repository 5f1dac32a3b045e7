/* SPDX-License-Identifier: GPL-2.0-only */
/* The instructions of a function. */
#ifndef PFMON_CODE_H
#define PFMON_CODE_H

#include "symbols/functions.h"

struct instruction {
	uint64_t place; /* as in images */
	uint64_t address; /* as the program headers have it */
	unsigned int size;
	char text[200];
};

struct code {
	struct instruction *rows;
	size_t count;
};

/* Once before all. NULL, or why nothing reads instructions here. */
const char *code_begin(void);

/*
 * The instructions of a function; none if the file is not there. What is no
 * instruction is a byte. 0, or -1 after a message; code_free() in both cases.
 */
int code_read(struct code *code, const struct function *function);
void code_free(struct code *code);

#endif /* PFMON_CODE_H */

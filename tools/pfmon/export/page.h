/* SPDX-License-Identifier: GPL-2.0-only */
/* Parts of the page of pfmon export html. */
#ifndef PFMON_PAGE_H
#define PFMON_PAGE_H

#include <stdint.h>
#include <stdio.h>

#include "views/rows.h"

/* A cell of a table; two of them: a number of samples, and its share. */
void page_cell(const char *text, FILE *out);
void page_numbers(uint64_t samples, uint64_t all, FILE *out);

/* The places with most samples, and their instructions. 0, or -1 after a message. */
int page_spots(const struct rows *places, FILE *out);

/* What was run and sampled, where, when and how: what META tells. */
void page_run(const struct profile *profile, unsigned int event, FILE *out);

#endif /* PFMON_PAGE_H */

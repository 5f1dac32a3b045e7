/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The code of processes while they run: what is mapped where, and what its file says of
 * frames. What is known of mappings grows meanwhile.
 */
#ifndef PFMON_UNWIND_TABLES_H
#define PFMON_UNWIND_TABLES_H

#include "profile/read_places.h"
#include "symbols/elf_frames.h"
#include "symbols/images.h"

struct tables;

/* What is there. */
struct table_at {
	const struct image *image; /* NULL: nothing is mapped */
	const struct elf_frame *frame; /* NULL: its file says nothing of it */
	bool calls; /* a call may end behind it */
};

/* NULL after a message. The profile has to stay. */
struct tables *tables_new(const struct profile *profile);
void tables_free(struct tables *tables);

/* Mappings may have been added to the profile. 0, or -1 after a message. */
int tables_renew(struct tables *tables);

/* What a process had there then, until the next call. NULL without memory. */
const struct table_at *tables_at(struct tables *tables, uint32_t tgid,
				 uint64_t ip, uint64_t time);

#endif /* PFMON_UNWIND_TABLES_H */

// SPDX-License-Identifier: GPL-2.0-only
/*
 * What programs write for pfmon stat -m, of any kind: nothing in it is believed. The
 * first byte chooses the rows.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "regions/regions.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look_at(const struct regions *regions)
{
	for (size_t i = 0; i < regions->count; i++) {
		const struct region_row *row = &regions->rows[i];

		if (!row->threads || strlen(row->name) >= MARK_NAME_MAX ||
		    strlen(row->comm) >= sizeof(row->comm)) {
			fputs("a row that is none\n", stderr);
			abort();
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const int place[] = { 1, 0 };
	struct regions regions;
	int fd;

	if (!size)
		return 0;
	fd = memfd_create("fuzz", MFD_CLOEXEC);
	if (fd < 0 ||
	    pwrite(fd, data + 1, size - 1, sizeof(struct mark_setup)) < 0)
		abort();
	if (!regions_read(&regions, fd, (enum regions_grouping)(*data % 3),
			  place, 2))
		look_at(&regions);
	regions_free(&regions);
	close(fd);
	return 0;
}

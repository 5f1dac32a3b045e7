// SPDX-License-Identifier: GPL-2.0-only
/* Reading the register map from sysfs, see regmap.h. */
#include "registers/regmap.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"

/* Reads a file of one line. Returns 0, or -1 with errno. */
static int read_line(const char *sysfs, const char *attr,
		     char line[REGMAP_TEXT])
{
	char path[256];
	char *end;
	FILE *file;
	int ret = -1;

	if (snprintf(path, sizeof(path), "%s/%s", sysfs, attr) >=
	    (int)sizeof(path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	file = fopen(path, "re");
	if (!file)
		return -1;
	errno = EINVAL;
	if (fgets(line, REGMAP_TEXT, file)) {
		end = strchr(line, '\n');
		if (end && end > line) {
			*end = '\0';
			ret = 0;
		}
	}
	fclose(file);
	return ret;
}

static int unreadable(const char *sysfs, const char *attr)
{
	return diag("%s/%s: %s; the register map of this kernel cannot be used",
		    sysfs, attr,
		    errno == EINVAL ? "unexpected content" : strerror(errno));
}

static int read_hex(const char *sysfs, const char *attr, uint64_t *value)
{
	char text[REGMAP_TEXT], *end;

	if (read_line(sysfs, attr, text))
		return -1;
	errno = 0;
	*value = strtoull(text, &end, 16);
	if (strncmp(text, "0x", 2) != 0 || end == text + 2 || *end || errno) {
		errno = EINVAL;
		return -1;
	}
	return 0;
}

/* Reads what describes one register; that there is none is no error. */
static int read_reg(struct reg *reg, const char *sysfs, const char *kind,
		    int index)
{
	char attr[64];

	snprintf(attr, sizeof(attr), "pmu_desc/%s%d/name", kind, index);
	if (read_line(sysfs, attr, reg->name))
		return errno == ENOENT ? 0 : unreadable(sysfs, attr);
	snprintf(attr, sizeof(attr), "pmu_desc/%s%d/rsvd_msk", kind, index);
	if (read_hex(sysfs, attr, &reg->reserved))
		return unreadable(sysfs, attr);
	snprintf(attr, sizeof(attr), "pmu_desc/%s%d/dfl_val", kind, index);
	if (read_hex(sysfs, attr, &reg->fixed_to))
		return unreadable(sysfs, attr);
	reg->fixed_to &= reg->reserved;
	reg->present = true;
	return 0;
}

int regmap_read(struct regmap *map, const char *sysfs)
{
	memset(map, 0, sizeof(*map));
	if (read_line(sysfs, "pmu_desc/model", map->model))
		return unreadable(sysfs, "pmu_desc/model");
	for (int i = 0; i < PFM_MAX_PMCS; i++) {
		if (read_reg(&map->pmc[i], sysfs, "pmc", i))
			return -1;
	}
	for (int i = 0; i < PFM_MAX_PMDS; i++) {
		if (read_reg(&map->pmd[i], sysfs, "pmd", i))
			return -1;
	}
	return 0;
}

bool regmap_owner(char owner[REGMAP_TEXT], const char *sysfs)
{
	return !read_line(sysfs, "pmu_owner", owner) &&
	       strcmp(owner, "none") != 0 && strcmp(owner, "perfmon") != 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/* Reading the register map from sysfs, see regmap.h. */
#include "registers/regmap.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"

/* Reads a file of one line. Returns 0, or -1 with errno. */
static int read_line(const char *sysfs, const char *attr,
		     char line[REGMAP_TEXT])
{
	char path[NAME_MAX + 256], *end;
	ssize_t len;
	int fd;

	if (snprintf(path, sizeof(path), "%s/%s", sysfs, attr) >=
	    (int)sizeof(path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	/* There are dozens of them: a stream for each takes its time. */
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	len = read(fd, line, REGMAP_TEXT - 1);
	close(fd);
	line[len > 0 ? len : 0] = '\0';
	end = strchr(line, '\n');
	if (!end || end == line) {
		errno = EINVAL;
		return -1;
	}
	*end = '\0';
	return 0;
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

/* Reads what describes one register. */
static int read_reg(struct reg *reg, const char *sysfs, const char *folder,
		    const char *name)
{
	char attr[NAME_MAX + 48];

	snprintf(attr, sizeof(attr), "%s/%s/name", folder, name);
	if (read_line(sysfs, attr, reg->name))
		return unreadable(sysfs, attr);
	snprintf(attr, sizeof(attr), "%s/%s/rsvd_msk", folder, name);
	if (read_hex(sysfs, attr, &reg->reserved))
		return unreadable(sysfs, attr);
	snprintf(attr, sizeof(attr), "%s/%s/dfl_val", folder, name);
	if (read_hex(sysfs, attr, &reg->fixed_to))
		return unreadable(sysfs, attr);
	reg->fixed_to &= reg->reserved;
	reg->present = true;
	return 0;
}

/* The register that a folder describes; NULL if it is none. */
static struct reg *reg_of(struct regmap *map, const char *name)
{
	unsigned long index;
	char *end;

	if (strncmp(name, "pmc", 3) != 0 && strncmp(name, "pmd", 3) != 0)
		return NULL;
	index = strtoul(name + 3, &end, 10);
	if (name[3] < '0' || name[3] > '9' || *end)
		return NULL;
	if (name[2] == 'c')
		return index < PFM_MAX_PMCS ? &map->pmc[index] : NULL;
	return index < PFM_MAX_PMDS ? &map->pmd[index] : NULL;
}

/* How many there are, or -1 after a message. */
static int read_regs(struct regmap *map, const char *sysfs, const char *name)
{
	const struct dirent *entry;
	char path[256];
	int count = 0;
	DIR *folder;

	snprintf(path, sizeof(path), "%s/%s", sysfs, name);
	folder = opendir(path);
	if (!folder)
		return unreadable(sysfs, name);
	while (count >= 0 && (entry = readdir(folder))) {
		struct reg *reg = reg_of(map, entry->d_name);

		if (!reg)
			continue;
		count = read_reg(reg, sysfs, name, entry->d_name) ? -1 :
								    count + 1;
	}
	closedir(folder);
	return count;
}

int regmap_read(struct regmap *map, const char *sysfs)
{
	char pebs[REGMAP_TEXT];

	memset(map, 0, sizeof(*map));
	if (!read_line(sysfs, "pmu_desc/pebs", pebs))
		map->pebs_format = (unsigned int)strtoul(pebs, NULL, 10);
	if (read_line(sysfs, "pmu_desc/model", map->model))
		return unreadable(sysfs, "pmu_desc/model");
	return read_regs(map, sysfs, "pmu_desc") < 0 ? -1 : 0;
}

int regmap_add_kind(struct regmap *map, const char *sysfs, const char *kind)
{
	char folder[64];
	int count;

	snprintf(folder, sizeof(folder), "pmu_desc/%s", kind);
	count = read_regs(map, sysfs, folder);
	map->of_a_kind = count > 0;
	return count < 0 ? -1 : 0;
}

bool regmap_owner(char owner[REGMAP_TEXT], const char *sysfs)
{
	return !read_line(sysfs, "pmu_owner", owner) &&
	       strcmp(owner, "none") != 0 && strcmp(owner, "perfmon") != 0;
}

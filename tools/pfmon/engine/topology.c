// SPDX-License-Identifier: GPL-2.0-only
/* Where a CPU is, see topology.h. */
#include "engine/topology.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>

const char *topology_directory = "/sys/devices/system/cpu";

static int read_id(int cpu, const char *name)
{
	char path[PATH_MAX];
	FILE *file;
	int id;

	snprintf(path, sizeof(path), "%s/cpu%d/topology/%s", topology_directory,
		 cpu, name);
	file = fopen(path, "re");
	if (!file)
		return -1;
	if (fscanf(file, "%d", &id) != 1)
		id = -1;
	fclose(file);
	return id;
}

/* A link in the CPU's directory has the name of its node. */
static int read_node(int cpu)
{
	struct dirent *entry;
	int node = -1, found;
	char path[PATH_MAX];
	DIR *dir;

	snprintf(path, sizeof(path), "%s/cpu%d", topology_directory, cpu);
	dir = opendir(path);
	if (!dir)
		return -1;
	while (node < 0 && (entry = readdir(dir)))
		if (sscanf(entry->d_name, "node%d", &found) == 1)
			node = found;
	closedir(dir);
	return node;
}

void topology_place(int cpu, enum grouping grouping, char place[TOPOLOGY_PLACE])
{
	place[0] = '\0';
	switch (grouping) {
	case GROUP_CORES:
		snprintf(place, TOPOLOGY_PLACE, "S%d-D%d-C%d",
			 read_id(cpu, "physical_package_id"),
			 read_id(cpu, "die_id"), read_id(cpu, "core_id"));
		break;
	case GROUP_SOCKETS:
		snprintf(place, TOPOLOGY_PLACE, "S%d",
			 read_id(cpu, "physical_package_id"));
		break;
	case GROUP_DIES:
		snprintf(place, TOPOLOGY_PLACE, "S%d-D%d",
			 read_id(cpu, "physical_package_id"),
			 read_id(cpu, "die_id"));
		break;
	case GROUP_NODES:
		snprintf(place, TOPOLOGY_PLACE, "N%d", read_node(cpu));
		break;
	default:
		break;
	}
}

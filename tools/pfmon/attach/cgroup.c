// SPDX-License-Identifier: GPL-2.0-only
/* Control groups, see cgroup.h. */
#include "attach/cgroup.h"

#include <ctype.h>
#include <errno.h>
#include <fts.h>
#include <mntent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "diag.h"

/* Docker and others print so many digits of the id of a container. */
#define SHORT_ID 12

/* Where cgroups of version 2 are mounted. -1 after a message. */
static int find_root(char root[PATH_MAX])
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	const struct mntent *entry;
	bool found = false;

	while (mounts && !found && (entry = getmntent(mounts))) {
		found = !strcmp(entry->mnt_type, "cgroup2");
		if (found)
			snprintf(root, PATH_MAX, "%s", entry->mnt_dir);
	}
	if (mounts)
		endmntent(mounts);
	return found ? 0 :
		       diag("-G: no cgroups of version 2 are mounted (mount -t cgroup2 none /sys/fs/cgroup)");
}

/* Whether a text is all that is left of a folder's name, but for the kind of unit. */
static bool is_end(const char *rest)
{
	return !*rest || !strcmp(rest, ".service") || !strcmp(rest, ".scope") ||
	       !strcmp(rest, ".slice");
}

static bool is_short_id(const char *name, const char *rest)
{
	return strlen(name) >= SHORT_ID &&
	       strspn(name, "0123456789abcdef") == strlen(name) &&
	       isxdigit((unsigned char)*rest);
}

/* Whether a folder is called so, see cgroup_find(). */
static bool is_called(const char *folder, const char *name)
{
	const char *at = strstr(folder, name);

	for (; at; at = strstr(at + 1, name)) {
		const char *rest = at + strlen(name);

		if (at != folder && at[-1] != '-' && at[-1] != '_')
			continue;
		if (is_end(rest) || is_short_id(name, rest))
			return true;
	}
	return false;
}

/* A folder in one that is called so is part of it. */
static int search(struct cgroup *cgroup, const char *name, char *root)
{
	char *const roots[] = { root, NULL };
	FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	int found = 0;
	FTSENT *entry;

	while (tree && (entry = fts_read(tree))) {
		if (entry->fts_info != FTS_D || !entry->fts_level ||
		    !is_called(entry->fts_name, name))
			continue;
		fts_set(tree, entry, FTS_SKIP);
		if (found++) {
			diag("-G %s: several cgroups are called so: %s and %s; give the path of one",
			     name, cgroup->path + strlen(root) + 1,
			     entry->fts_path + strlen(root) + 1);
			break;
		}
		snprintf(cgroup->path, sizeof(cgroup->path), "%s",
			 entry->fts_path);
	}
	if (tree)
		fts_close(tree);
	if (found == 1)
		return 0;
	cgroup->path[0] = '\0';
	return found ? -1 :
		       diag("-G %s: no cgroup in %s is called so", name, root);
}

int cgroup_find(struct cgroup *cgroup, const char *name, const char *root)
{
	char mounted[PATH_MAX];
	struct stat status;

	cgroup->path[0] = '\0';
	if (root)
		snprintf(mounted, sizeof(mounted), "%s", root);
	else if (find_root(mounted))
		return -1;
	while (*name == '/')
		name++;
	if (!*name || strstr(name, ".."))
		return diag(
			"-G: the name of a cgroup is expected; of all processes: -a");
	if (snprintf(cgroup->path, sizeof(cgroup->path), "%s/%s", mounted,
		     name) >= (int)sizeof(cgroup->path))
		return diag("-G %s: too long", name);
	if (!stat(cgroup->path, &status) && S_ISDIR(status.st_mode))
		return 0;
	return search(cgroup, name, mounted);
}

/* Of one cgroup alone. One that goes meanwhile has no processes. */
static int visit_folder(const char *folder, int (*visit)(pid_t pid, void *arg),
			void *arg)
{
	char path[PATH_MAX];
	int ret = 0, pid;
	FILE *file;

	if (snprintf(path, sizeof(path), "%s/cgroup.procs", folder) >=
	    (int)sizeof(path))
		return 0;
	file = fopen(path, "re");
	if (!file)
		return 0;
	/* 0 is a process of a PID namespace that cannot be seen from here. */
	while (ret >= 0 && fscanf(file, "%d", &pid) == 1)
		ret = pid > 0 ? visit(pid, arg) : 0;
	fclose(file);
	return ret < 0 ? ret : 0;
}

int cgroup_each_process(const struct cgroup *cgroup,
			int (*visit)(pid_t pid, void *arg), void *arg)
{
	char *const roots[] = { (char *)(uintptr_t)cgroup->path, NULL };
	FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	struct stat status;
	int ret = 0;
	FTSENT *entry;

	while (tree && !ret && (entry = fts_read(tree)))
		if (entry->fts_info == FTS_D)
			ret = visit_folder(entry->fts_path, visit, arg);
	if (tree)
		fts_close(tree);
	if (!ret && stat(cgroup->path, &status))
		return diag("-G: %s: %s", cgroup->path, strerror(errno));
	return ret;
}

uint64_t cgroup_cpu_ns(const struct cgroup *cgroup)
{
	char path[PATH_MAX + sizeof("/cpu.stat")];
	unsigned long long usage = 0;
	FILE *file;

	snprintf(path, sizeof(path), "%s/cpu.stat", cgroup->path);
	file = fopen(path, "re");
	if (!file)
		return 0;
	if (fscanf(file, "usage_usec %llu", &usage) != 1)
		usage = 0;
	fclose(file);
	return usage * 1000;
}

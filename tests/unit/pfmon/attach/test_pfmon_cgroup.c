// SPDX-License-Identifier: GPL-2.0-only
/* Cgroups by name, in a folder that looks like theirs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "array_size.h"
#include "attach/cgroup.h"
#include "message.h"
#include "scratch_dir.h"

#define ID "0123456789abcdef0123456789abcdef"

static char *root;

static void make(const char *folder, const char *file, const char *text)
{
	char path[PATH_MAX];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s", root, folder);
	mkdir(path, 0755);
	if (!file)
		return;
	snprintf(path, sizeof(path), "%s/%s/%s", root, folder, file);
	out = fopen(path, "we");
	assert_non_null(out);
	fputs(text, out);
	fclose(out);
}

static int make_cgroups(void **state)
{
	(void)state;
	root = scratch_make();
	make("system.slice", "cgroup.procs", "");
	make("system.slice/web.service", "cgroup.procs", "11\n12\n");
	make("system.slice/web.service", "cpu.stat",
	     "usage_usec 2500\nuser_usec 1000\n");
	make("system.slice/web.service/worker", "cgroup.procs", "13\n0\n");
	make("system.slice/docker-" ID ".scope", "cgroup.procs", "21\n");
	make("slurm", NULL, NULL);
	make("slurm/job_17", "cgroup.procs", "31\n");
	make("slurm/job_171", "cgroup.procs", "");
	make("slurm/web.service", "cgroup.procs", "");
	make("slurm/a", NULL, NULL);
	make("slurm/a/part", NULL, NULL);
	make("slurm/a/part/part", NULL, NULL);
	return 0;
}

static int remove_cgroups(void **state)
{
	(void)state;
	scratch_remove(root);
	return 0;
}

static void a_name_finds_one_folder(void **state)
{
	static const struct {
		const char *name, *path;
	} rows[] = {
		{ "system.slice/web.service", "system.slice/web.service" },
		{ "/system.slice/web.service", "system.slice/web.service" },
		{ "system", "system.slice" },
		{ "0123456789ab", "system.slice/docker-" ID ".scope" },
		{ ID, "system.slice/docker-" ID ".scope" },
		{ "17", "slurm/job_17" },
		{ "job_171", "slurm/job_171" },
		{ "worker", "system.slice/web.service/worker" },
		{ "part", "slurm/a/part" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct cgroup cgroup;

		assert_int_equal(cgroup_find(&cgroup, rows[i].name, root), 0);
		assert_string_equal(cgroup.path + strlen(root) + 1,
				    rows[i].path);
	}
}

static void a_name_of_none_or_several_is_refused(void **state)
{
	static const struct {
		const char *name, *said;
	} rows[] = {
		{ "web", "several cgroups are called so" },
		{ "web.service", "several cgroups are called so" },
		{ "0123456789a", "is called so" },
		{ "job", "is called so" },
		{ "nowhere", "is called so" },
		{ "/", "the name of a cgroup is expected" },
		{ "../system.slice", "the name of a cgroup is expected" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct cgroup cgroup;

		message_catch();
		assert_int_equal(cgroup_find(&cgroup, rows[i].name, root), -1);
		message_expect("-G", rows[i].said, NULL);
	}
}

static int add(pid_t pid, void *arg)
{
	*(int *)arg += pid;
	return 0;
}

static int refuse(pid_t pid, void *arg)
{
	*(int *)arg += pid;
	return -1;
}

static void the_processes_of_cgroups_inside_count_as_well(void **state)
{
	struct cgroup cgroup;
	int sum = 0;

	(void)state;
	assert_int_equal(cgroup_find(&cgroup, "system.slice/web.service", root),
			 0);
	assert_int_equal(cgroup_each_process(&cgroup, add, &sum), 0);
	assert_int_equal(sum, 11 + 12 + 13);
	assert_int_equal(cgroup_cpu_ns(&cgroup), 2500000);
	sum = 0;
	assert_int_equal(cgroup_each_process(&cgroup, refuse, &sum), -1);
	assert_int_equal(sum, 11);
}

static void a_cgroup_that_has_gone_is_named(void **state)
{
	struct cgroup cgroup = { .path = "/nowhere/web" };
	int sum = 0;

	(void)state;
	message_catch();
	assert_int_equal(cgroup_each_process(&cgroup, add, &sum), -1);
	message_expect("-G: /nowhere/web", "directory", NULL);
	assert_int_equal(cgroup_cpu_ns(&cgroup), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_finds_one_folder),
		cmocka_unit_test(a_name_of_none_or_several_is_refused),
		cmocka_unit_test(the_processes_of_cgroups_inside_count_as_well),
		cmocka_unit_test(a_cgroup_that_has_gone_is_named),
	};

	return cmocka_run_group_tests_name("pfmon_cgroup", tests, make_cgroups,
					   remove_cgroups);
}

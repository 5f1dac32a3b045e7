// SPDX-License-Identifier: GPL-2.0-only
/* What administrators see and set in sysfs: cases C150 to C152. */
#include <dirent.h>
#include <sys/stat.h>

#include <perfmon/perfmon_dfl_smpl.h>

#include "attr.h"
#include "child.h"
#include "owner.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"
#include "unprivileged.h"

/* Every attribute, and what it holds before anybody has used it. */
static const struct attribute {
	const char *name;
	unsigned int mode;
	const char *initial; /* NULL: depends on the machine */
} attributes[] = {
	{ "version", 0444, "3.0\n" },
	{ "interface", 0444, "3.0\n" },
	{ "compat_version", 0644, "3.0\n" },
	{ "syscall", 0444, "500\n" },
	{ "device", 0444, "/dev/perfmon\n" },
	{ "task_sessions_count", 0444, "0\n" },
	{ "sys_sessions_count", 0444, "0\n" },
	{ "pmu_owner", 0444, NULL },
	{ "delivery", 0444, NULL },
	{ "enabled", 0644, "1\n" },
	{ "arg_mem_max", 0644, "4096\n" },
	{ "smpl_buffer_mem_cur", 0444, "0\n" },
	{ "smpl_buffer_mem_max", 0644, NULL },
	{ "debug", 0644, "0\n" },
	{ "rdpmc", 0644, "1\n" },
	{ "inherit_max", 0644, "65536\n" },
	{ "reset_stats", 0644, "0\n" },
	{ "sys_group", 0644, "-1\n" },
	{ "task_group", 0644, "-1\n" },
};

/* One of two says how programs reach the kernel. */
static bool is_here(const char *name)
{
	return strcmp(name, perfmon_is_module() ? "syscall" : "device");
}

TEST(C150_attributes_have_their_modes_and_initial_values)
{
	char path[128], text[64];
	struct stat st;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(attributes); i++) {
		const struct attribute *attr = &attributes[i];

		if (!is_here(attr->name))
			continue;
		snprintf(path, sizeof(path), PERFMON_SYSFS "%s", attr->name);
		st.st_mode = 0;
		stat(path, &st);
		attr_read(attr->name, text, sizeof(text));
		EXPECT_TRUE((st.st_mode & 07777) == attr->mode &&
			    (!attr->initial || !strcmp(attr->initial, text)))
		{
			TH_LOG("%s: %o, %s", attr->name, st.st_mode, text);
		}
	}
}

TEST(C150_there_are_no_other_attributes)
{
	DIR *dir = opendir(PERFMON_SYSFS);
	struct dirent *entry;
	unsigned int i;

	ASSERT_NE(NULL, dir);
	while ((entry = readdir(dir))) {
		if (entry->d_type != DT_REG)
			continue;
		for (i = 0; i < ARRAY_SIZE(attributes); i++)
			if (!strcmp(entry->d_name, attributes[i].name) &&
			    is_here(attributes[i].name))
				break;
		EXPECT_GT(ARRAY_SIZE(attributes), i)
		{
			TH_LOG("unknown: %s", entry->d_name);
		}
	}
	closedir(dir);
}

TEST(C150_formats_are_listed)
{
	char text[64];
	struct stat st;

	ASSERT_EQ(0, stat(PERFMON_SYSFS "formats/default/version", &st));
	EXPECT_EQ(0444, st.st_mode & 07777);
	ASSERT_EQ(0, attr_read("formats/default/version", text, sizeof(text)));
	EXPECT_STREQ("1.0\n", text);
}

static int sampling_session(uint64_t buf_size)
{
	struct pfm_dfl_smpl_arg arg = { .buf_size = buf_size };

	return pfm_create_session(PFM_FL_SMPL_FMT, "default", &arg,
				  sizeof(arg));
}

TEST(C150_memory_of_sampling_buffers_is_accounted)
{
	int first = sampling_session(10000);
	int second;

	ASSERT_LE(0, first);
	/* Whole pages. */
	EXPECT_EQ(12288, attr_number("smpl_buffer_mem_cur"));
	second = sampling_session(65536);
	EXPECT_EQ(12288 + 65536, attr_number("smpl_buffer_mem_cur"));
	close(first);
	EXPECT_EQ(65536, attr_number("smpl_buffer_mem_cur"));
	close(second);
	EXPECT_EQ(0, attr_number("smpl_buffer_mem_cur"));
}

/* One line, nothing after it. */
static bool is_line(const char *text)
{
	return strlen(text) > 1 && strchr(text, '\n') == strrchr(text, '\n') &&
	       text[strlen(text) - 1] == '\n';
}

/* A number as sysfs prints it: "0x", lower case, no leading zeros. */
static bool is_hex_line(const char *text)
{
	char again[32];

	snprintf(again, sizeof(again), "0x%llx\n", strtoull(text, NULL, 16));
	return !strcmp(text, again);
}

/* Checks the five files of a register; returns the first that is wrong. */
static const char *wrong_file(const char *reg)
{
	static const char *const hex[] = { "dfl_val", "rsvd_msk", "addr" };
	char path[128], text[64];
	unsigned int i;
	int width;

	snprintf(path, sizeof(path), "pmu_desc/%.31s/name", reg);
	if (attr_read(path, text, sizeof(text)) || !is_line(text))
		return "name";
	snprintf(path, sizeof(path), "pmu_desc/%.31s/width", reg);
	if (attr_read(path, text, sizeof(text)) ||
	    sscanf(text, "%d", &width) != 1 || width < 1 || width > 64)
		return "width";
	for (i = 0; i < ARRAY_SIZE(hex); i++) {
		snprintf(path, sizeof(path), "pmu_desc/%.31s/%s", reg, hex[i]);
		if (attr_read(path, text, sizeof(text)) || !is_hex_line(text))
			return hex[i];
	}
	return NULL;
}

TEST(C151_each_register_is_described)
{
	DIR *dir = opendir(PERFMON_SYSFS "pmu_desc");
	unsigned int pmcs = 0, pmds = 0;
	struct dirent *entry;

	ASSERT_NE(NULL, dir);
	while ((entry = readdir(dir))) {
		const char *wrong;

		if (entry->d_type != DT_DIR || strncmp(entry->d_name, "pm", 2))
			continue;
		pmcs += !strncmp(entry->d_name, "pmc", 3);
		pmds += !strncmp(entry->d_name, "pmd", 3);
		wrong = wrong_file(entry->d_name);
		EXPECT_EQ(NULL, wrong)
		{
			TH_LOG("%s/%s", entry->d_name, wrong);
		}
	}
	closedir(dir);
	/* Without counters there is the TSC. */
	EXPECT_LE(pmu_get() ? 2U : 0U, pmcs);
	EXPECT_LE(pmu_get() ? 2U : 1U, pmds);
}

/* The maps of the processors that the test machine can be. */
static const struct map {
	const char *model;
	int width; /* 0: differs between processors of this map */
	struct {
		enum pmu_kind kind;
		unsigned int num;
		const char *name;
		uint64_t addr, dfl_val, rsvd_msk;
	} reg[2];
} maps[] = {
	{ "Intel P6 processor Family",
	  31,
	  { { PMU_PMC, 1, "PERFEVTSEL1", 0x187, 0x100000, 0xffffffff00700000 },
	    { PMU_PMD, 1, "PERFCTR1", 0xc2, 0, 0 } } },
	{ "AMD64",
	  47,
	  { { PMU_PMC, 3, "PERFSEL3", 0xc0010003, 0x100000, 0 },
	    { PMU_PMD, 3, "PERFCTR3", 0xc0010007, 0, 0xffff000000000000 } } },
	{ "AMD Core Perfctr",
	  47,
	  { { PMU_PMC, 5, "PERFSEL5", 0xc001020a, 0x100000, 0xfffffcf000300000 },
	    { PMU_PMD, 5, "PERFCTR5", 0xc001020b, 0, 0xffff000000000000 } } },
	{ "Intel Core",
	  31,
	  { { PMU_PMC, 16, "FIXED_CTRL", 0x38d, 0x888, 0xfffffffffffffccc },
	    { PMU_PMD, 18, "FIXED_CTR2", 0x30b, 0, 0xffffff0000000000 } } },
	{ "Intel P4",
	  40,
	  { { PMU_PMC, 31, "IQ_CCCR4", 0x370, 0x4030000, 0xffffffffbe030fff },
	    { PMU_PMD, 8, "IQ_CTR4", 0x310, 0, 0xffffff0000000000 } } },
	{ "Intel architectural",
	  0,
	  { { PMU_PMC, 0, "PERFEVTSEL0", 0x186, 0x100000, 0 },
	    { PMU_PMC, 1, "PERFEVTSEL1", 0x187, 0x100000, 0 } } },
	{ "Intel P4",
	  40,
	  { { PMU_PMC, 56, "MS_CCCR2", 0x366, 0x4030000, 0xffffffffbe030fff },
	    { PMU_PMD, 17, "IQ_CTR5", 0x311, 0, 0 } } },
	{ "Intel P5",
	  40,
	  { { PMU_PMC, 1, "CESR1", 0x11, 0, 0xfffffffffffffe00 },
	    { PMU_PMD, 1, "CTR1", 0x13, 0, 0xffffff0000000000 } } },
	{ "Generic x86 TSC",
	  64,
	  { { PMU_PMD, 256, "TSC", 0, 0, 0 },
	    { PMU_PMD, 256, "TSC", 0, 0, 0 } } },
};

TEST(C151_the_map_of_this_processor_is_the_documented_one)
{
	const struct pmu *pmu = pmu_all();
	struct pmu_reg reg;
	unsigned int i, j;

	ASSERT_NE(NULL, pmu);
	for (i = 0; i < ARRAY_SIZE(maps); i++)
		if (!strcmp(pmu->model, maps[i].model))
			break;
	ASSERT_GT(ARRAY_SIZE(maps), i)
	{
		TH_LOG("unknown model: %s", pmu->model);
	}
	for (j = 0; j < ARRAY_SIZE(maps[i].reg); j++) {
		unsigned int num = maps[i].reg[j].num;

		ASSERT_TRUE(pmu_reg(maps[i].reg[j].kind, num, &reg));
		EXPECT_STREQ(maps[i].reg[j].name, reg.name);
		EXPECT_EQ(maps[i].reg[j].addr, reg.addr);
		EXPECT_EQ(maps[i].reg[j].dfl_val, reg.dfl_val);
		/* 0: differs between processors of this map. */
		if (maps[i].reg[j].rsvd_msk)
			EXPECT_EQ(maps[i].reg[j].rsvd_msk, reg.rsvd_msk);
		if (maps[i].width && maps[i].reg[j].kind == PMU_PMD)
			EXPECT_EQ(maps[i].width, reg.width);
	}
}

static const char *const restored[] = { "smpl_buffer_mem_max", "arg_mem_max",
					"sys_group", "task_group",
					"compat_version" };

/* The parent restores them, also if the test was killed; first, the one of buffers. */
FIXTURE(limits)
{
	char was[ARRAY_SIZE(restored)][32];
};

FIXTURE_SETUP(limits)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(restored); i++)
		ASSERT_EQ(0, attr_read(restored[i], self->was[i],
				       sizeof(self->was[i])));
}

FIXTURE_TEARDOWN_PARENT(limits)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(restored); i++)
		EXPECT_EQ(0, attr_write(restored[i], self->was[i]));
	EXPECT_EQ(0, attr_write("debug", "0"));
}

static const struct {
	const char *name;
	const char *text;
	int err;
} limit_writes[] = {
	{ "arg_mem_max", "100", EINVAL },
	{ "arg_mem_max", "4095", EINVAL },
	{ "arg_mem_max", "abc", EINVAL },
	{ "arg_mem_max", "-1", EINVAL },
	{ "arg_mem_max", "99999999999999999999", EINVAL },
	{ "arg_mem_max", "8192", 0 },
	{ "arg_mem_max", "65536\n", 0 },
	{ "arg_mem_max", "1048577", EINVAL },
	{ "arg_mem_max", "1048576", 0 },
	{ "arg_mem_max", "4096", 0 },
	{ "smpl_buffer_mem_max", "100", EINVAL },
	{ "smpl_buffer_mem_max", "4095", EINVAL },
	{ "smpl_buffer_mem_max", "abc", EINVAL },
	{ "smpl_buffer_mem_max", "-2", EINVAL },
	{ "smpl_buffer_mem_max", "99999999999999999999", EINVAL },
	{ "smpl_buffer_mem_max", "4096", 0 },
	{ "smpl_buffer_mem_max", "65536\n", 0 },
	{ "smpl_buffer_mem_max", "-1", 0 },
	{ "smpl_buffer_mem_max", "-1\n", 0 },
	{ "smpl_buffer_mem_cur", "0", EACCES },
	{ "debug", "abc", EINVAL },
	{ "debug", "3", 0 },
	{ "debug", "0\n", 0 },
	{ "reset_stats", "whatever", 0 },
	{ "sys_group", "abc", EINVAL },
	{ "sys_group", "12", 0 },
	{ "sys_group", "-1", 0 },
	{ "sys_group", "-2", EINVAL },
	{ "task_group", "1x", EINVAL },
	{ "task_group", "12\n", 0 },
	{ "version", "3.0", EACCES },
	{ "interface", "3.0", EACCES },
	{ "compat_version", "2.80", EINVAL },
	{ "compat_version", "2.810", EINVAL },
	{ "compat_version", "3", EINVAL },
	{ "compat_version", "3.0\n", 0 },
};

TEST_F(limits, C152_limits_are_checked)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(limit_writes); i++) {
		int err =
			attr_write(limit_writes[i].name, limit_writes[i].text);

		/* Root opens a read-only attribute; writing then fails. */
		if (limit_writes[i].err == EACCES) {
			EXPECT_NE(0, err);
			continue;
		}
		EXPECT_EQ(limit_writes[i].err, err)
		{
			TH_LOG("%s = \"%s\"", limit_writes[i].name,
			       limit_writes[i].text);
		}
	}
}

TEST_F(limits, C152_a_limit_reads_as_it_was_written)
{
	char text[32];

	ASSERT_EQ(0, attr_write("arg_mem_max", "8192"));
	ASSERT_EQ(0, attr_read("arg_mem_max", text, sizeof(text)));
	EXPECT_STREQ("8192\n", text);
	/* A refused value changes nothing. */
	ASSERT_EQ(EINVAL, attr_write("arg_mem_max", "100"));
	ASSERT_EQ(0, attr_read("arg_mem_max", text, sizeof(text)));
	EXPECT_STREQ("8192\n", text);
}

TEST_F(limits, the_version_is_the_one_that_old_programs_ask_for)
{
	static const char *const versions[] = { "2.81\n", "3.0\n" };
	char text[32];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(versions); i++) {
		ASSERT_EQ(0, attr_write("compat_version", versions[i]));
		ASSERT_EQ(0, attr_read("compat_version", text, sizeof(text)));
		EXPECT_STREQ(versions[i], text);
		ASSERT_EQ(0, attr_read("version", text, sizeof(text)));
		EXPECT_STREQ(versions[i], text);
		/* That tells who can use what there is. */
		ASSERT_EQ(0, attr_read("interface", text, sizeof(text)));
		EXPECT_STREQ("3.0\n", text);
	}
	/* A refused value changes nothing. */
	ASSERT_EQ(EINVAL, attr_write("compat_version", "2.8"));
	ASSERT_EQ(0, attr_read("version", text, sizeof(text)));
	EXPECT_STREQ("3.0\n", text);
}

static unsigned long long bytes_of_memory(void)
{
	FILE *meminfo = fopen("/proc/meminfo", "re");
	unsigned long long kilobytes = 0;

	if (!meminfo)
		return 0;
	if (fscanf(meminfo, "MemTotal: %llu kB", &kilobytes) != 1)
		kilobytes = 0;
	fclose(meminfo);
	return kilobytes * 1024;
}

TEST_F(limits, buffers_may_take_an_eighth_of_the_memory_at_first)
{
	unsigned long long limit = strtoull(self->was[0], NULL, 0);
	unsigned long long memory = bytes_of_memory();

	EXPECT_GE(memory / 8, limit);
	EXPECT_LT(memory / 8, limit + 4096);
	EXPECT_EQ(ENOMEM, ERRNO(sampling_session(limit + 1)));
}

TEST_F(limits, C152_the_limit_of_buffers_is_kept)
{
	char text[32];
	int fd;

	ASSERT_EQ(0, attr_write("smpl_buffer_mem_max", "65536"));
	EXPECT_EQ(65536, attr_number("smpl_buffer_mem_max"));
	EXPECT_EQ(ENOMEM, ERRNO(sampling_session(65537)));
	fd = sampling_session(65536);
	ASSERT_LE(0, fd);
	/* What exists stays, and counts. */
	ASSERT_EQ(0, attr_write("smpl_buffer_mem_max", "8192"));
	EXPECT_EQ(65536, attr_number("smpl_buffer_mem_cur"));
	EXPECT_EQ(ENOMEM, ERRNO(sampling_session(4096)));
	close(fd);
	fd = sampling_session(4096);
	EXPECT_LE(0, fd);
	close(fd);
	ASSERT_EQ(0, attr_write("smpl_buffer_mem_max", "-1"));
	ASSERT_EQ(0, attr_read("smpl_buffer_mem_max", text, sizeof(text)));
	/* SIZE_MAX of the kernel. */
	EXPECT_TRUE(!strcmp(text, "18446744073709551615\n") ||
		    !strcmp(text, "4294967295\n"));
}

static int write_group_errno(void *arg)
{
	(void)arg;
	return attr_write("sys_group", "65534");
}

TEST(C152_only_the_administrator_sets_limits)
{
	EXPECT_EQ(EACCES, unprivileged(NO_GROUP, write_group_errno, NULL));
	EXPECT_EQ(-1, attr_number("sys_group"));
}

TEST(C152_attached_sessions_are_counted)
{
	pid_t pid = child_start_stopped(child_sleep, NULL);
	int first = pmu_session(0);
	int second = pmu_session(0);

	ASSERT_LT(0, pid);
	ASSERT_LE(0, second);
	EXPECT_EQ(0, attr_number("task_sessions_count"));
	ASSERT_EQ(0, attach_self(first));
	EXPECT_EQ(1, attr_number("task_sessions_count"));
	ASSERT_EQ(0, pfm_attach_session(second, 0, pid));
	EXPECT_EQ(2, attr_number("task_sessions_count"));
	ASSERT_EQ(0, pfm_detach_session(first, 0));
	EXPECT_EQ(1, attr_number("task_sessions_count"));
	child_kill(pid);
	EXPECT_EQ(0, attr_number("task_sessions_count"));
	EXPECT_EQ(0, attr_number("sys_sessions_count"));
}

TEST(the_owner_of_the_pmu_is_named)
{
	/* Nobody needs one for the TSC. */
	const char *owner = pmu_get() ? "perfmon" : "none";
	int first, second;

	EXPECT_TRUE(pmu_owner_is("none"));
	first = pfm_create_session(0);
	second = pfm_create_session(0);
	ASSERT_LE(0, second);
	EXPECT_TRUE(pmu_owner_is(owner));
	close(first);
	EXPECT_TRUE(pmu_owner_is(owner));
	close(second);
	EXPECT_TRUE(pmu_owner_is("none"));
}

TEST_HARNESS_MAIN

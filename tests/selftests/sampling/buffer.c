// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sampling buffers: how they are made, paid for, mapped and freed. Conformance
 * cases C009, C011 to C013, C015, C110, C111, C116, C117; what is recorded in
 * them is the subject of sampling.c.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "attr.h"
#include "child.h"
#include "default_format.h"
#include "instruction_track.h"
#include "overflow_period.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"
#include "unprivileged.h"

#define KIB 1024ULL

static size_t page(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

static int create(struct pfm_dfl_smpl_arg *arg, size_t size)
{
	return pfm_create_session(PFM_FL_SMPL_FMT, PFM_DFL_SMPL_NAME, arg,
				  size);
}

/* Bytes of all buffers of the machine. */
static int64_t memory(void)
{
	return attr_number("smpl_buffer_mem_cur");
}

TEST(C009_the_argument_has_exactly_its_size)
{
	struct pfm_dfl_smpl_arg args[2] = { { .buf_size = 64 * KIB } };

	EXPECT_EQ(EINVAL, ERRNO(create(args, 0)));
	EXPECT_EQ(EINVAL, ERRNO(create(args, 63)));
	EXPECT_EQ(EINVAL, ERRNO(create(args, 65)));
	EXPECT_EQ(EINVAL, ERRNO(create(NULL, 63)));
	EXPECT_EQ(EFAULT, ERRNO(create(NULL, 64)));
	EXPECT_EQ(0, ERRNO(create(args, 64)));
}

TEST(C011_a_buffer_holds_at_least_one_entry)
{
	uint64_t least = 128 + 40 + 8 * dfl_pmds();
	int64_t before = memory();

	EXPECT_EQ(EINVAL, ERRNO(dfl_create(0, 0)));
	EXPECT_EQ(EINVAL, ERRNO(dfl_create(0, least - 1)));
	EXPECT_EQ(before, memory());
	EXPECT_EQ(0, ERRNO(dfl_create(0, least)));
	EXPECT_EQ(before + (int64_t)page(), memory());
}

TEST(C011_no_buffer_is_larger_than_the_machine)
{
	int64_t before = memory();
	int error;

	/* A 32-bit kernel cannot even name such a size. */
	error = ERRNO(dfl_create(0, 1ULL << 40));
	EXPECT_TRUE(error == ENOMEM || error == EINVAL);
	error = ERRNO(dfl_create(0, ~0ULL));
	EXPECT_TRUE(error == ENOMEM || error == EINVAL);
	EXPECT_EQ(before, memory());
}

#define FIRST_WAS_MADE 2

/* Tries a buffer above the limit, one below it, and one more. */
static int exceed_memlock(void *arg)
{
	struct rlimit limit = { .rlim_cur = 64 * KIB, .rlim_max = 64 * KIB };

	(void)arg;
	if (setrlimit(RLIMIT_MEMLOCK, &limit))
		return 1;
	if (ERRNO(dfl_create(0, 64 * KIB + 1)) != ENOMEM)
		return FIRST_WAS_MADE;
	if (ERRNO(dfl_create(0, 48 * KIB)))
		return 3;
	if (ERRNO(dfl_create(0, 32 * KIB)) != ENOMEM)
		return 4;
	return 0;
}

TEST(C012_buffers_are_locked_memory_of_their_creator)
{
	int64_t before = memory();

	EXPECT_EQ(0, unprivileged(NO_GROUP, exceed_memlock, NULL));
	EXPECT_EQ(before, memory());
	/* Root may lock what he likes. */
	EXPECT_EQ(FIRST_WAS_MADE, exceed_memlock(NULL));
}

/* mlock() and buffers have limits of their own, that of a process and a user. */
static int lock_and_create(void *arg)
{
	struct rlimit limit = { .rlim_cur = 64 * KIB, .rlim_max = 64 * KIB };
	void *memory_of_mine;

	(void)arg;
	memory_of_mine = mmap(NULL, 48 * KIB, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory_of_mine == MAP_FAILED || setrlimit(RLIMIT_MEMLOCK, &limit) ||
	    mlock(memory_of_mine, 48 * KIB))
		return 1;
	if (ERRNO(dfl_create(0, 64 * KIB)))
		return 2;
	return ERRNO(dfl_create(0, KIB)) == ENOMEM ? 0 : 3;
}

TEST(C012_what_a_process_has_locked_does_not_count)
{
	EXPECT_EQ(0, unprivileged(NO_GROUP, lock_and_create, NULL));
}

/* The limit is restored by the parent, also if the test was killed. */
FIXTURE(limit)
{
	char before[32];
};

FIXTURE_SETUP(limit)
{
	ASSERT_EQ(0, attr_read("smpl_buffer_mem_max", self->before,
			       sizeof(self->before)));
}

FIXTURE_TEARDOWN_PARENT(limit)
{
	EXPECT_EQ(0, attr_write("smpl_buffer_mem_max", self->before));
}

TEST(C011_a_refused_buffer_costs_no_descriptor)
{
	int before = dup(STDIN_FILENO);

	ASSERT_LE(0, before);
	close(before);
	EXPECT_EQ(EINVAL, ERRNO(dfl_create(0, 1)));
	EXPECT_EQ(before, dup(STDIN_FILENO));
}

TEST_F(limit, C013_all_buffers_share_one_limit)
{
	int first;

	ASSERT_EQ(0, memory());
	ASSERT_EQ(0, attr_write("smpl_buffer_mem_max", "65536"));
	first = dfl_create(0, 48 * KIB);
	ASSERT_LE(0, first);
	EXPECT_EQ(48 * (int64_t)KIB, memory());
	EXPECT_EQ(ENOMEM, ERRNO(dfl_create(0, 32 * KIB)));
	EXPECT_EQ(48 * (int64_t)KIB, memory());
	EXPECT_EQ(0, ERRNO(dfl_create(0, 16 * KIB)));
	EXPECT_EQ(ENOMEM, ERRNO(dfl_create(0, KIB)));
	close(first);
	EXPECT_EQ(16 * (int64_t)KIB, memory());
	EXPECT_EQ(0, ERRNO(dfl_create(0, 32 * KIB)));
}

TEST(C015_reserved_words_of_the_argument_are_zero)
{
	struct pfm_dfl_smpl_arg arg = { .buf_size = 64 * KIB };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(arg.reserved); i++) {
		arg.reserved[i] = 1ULL << 63;
		EXPECT_EQ(EINVAL, ERRNO(create(&arg, sizeof(arg))));
		arg.reserved[i] = 0;
	}
	EXPECT_EQ(0, ERRNO(create(&arg, sizeof(arg))));
}

static bool is_zero(const void *bytes, size_t n)
{
	const char *byte = bytes;

	while (n && !*byte) {
		byte++;
		n--;
	}
	return !n;
}

TEST(C110_a_new_buffer_has_a_header_and_zeroes)
{
	struct pfm_dfl_smpl_arg arg = { .buf_size = 10000,
					.buf_flags = 0xffffffff };
	const struct pfm_dfl_smpl_hdr *hdr;
	int fd = create(&arg, sizeof(arg));

	ASSERT_LE(0, fd);
	hdr = mmap(NULL, 3 * page(), PROT_READ, MAP_PRIVATE, fd, 0);
	ASSERT_NE(MAP_FAILED, hdr);
	EXPECT_EQ(0, hdr->hdr_count);
	EXPECT_EQ(128, hdr->hdr_cur_offs);
	EXPECT_EQ(0, hdr->hdr_overflows);
	EXPECT_EQ(10000, hdr->hdr_buf_size);
	EXPECT_EQ(40 + 8 * dfl_pmds(), hdr->hdr_min_buf_space);
	EXPECT_EQ(0x10000, hdr->hdr_version);
	/* C015 */
	EXPECT_EQ(0xffffffff, hdr->hdr_buf_flags);
	EXPECT_TRUE(is_zero(hdr->hdr_reserved, 3 * page() - 48));
}

FIXTURE(mapping)
{
	int fd;
	size_t size;
};

FIXTURE_SETUP(mapping)
{
	self->size = 2 * page();
	self->fd = dfl_create(0, self->size - 100);
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(mapping)
{
	close(self->fd);
}

static int map_errno(int fd, size_t size, int prot, int flags, off_t offset)
{
	void *map = mmap(NULL, size, prot, flags, fd, offset);

	if (map == MAP_FAILED)
		return errno;
	munmap(map, size);
	return 0;
}

TEST_F(mapping, C111_a_mapping_begins_with_the_buffer_and_ends_within)
{
	const int read = PROT_READ;
	int fd = self->fd;

	EXPECT_EQ(0, map_errno(fd, self->size, read, MAP_PRIVATE, 0));
	EXPECT_EQ(0, map_errno(fd, self->size, read, MAP_SHARED, 0));
	EXPECT_EQ(0, map_errno(fd, page(), read, MAP_PRIVATE, 0));
	EXPECT_EQ(0, map_errno(fd, 1, read, MAP_PRIVATE, 0));
	EXPECT_EQ(EINVAL, map_errno(fd, self->size + 1, read, MAP_PRIVATE, 0));
	EXPECT_EQ(EINVAL,
		  map_errno(fd, page(), read, MAP_PRIVATE, (off_t)page()));
	EXPECT_EQ(EINVAL, map_errno(fd, page(), read, MAP_SHARED, 0x20000000));
	/* What is there is no buffer. */
	EXPECT_EQ(EINVAL,
		  map_errno(fd, page(), read, MAP_PRIVATE, PFM_MMAP_STATE));
}

TEST_F(mapping, C111_a_mapping_is_read_only)
{
	const int write = PROT_READ | PROT_WRITE;
	void *map;
	int error;

	EXPECT_EQ(EINVAL, map_errno(self->fd, page(), write, MAP_PRIVATE, 0));
	error = map_errno(self->fd, page(), write, MAP_SHARED, 0);
	EXPECT_TRUE(error == EACCES || error == EINVAL);
	/* Later kernels let no file without a name be executed. */
	error = map_errno(self->fd, page(), PROT_READ | PROT_EXEC, MAP_PRIVATE,
			  0);
	EXPECT_TRUE(error == EACCES || error == EINVAL || error == EPERM);

	map = mmap(NULL, self->size, PROT_READ, MAP_PRIVATE, self->fd, 0);
	ASSERT_NE(MAP_FAILED, map);
	EXPECT_EQ(EACCES, ERRNO(mprotect(map, page(), write)));
	EXPECT_EQ(EACCES, ERRNO(mprotect(map, page(), PROT_READ | PROT_EXEC)));
	EXPECT_EQ(MAP_FAILED,
		  mremap(map, self->size, 2 * self->size, MREMAP_MAYMOVE));
}

TEST_F(mapping, C111_a_session_without_format_has_nothing_to_map)
{
	int fd = pfm_create_session(0);

	ASSERT_LE(0, fd);
	EXPECT_EQ(EINVAL, map_errno(fd, page(), PROT_READ, MAP_PRIVATE, 0));
}

/* Ten samples of a thread that monitors itself. */
static int take_samples(int fd)
{
	return period_program(fd, pmu_first(), 0, 1000, NULL) ||
	       attach_self(fd) || track_run(fd, 1500) ||
	       pfm_detach_session(fd, 0);
}

TEST_F(mapping, C116_samples_survive_the_close)
{
	const struct pfm_dfl_smpl_hdr *hdr =
		mmap(NULL, self->size, PROT_READ, MAP_PRIVATE, self->fd, 0);
	int64_t rest = memory() - (int64_t)self->size;
	char copy[2000];

	NEEDS_INTERRUPTS();
	ASSERT_NE(MAP_FAILED, hdr);
	ASSERT_EQ(0, take_samples(self->fd));
	EXPECT_EQ(10, hdr->hdr_count);
	memcpy(copy, hdr, sizeof(copy));
	close(self->fd);
	EXPECT_EQ(rest + (int64_t)self->size, memory());
	EXPECT_EQ(0, memcmp(copy, hdr, sizeof(copy)));
	munmap((void *)hdr, self->size);
	EXPECT_EQ(rest, memory());
}

TEST_F(mapping, C116_the_buffer_survives_its_last_mapping)
{
	int64_t rest = memory() - (int64_t)self->size;
	const struct pfm_dfl_smpl_hdr *hdr;
	void *map;

	NEEDS_INTERRUPTS();
	map = mmap(NULL, self->size, PROT_READ, MAP_SHARED, self->fd, 0);
	ASSERT_NE(MAP_FAILED, map);
	munmap(map, self->size);
	EXPECT_EQ(rest + (int64_t)self->size, memory());
	ASSERT_EQ(0, take_samples(self->fd));
	hdr = mmap(NULL, page(), PROT_READ, MAP_SHARED, self->fd, 0);
	ASSERT_NE(MAP_FAILED, hdr);
	EXPECT_EQ(10, hdr->hdr_count);
	munmap((void *)hdr, page());
	close(self->fd);
	EXPECT_EQ(rest, memory());
}

TEST_F(mapping, C116_a_mapping_may_be_cut_into_pieces)
{
	int64_t rest = memory() - (int64_t)self->size;
	char *map = mmap(NULL, self->size, PROT_READ, MAP_PRIVATE, self->fd, 0);

	ASSERT_NE(MAP_FAILED, (void *)map);
	close(self->fd);
	munmap(map, page());
	EXPECT_EQ(rest + (int64_t)self->size, memory());
	munmap(map + page(), page());
	EXPECT_EQ(rest, memory());
}

static int compare_and_exit(void *arg)
{
	const struct pfm_dfl_smpl_hdr *hdr = arg;

	return hdr->hdr_count == 10 ? 0 : 1;
}

TEST_F(mapping, C117_a_child_inherits_the_mapping)
{
	struct pfm_dfl_smpl_hdr *hdr =
		mmap(NULL, self->size, PROT_READ, MAP_PRIVATE, self->fd, 0);
	int64_t rest = memory() - (int64_t)self->size;

	NEEDS_INTERRUPTS();
	ASSERT_NE(MAP_FAILED, hdr);
	ASSERT_EQ(0, take_samples(self->fd));
	EXPECT_EQ(0, child_wait(child_start(compare_and_exit, hdr)));
	EXPECT_EQ(10, hdr->hdr_count);
	close(self->fd);
	EXPECT_EQ(0, child_wait(child_start(compare_and_exit, hdr)));
	EXPECT_EQ(10, hdr->hdr_count);
	munmap(hdr, self->size);
	EXPECT_EQ(rest, memory());
}

TEST_HARNESS_MAIN

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory that the kernel does not get, and user memory that it cannot copy:
 * each place in each call where that can happen fails once. The call then says
 * so, has changed nothing that it must not, and works when it is made again.
 * What leaks is found by the leak detector of the kernel.
 */
#include <fcntl.h>
#include <sys/mman.h>

#include <perfmon/perfmon_dfl_smpl.h>
#include <perfmon/pfm_state.h>

#include "event_set.h"
#include "faults.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"
#include "sessions.h"

#define BUFFER_SIZE 65536

/* More places than any call has. */
#define MAX_PLACES 1000

FIXTURE(fault)
{
	int count[FAULTS]; /* of the call that was looked at last */
};

FIXTURE_SETUP(fault)
{
	if (faults_start())
		SKIP(return, "this kernel has no fault injection");
	ASSERT_NE(NULL, pmu_get());
	/* The library looks for the kernel's part once. */
	ASSERT_EQ(0, close(pmu_session(0)));
}

FIXTURE_TEARDOWN_PARENT(fault)
{
	faults_end();
	EXPECT_TRUE(nothing_is_left());
}

/* A call, on a session that it may use and change. */
typedef int (*call_fn)(int fd);

/* A failure of place @n led to @err; the call is made again. */
static void judge(struct __test_metadata *_metadata, FIXTURE_DATA(fault) * self,
		  const char *name, int n, int err)
{
	enum fault fault = fault_seen();

	self->count[fault]++;
	/* Also what the kernel can do without, as its leak detector. */
	if (fault == FAULT_QUIET && !err)
		return;
	EXPECT_EQ(fault == FAULT_COPY ? EFAULT : ENOMEM, err)
	{
		TH_LOG("%s, place %d: kind %d", name, n, fault);
	}
}

/*
 * Makes the call again and again, each time on a session from @prepare, and
 * lets another place fail each time. After each failure it must work.
 */
static void fail_everywhere(struct __test_metadata *_metadata,
			    FIXTURE_DATA(fault) * self, const char *name,
			    int (*prepare)(void), call_fn call)
{
	int n, err, fd;

	memset(self->count, 0, sizeof(self->count));
	/* Its pages are there afterwards: none is missing while something fails. */
	fd = prepare();
	ASSERT_LE(0, fd);
	EXPECT_EQ(0, ERRNO(call(fd)));
	close(fd);
	fault_seen();
	for (n = 1; n < MAX_PLACES; n++) {
		fd = prepare();
		ASSERT_LE(0, fd);
		fault_after(n);
		err = ERRNO(call(fd));
		/* Nothing failed any more: it has been everywhere. */
		if (fault_pending())
			break;
		judge(_metadata, self, name, n, err);
		EXPECT_EQ(0, err ? ERRNO(call(fd)) : 0)
		{
			TH_LOG("%s again, after place %d", name, n);
		}
		close(fd);
	}
	fault_after(0);
	EXPECT_EQ(0, err);
	close(fd);
	TH_LOG("%s: %d of slab memory, %d quiet, %d copies", name,
	       self->count[FAULT_SLAB], self->count[FAULT_QUIET],
	       self->count[FAULT_COPY]);
}

static int no_session(void)
{
	return open("/dev/null", O_RDONLY);
}

/* What was created is closed at once, or it is an error. */
static int close_created(int fd)
{
	return fd < 0 ? fd : close(fd);
}

static int create(int unused)
{
	(void)unused;
	return close_created(pfm_create_session(0));
}

static int create_for_cpu(int unused)
{
	(void)unused;
	return close_created(pfm_create_session(PFM_FL_SYSTEM_WIDE));
}

static int create_with_buffer(void)
{
	struct pfm_dfl_smpl_arg arg = { .buf_size = BUFFER_SIZE };

	return pfm_create_session(PFM_FL_SMPL_FMT, "default", &arg,
				  sizeof(arg));
}

static int create_family(int unused)
{
	struct pfm_dfl_smpl_arg arg = { .buf_size = BUFFER_SIZE,
					.buf_mode = PFM_DFL_SMPL_HALVES };

	(void)unused;
	return close_created(
		pfm_create_session(PFM_FL_SMPL_FMT | PFM_FL_INHERIT, "default",
				   &arg, sizeof(arg)));
}

static int create_sampling(int unused)
{
	(void)unused;
	return close_created(create_with_buffer());
}

TEST_F(fault, a_session_is_not_created)
{
	int tries;

	/* Session, set, file ... */
	fail_everywhere(_metadata, self, "create", no_session, create);
	EXPECT_LE(3, self->count[FAULT_SLAB]);
	fail_everywhere(_metadata, self, "create for a CPU", no_session,
			create_for_cpu);
	EXPECT_LE(3, self->count[FAULT_SLAB]);
	/*
	 * ... name and argument of the format, buffer, its memory and file. vmalloc() may
	 * take a range of addresses that was freed before, just when it should fail to
	 * allocate one: then the series is tried again.
	 */
	for (tries = 0; tries < 3; tries++) {
		fail_everywhere(_metadata, self, "create with a buffer",
				no_session, create_sampling);
		if (self->count[FAULT_SLAB] >= 6)
			break;
	}
	EXPECT_LE(6, self->count[FAULT_SLAB]);
	EXPECT_LE(5, self->count[FAULT_QUIET]);
	EXPECT_LE(2, self->count[FAULT_COPY]);
	/* ... and what finds it by the CPU, the page with its memory and file. */
	fail_everywhere(_metadata, self, "create with a buffer for each CPU",
			no_session, create_family);
	EXPECT_LE(9, self->count[FAULT_SLAB]);
	EXPECT_TRUE(nothing_is_left());
}

static int new_session(void)
{
	/* Used, so that it can be read. */
	return pmu_session(77);
}

#define MANY 200

static int write_many(int fd)
{
	struct pfarg_pmr pmrs[MANY];
	int i;

	for (i = 0; i < MANY; i++)
		pmrs[i] = (struct pfarg_pmr){ .reg_num = pmu_first()->pmd,
					      .reg_value = i };
	return pfm_write_pmrs(fd, PFM_RWFL_PMD, pmrs, MANY);
}

static int read_many(int fd)
{
	struct pfarg_pmr pmrs[MANY];
	int i;

	for (i = 0; i < MANY; i++)
		pmrs[i] = (struct pfarg_pmr){ .reg_num = pmu_first()->pmd };
	return pfm_read_pmrs(fd, PFM_RWFL_PMD, pmrs, MANY);
}

static int write_attrs(int fd)
{
	struct pfarg_pmr pmrs[2] = {
		{ .reg_num = pmu_first()->pmd, .reg_value = 1 },
		{ .reg_num = pmu_first()->pmd, .reg_value = 2 }
	};
	struct pfarg_pmd_attr attrs[2] = { { .reg_long_reset = 3 } };

	return pfm_write_pmrs(fd, PFM_RWFL_PMD | PFM_RWFL_PMD_ATTR, pmrs, 2,
			      attrs);
}

static int read_attr(int fd)
{
	struct pfarg_pmd_attr attr[2] = { { 0 } };
	struct pfarg_pmr pmrs[2] = { { .reg_num = pmu_first()->pmd },
				     { .reg_num = pmu_first()->pmd } };

	return pfm_read_pmrs(fd, PFM_RWFL_PMD | PFM_RWFL_PMD_ATTR, pmrs, 2,
			     attr);
}

TEST_F(fault, registers_are_not_accessed)
{
	fail_everywhere(_metadata, self, "write", new_session, write_many);
	EXPECT_LE(1, self->count[FAULT_SLAB]);
	EXPECT_LE(1, self->count[FAULT_COPY]);
	fail_everywhere(_metadata, self, "read", new_session, read_many);
	EXPECT_LE(1, self->count[FAULT_SLAB]);
	/* Values go back one by one, which nothing lets fail. */
	EXPECT_LE(1, self->count[FAULT_COPY]);
	fail_everywhere(_metadata, self, "write with attributes", new_session,
			write_attrs);
	EXPECT_LE(2, self->count[FAULT_SLAB]);
	EXPECT_LE(2, self->count[FAULT_COPY]);
	fail_everywhere(_metadata, self, "read with attributes", new_session,
			read_attr);
	EXPECT_LE(3, self->count[FAULT_COPY]);
}

TEST_F(fault, a_write_that_fails_changes_nothing)
{
	uint64_t value;
	int n, err, fd, failed = 0;

	for (n = 1; n < MAX_PLACES; n++) {
		fd = new_session();
		ASSERT_LE(0, fd);
		fault_after(n);
		err = ERRNO(write_attrs(fd));
		if (fault_pending())
			break;
		failed += !!err;
		ASSERT_EQ(0, read_pmd(fd, pmu_first()->pmd, &value));
		EXPECT_EQ(err ? 77 : 2, value);
		close(fd);
	}
	fault_after(0);
	/* Two vectors, two copies, the attributes. */
	EXPECT_LE(4, failed);
	close(fd);
}

static int make_sets(int fd)
{
	struct pfarg_setdesc descs[10] = { { 0 } };
	int i;

	for (i = 0; i < 10; i++)
		descs[i].set_id = i * 7;
	return pfm_create_sets(fd, 0, descs, 10);
}

static int describe_sets(int fd)
{
	struct pfarg_setinfo infos[5] = { { 0 } };

	return pfm_getinfo_sets(fd, 0, infos, 5);
}

static int delete_sets(int fd)
{
	struct pfarg_setdesc descs[9] = { { 0 } };
	int i;

	for (i = 0; i < 9; i++)
		descs[i].set_id = (i + 1) * 7;
	return pfm_create_sets(fd, PFM_SETS_DELETE, descs, 9);
}

static int session_with_sets(void)
{
	int fd = new_session();

	return fd < 0 || make_sets(fd) ? -1 : fd;
}

TEST_F(fault, sets_are_not_made_deleted_or_described)
{
	/* The vector, and each set but set 0. */
	fail_everywhere(_metadata, self, "create sets", new_session, make_sets);
	EXPECT_EQ(10, self->count[FAULT_SLAB]);
	EXPECT_EQ(1, self->count[FAULT_COPY]);
	fail_everywhere(_metadata, self, "getinfo", new_session, describe_sets);
	EXPECT_EQ(1, self->count[FAULT_SLAB]);
	EXPECT_EQ(2, self->count[FAULT_COPY]);
	fail_everywhere(_metadata, self, "delete sets", session_with_sets,
			delete_sets);
	EXPECT_EQ(1, self->count[FAULT_SLAB]);
}

TEST_F(fault, sets_before_the_failure_are_made)
{
	bool failed_after[10] = { false };
	struct pfarg_setinfo info;
	int n, i, err, made, fd;

	for (n = 1; n < MAX_PLACES; n++) {
		fd = new_session();
		ASSERT_LE(0, fd);
		fault_after(n);
		err = ERRNO(make_sets(fd));
		if (fault_pending())
			break;
		made = 0;
		for (i = 1; i < 10; i++)
			made += !set_info(fd, i * 7, &info);
		if (err)
			failed_after[made] = true;
		else
			EXPECT_EQ(9, made);
		close(fd);
	}
	fault_after(0);
	for (made = 0; made < 9; made++)
		EXPECT_TRUE(failed_after[made]);
	EXPECT_FALSE(failed_after[9]);
	close(fd);
}

static int attach_and_detach(int fd)
{
	return attach_self(fd) ? -1 : pfm_detach_session(fd, 0);
}

static int start_and_stop(int fd)
{
	return pfm_start_session(fd, 0) ? -1 : pfm_stop_session(fd, 0);
}

static int attached_session(void)
{
	int fd = new_session();

	return fd < 0 || attach_self(fd) ? -1 : fd;
}

static int attach_to_cpu(int fd)
{
	return pfm_attach_session(fd, 0, 0) ? -1 : pfm_detach_session(fd, 0);
}

TEST_F(fault, attaching_starting_and_stopping_need_nothing)
{
	static const struct {
		const char *name;
		int (*prepare)(void);
		call_fn call;
	} cases[] = {
		{ "attach, detach", new_session, attach_and_detach },
		{ "attach to a CPU", pmu_cpu_session, attach_to_cpu },
		{ "start, stop", attached_session, start_and_stop },
	};
	unsigned int i;
	int fault;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		fail_everywhere(_metadata, self, cases[i].name,
				cases[i].prepare, cases[i].call);
		for (fault = 0; fault < FAULTS; fault++)
			EXPECT_EQ(0, self->count[fault]);
	}
}

/* Not even the heap is near, so that a mapping needs page tables of its own. */
#define FAR_AWAY ((void *)0x60000000)

static int map_buffer(int fd)
{
	void *buf = mmap(FAR_AWAY, BUFFER_SIZE, PROT_READ, MAP_SHARED, fd, 0);

	return buf == MAP_FAILED ? -1 : munmap(buf, BUFFER_SIZE);
}

static int map_state(int fd)
{
	const struct pfm_state *state = pfm_map_state(fd);

	return state ? pfm_unmap_state(state) : -1;
}

static int map_far_state(int fd)
{
	void *page =
		mmap(FAR_AWAY, 1, PROT_READ, MAP_SHARED, fd, PFM_MMAP_STATE);

	return page == MAP_FAILED ? -1 : munmap(page, 1);
}

/* The page is there, for the time of the session. */
static int mapped_session(void)
{
	int fd = new_session();

	return fd < 0 || map_state(fd) ? -1 : fd;
}

static int ask_for_signals(int fd)
{
	return fcntl(fd, F_SETFL, O_NONBLOCK | O_ASYNC);
}

TEST_F(fault, a_buffer_is_not_mapped_and_signals_are_not_sent)
{
	fail_everywhere(_metadata, self, "mmap", create_with_buffer,
			map_buffer);
	EXPECT_LE(1, self->count[FAULT_SLAB]);
	/* The one that maps it, the page's description, its file. */
	fail_everywhere(_metadata, self, "state page", new_session, map_state);
	EXPECT_LE(3, self->count[FAULT_SLAB]);
	/* A second mapping finds them. */
	fail_everywhere(_metadata, self, "state page again", mapped_session,
			map_state);
	EXPECT_LE(1, self->count[FAULT_SLAB]);
	fail_everywhere(_metadata, self, "O_ASYNC", new_session,
			ask_for_signals);
	EXPECT_LE(1, self->count[FAULT_SLAB]);
}

/*
 * The same for whole pages: all of them fail but the first ones, of which there
 * is one more each time. Returns how often the call failed.
 */
static int fail_pages(struct __test_metadata *_metadata, int (*prepare)(void),
		      call_fn call)
{
	int n, err, fd;

	for (n = 0; n < MAX_PLACES; n++) {
		fd = prepare();
		ASSERT_LE(0, fd);
		ASSERT_EQ(0, pages_fail_after(n));
		err = ERRNO(call(fd));
		pages_end();
		if (err)
			EXPECT_EQ(ENOMEM, err);
		EXPECT_EQ(0, err ? ERRNO(call(fd)) : 0);
		close(fd);
		if (!err)
			break;
	}
	EXPECT_EQ(0, err);
	return n;
}

TEST_F(fault, a_buffer_has_no_pages)
{
	int created, mapped;

	/* What they touch for the first time needs pages, too. */
	ASSERT_EQ(0, create_sampling(0));
	ASSERT_EQ(0, pages_fail_after(MAX_PLACES));
	pages_end();
	created = fail_pages(_metadata, no_session, create_sampling);
	mapped = fail_pages(_metadata, create_with_buffer, map_buffer);
	TH_LOG("%d times not created, %d times not mapped", created, mapped);
	EXPECT_LE(1, created);
	EXPECT_LE(1, mapped);
	/* The page itself, and those of page tables. */
	mapped = fail_pages(_metadata, new_session, map_far_state);
	TH_LOG("%d times no state page", mapped);
	EXPECT_LE(1, mapped);
	EXPECT_TRUE(nothing_is_left());
}

TEST_HARNESS_MAIN

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sampling buffers in halves: the session goes on while one is read, and what finds both
 * full is lost and counted.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>

#include "array_size.h"
#include "child.h"
#include "default_format.h"
#include "frame_track.h"
#include "instruction_track.h"
#include "machine.h"
#include "message.h"
#include "overflow_period.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"
#include "stacks_format.h"

#define PERIOD 1000

/* Samples that fill a half. */
#define ENTRIES 20

/* Of the track: that give so many samples, and less than half a period. */
#define ROUNDS(samples) (((samples)*PERIOD + PERIOD / 4UL) / TRACK_ROUND)

static uint64_t half_size(void)
{
	return dfl_size(ENTRIES) - sizeof(struct pfm_dfl_smpl_hdr);
}

static int create(int flags, const struct pfm_dfl_smpl_arg *arg)
{
	struct pfm_dfl_smpl_arg copy = *arg;

	return pfm_create_session(flags | PFM_FL_SMPL_FMT, PFM_DFL_SMPL_NAME,
				  &copy, sizeof(copy));
}

FIXTURE(halves)
{
	struct sampler sampler;
	const struct pfm_dfl_smpl_hdr *hdr;
	int fd;
};

FIXTURE_SETUP(halves)
{
	struct pfm_dfl_smpl_arg arg = { .buf_mode = PFM_DFL_SMPL_HALVES };

	NEEDS_INTERRUPTS();
	arg.buf_size = sizeof(struct pfm_dfl_smpl_hdr) + 2 * half_size();
	self->sampler.size = arg.buf_size;
	self->sampler.fd = create(0, &arg);
	ASSERT_LE(0, self->sampler.fd);
	self->sampler.hdr = mmap(NULL, arg.buf_size, PROT_READ, MAP_PRIVATE,
				 self->sampler.fd, 0);
	ASSERT_NE(MAP_FAILED, self->sampler.hdr);
	self->hdr = self->sampler.hdr;
	self->fd = self->sampler.fd;
	ASSERT_EQ(0, period_program(self->fd, pmu_first(),
				    PFM_REGFL_OVFL_NOTIFY, PERIOD, NULL));
	ASSERT_EQ(0, attach_self(self->fd));
}

FIXTURE_TEARDOWN(halves)
{
	sampler_close(&self->sampler);
}

/* Entry @i of half @n, both from 0. */
static const struct pfm_dfl_smpl_entry *
entry_of(const struct pfm_dfl_smpl_hdr *hdr, uint64_t n, unsigned int i)
{
	const char *begin = (const char *)(hdr + 1);

	return (const struct pfm_dfl_smpl_entry *)(begin +
						   n % 2 * hdr->hdr_half_size) +
	       i;
}

/* The end of @samples entries in half @n, as an offset. */
static uint64_t end_of(const struct pfm_dfl_smpl_hdr *hdr, uint64_t n,
		       unsigned int samples)
{
	return (const char *)entry_of(hdr, n, samples) - (const char *)hdr;
}

static uint64_t lost(int fd)
{
	struct pfarg_setinfo info = { 0 };

	if (pfm_getinfo_sets(fd, PFM_GIFL_LOSS, &info, 1))
		return ~0ULL;
	return info.set_reserved3[PFM_LOSS_OVERFLOWS];
}

TEST_F(halves, the_header_of_an_empty_buffer_tells_of_them)
{
	EXPECT_EQ(half_size(), self->hdr->hdr_half_size);
	EXPECT_EQ(self->sampler.size, self->hdr->hdr_buf_size);
	EXPECT_EQ(128, self->hdr->hdr_cur_offs);
	EXPECT_EQ(0, self->hdr->hdr_count);
	EXPECT_EQ(0, self->hdr->hdr_overflows);
	EXPECT_EQ(0, self->hdr->hdr_released);
}

TEST_F(halves, the_session_goes_on_when_one_is_full)
{
	const unsigned long rounds = ROUNDS(ENTRIES + 7);
	union pfarg_msg msg;
	unsigned int i;

	ASSERT_EQ(0, track_run(self->fd, rounds));
	ASSERT_EQ(0, message_take(self->fd, &msg));
	EXPECT_EQ(track_ip(rounds, PERIOD * ENTRIES + 1),
		  msg.pfm_ovfl_msg.msg_ovfl_ip);
	EXPECT_EQ(EAGAIN, message_take(self->fd, &msg));
	EXPECT_EQ(1, self->hdr->hdr_overflows);
	EXPECT_EQ(end_of(self->hdr, 0, ENTRIES), self->hdr->hdr_full_offs[0]);
	EXPECT_EQ(7, self->hdr->hdr_count);
	EXPECT_EQ(end_of(self->hdr, 1, 7), self->hdr->hdr_cur_offs);
	for (i = 0; i < ENTRIES + 7; i++)
		ASSERT_EQ(track_ip(rounds, PERIOD * (i + 1) + 1),
			  entry_of(self->hdr, i / ENTRIES, i % ENTRIES)->ip);
	EXPECT_EQ(0, lost(self->fd));
}

TEST_F(halves, what_was_read_is_filled_again)
{
	const unsigned long rounds = ROUNDS(ENTRIES + 7);

	ASSERT_EQ(0, track_run(self->fd, rounds));
	ASSERT_EQ(0, period_restart(self->fd));
	EXPECT_EQ(1, self->hdr->hdr_released);
	/* Only what is full can be given back. */
	EXPECT_EQ(EBUSY, ERRNO(period_restart(self->fd)));
	EXPECT_EQ(7, self->hdr->hdr_count);
	ASSERT_EQ(0, track_run(self->fd, rounds));
	EXPECT_EQ(2, self->hdr->hdr_overflows);
	EXPECT_EQ(end_of(self->hdr, 1, ENTRIES), self->hdr->hdr_full_offs[1]);
	EXPECT_EQ(14, self->hdr->hdr_count);
	EXPECT_EQ(end_of(self->hdr, 0, 14), self->hdr->hdr_cur_offs);
	EXPECT_EQ(0, lost(self->fd));
}

TEST_F(halves, what_finds_both_full_is_lost_and_counted)
{
	const unsigned long rounds = ROUNDS(2 * ENTRIES + 5);
	union pfarg_msg msg;
	uint64_t value;

	ASSERT_EQ(0, track_run(self->fd, rounds));
	EXPECT_EQ(2, self->hdr->hdr_overflows);
	EXPECT_EQ(end_of(self->hdr, 1, ENTRIES), self->hdr->hdr_full_offs[1]);
	EXPECT_EQ(5, lost(self->fd));
	EXPECT_EQ(0, message_take(self->fd, &msg));
	EXPECT_EQ(0, message_take(self->fd, &msg));
	EXPECT_EQ(EAGAIN, message_take(self->fd, &msg));
	/* It counts all the same, and its periods stay. */
	ASSERT_EQ(0, read_pmd(self->fd, pmu_first()->pmd, &value));
	EXPECT_LT((uint64_t)-PERIOD, value);
	EXPECT_EQ(track_ip(rounds, PERIOD * 2 * ENTRIES + 1),
		  entry_of(self->hdr, 1, ENTRIES - 1)->ip);
}

TEST_F(halves, each_that_is_full_needs_a_restart_of_its_own)
{
	ASSERT_EQ(0, track_run(self->fd, ROUNDS(2 * ENTRIES + 5)));
	ASSERT_EQ(0, period_restart(self->fd));
	EXPECT_EQ(1, self->hdr->hdr_released);
	/* The first one is free again. */
	EXPECT_EQ(128, self->hdr->hdr_cur_offs);
	EXPECT_EQ(0, self->hdr->hdr_count);
	ASSERT_EQ(0, period_restart(self->fd));
	EXPECT_EQ(2, self->hdr->hdr_released);
	EXPECT_EQ(EBUSY, ERRNO(period_restart(self->fd)));
	ASSERT_EQ(0, track_run(self->fd, ROUNDS(3)));
	EXPECT_LE(3, self->hdr->hdr_count);
	EXPECT_EQ(5, lost(self->fd));
}

TEST_F(halves, they_take_turns_for_ever)
{
	union pfarg_msg msg;
	unsigned int i;

	for (i = 0; i < 9; i++) {
		ASSERT_EQ(0, track_run(self->fd, ROUNDS(ENTRIES)));
		ASSERT_EQ(0, message_take(self->fd, &msg));
		ASSERT_EQ(i + 1, self->hdr->hdr_overflows);
		ASSERT_EQ(end_of(self->hdr, i, ENTRIES),
			  self->hdr->hdr_full_offs[i % 2]);
		ASSERT_EQ(0, period_restart(self->fd));
	}
	EXPECT_EQ(0, lost(self->fd));
}

TEST_F(halves, who_attaches_anew_is_told_that_both_are_full)
{
	union pfarg_msg msg;

	ASSERT_EQ(0, track_run(self->fd, ROUNDS(2 * ENTRIES)));
	while (!message_take(self->fd, &msg))
		;
	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	ASSERT_EQ(0, attach_self(self->fd));
	EXPECT_EQ(EBUSY, ERRNO(period_restart(self->fd)));
	ASSERT_EQ(0, track_run(self->fd, ROUNDS(5)));
	/* Once, not for each that is lost. */
	EXPECT_EQ(0, message_take(self->fd, &msg));
	EXPECT_EQ(EAGAIN, message_take(self->fd, &msg));
	EXPECT_LE(4, lost(self->fd));
	EXPECT_EQ(0, period_restart(self->fd));
	EXPECT_EQ(0, period_restart(self->fd));
	EXPECT_EQ(2, self->hdr->hdr_released);
	EXPECT_EQ(EBUSY, ERRNO(period_restart(self->fd)));
}

/* A period in which a reader on an emulated CPU gets something done. */
static unsigned int slow_period(void)
{
	return kernel_is_slow() ? 200000 : 20000;
}

/* So many that are full one after another. */
#define HALVES 10

/* What the reader of another thread's samples has found. */
struct reading {
	int fd;
	bool waits;
	const struct pfm_dfl_smpl_hdr *hdr;
	unsigned int period;
	unsigned long rounds;
	uint64_t samples;
	uint64_t wrong;
};

static void read_oldest(struct reading *reading)
{
	const struct pfm_dfl_smpl_hdr *hdr = reading->hdr;
	uint64_t n = hdr->hdr_released;
	unsigned int i;

	for (i = 0; end_of(hdr, n, i) < hdr->hdr_full_offs[n % 2]; i++)
		reading->wrong +=
			entry_of(hdr, n, i)->ip !=
			track_ip(reading->rounds,
				 reading->period * ++reading->samples + 1);
}

/* Reads and gives back whatever is full. */
static void *read_halves(void *arg)
{
	struct reading *reading = arg;
	struct pollfd news = { .fd = reading->fd, .events = POLLIN };
	union pfarg_msg msg;

	pin_to_cpu(1);
	__atomic_store_n(&reading->waits, true, __ATOMIC_RELEASE);
	for (;;) {
		poll(&news, 1, -1);
		if (read(news.fd, &msg, sizeof(msg)) != sizeof(msg) ||
		    msg.type == PFM_MSG_END)
			return NULL;
		read_oldest(reading);
		reading->wrong += !!period_restart(news.fd);
	}
}

TEST_F(halves, nothing_is_lost_while_somebody_reads)
{
	const unsigned int period = slow_period();
	struct reading reading = { .fd = self->fd,
				   .hdr = self->hdr,
				   .period = period,
				   .rounds = ROUNDS(HALVES * ENTRIES * period /
						    PERIOD) };
	pthread_t reader;

	if (cpus_that_count() < 2)
		SKIP(return, "there is only one CPU");
	ASSERT_EQ(0, period_program(self->fd, pmu_first(),
				    PFM_REGFL_OVFL_NOTIFY, period, NULL));
	ASSERT_EQ(0, pin_to_cpu(0));
	ASSERT_EQ(0, pthread_create(&reader, NULL, read_halves, &reading));
	while (!__atomic_load_n(&reading.waits, __ATOMIC_ACQUIRE))
		usleep(1000);
	ASSERT_EQ(0, track_run(self->fd, reading.rounds));
	EXPECT_EQ(0, lost(self->fd));
	EXPECT_EQ(HALVES, self->hdr->hdr_overflows);
	while (__atomic_load_n(&self->hdr->hdr_released, __ATOMIC_ACQUIRE) <
	       HALVES)
		usleep(1000);
	pthread_cancel(reader);
	pthread_join(reader, NULL);
	EXPECT_EQ(0, reading.wrong);
	EXPECT_EQ(HALVES * ENTRIES, reading.samples);
}

TEST(a_half_has_room_for_an_entry_and_a_thread_never_waits)
{
	uint64_t least = 128 + 2 * (40 + 8 * (uint64_t)dfl_pmds());
	struct pfm_dfl_smpl_arg arg = { .buf_size = least };
	unsigned int i;

	arg.buf_mode = PFM_DFL_SMPL_HALVES;
	EXPECT_EQ(0, ERRNO(create(0, &arg)));
	arg.buf_size = least - 1;
	EXPECT_EQ(EINVAL, ERRNO(create(0, &arg)));
	arg.buf_size = least;
	EXPECT_EQ(EINVAL, ERRNO(create(PFM_FL_NOTIFY_BLOCK, &arg)));
	EXPECT_EQ(0, ERRNO(create(PFM_FL_SYSTEM_WIDE, &arg)));
	for (i = 1; i < 32; i++) {
		arg.buf_mode = 1U << i;
		EXPECT_EQ(EINVAL, ERRNO(create(0, &arg)));
		arg.buf_mode |= PFM_DFL_SMPL_HALVES;
		EXPECT_EQ(EINVAL, ERRNO(create(0, &arg)));
	}
}

/* Entries of the format "stacks" in a half. Returns how many there are. */
static unsigned int chains(const struct pfm_stacks_smpl_hdr *hdr, uint64_t n,
			   uint64_t end)
{
	uint64_t offset = sizeof(*hdr) + n % 2 * hdr->hdr_half_size;
	unsigned int count = 0;

	while (offset < end) {
		const struct pfm_stacks_smpl_entry *entry =
			(const void *)((const char *)hdr + offset);

		if (!entry->size || entry->nr != 1 ||
		    stacker_ips(entry)[0] != entry->ip)
			return 0;
		offset += entry->size;
		count++;
	}
	return offset == end ? count : 0;
}

TEST(stacks_are_recorded_in_halves_too)
{
	struct pfm_stacks_smpl_arg arg = { .buf_flags = PFM_STACKS_SMPL_HALVES,
					   .max_frames = 16 };
	const struct pfm_stacks_smpl_hdr *hdr;
	uint64_t half = stacks_size(ENTRIES, 1, 16) - sizeof(*hdr);
	int fd;

	NEEDS_INTERRUPTS();
	arg.buf_size = sizeof(*hdr) + 2 * half;
	fd = stacks_create(&arg);
	ASSERT_LE(0, fd);
	hdr = mmap(NULL, arg.buf_size, PROT_READ, MAP_PRIVATE, fd, 0);
	ASSERT_NE(MAP_FAILED, hdr);
	ASSERT_EQ(0, period_program(fd, pmu_first(), PFM_REGFL_OVFL_NOTIFY,
				    PERIOD, NULL));
	ASSERT_EQ(0, attach_self(fd));
	track_frames(1, 0);
	ASSERT_EQ(0, pfm_start_session(fd, 0));
	while (!hdr->hdr_overflows)
		track_frames(100, 0);
	ASSERT_EQ(0, pfm_stop_session(fd, 0));
	EXPECT_LT(ENTRIES / 2, chains(hdr, 0, hdr->hdr_full_offs[0]));
	EXPECT_EQ(hdr->hdr_count, chains(hdr, 1, hdr->hdr_cur_offs));
	EXPECT_EQ(0, period_restart(fd));
	EXPECT_EQ(1, hdr->hdr_released);
	close(fd);
	arg.buf_size = sizeof(*hdr) + 2 * (48 + 8 * (16 + dfl_pmds())) - 1;
	EXPECT_EQ(EINVAL, ERRNO(stacks_create(&arg)));
	munmap((void *)hdr, sizeof(*hdr) + 2 * half);
}

TEST_HARNESS_MAIN

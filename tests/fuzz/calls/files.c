// SPDX-License-Identifier: GPL-2.0-only
/* What programs do with any descriptor, done with those of sessions. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include <perfmon/perfmon.h>
#include <perfmon/perfmon_dfl_smpl.h>

#include "calls.h"

const char *fuzz_read(struct fuzzer *f)
{
	size_t size = fuzz_rarely(f) ? prng_below(&f->prng, 256) : 64;
	void *buf = arena_place(&f->arena, &f->prng, size < 64 ? size : 64);
	struct pollfd poller = { .fd = fuzz_fd(f), .events = POLLIN };
	long rc;

	if (poller.fd == f->fuzz->other_fd)
		return NULL;
	/* Not half of a message: that much the kernel may write. */
	if (fuzz_rarely(f))
		buf = NULL;
	TELL(f, "poll and read(%d, %p, %zu)", poller.fd, buf, size);
	if (poll(&poller, 1, 0) < 0)
		return "poll failed";
	pthread_mutex_lock(&f->fuzz->blocking);
	rc = read(poller.fd, buf, size);
	pthread_mutex_unlock(&f->fuzz->blocking);
	if (rc >= 0 && rc != 64)
		return "a message of another size than 64";
	return ANSWER(f, rc, EBADF, EINVAL, EAGAIN, EFAULT);
}

/* What can be mapped where, beside the buffer at 0. */
static off_t choose_offset(struct fuzzer *f)
{
	static const off_t offsets[] = { PFM_MMAP_STATE, PFM_MMAP_RELEASED,
					 PFM_MMAP_RELEASED, 4096 };

	if (!fuzz_rarely(f) && !prng_one_in(&f->prng, 8))
		return 0;
	return offsets[prng_below(&f->prng, sizeof(offsets) / sizeof(*offsets))];
}

/* The page in which programs tell the kernel what they have read of a buffer. */
static void scribble(struct fuzzer *f, uint64_t *released)
{
	unsigned int i;

	for (i = 0; i < 4; i++)
		released[i] = prng_one_in(&f->prng, 2) ?
				      fuzz_value(f) :
				      prng_below(&f->prng, 9);
}

const char *fuzz_map(struct fuzzer *f)
{
	size_t size = prng_one_in(&f->prng, 4) ? prng_below(&f->prng, 20000) :
						 FUZZ_BUFFER;
	int kind = prng_one_in(&f->prng, 2) ? MAP_SHARED : MAP_PRIVATE;
	off_t offset = choose_offset(f);
	const struct pfm_dfl_smpl_hdr *hdr;
	bool writes = fuzz_rarely(f) || offset == PFM_MMAP_RELEASED;
	int prot = writes ? PROT_READ | PROT_WRITE : PROT_READ;
	int fd = fuzz_fd(f);
	bool sane;

	if (fd == f->fuzz->other_fd)
		return NULL;
	TELL(f, "mmap(%zu, %d, %d, %d, %ld)", size, prot, kind, fd,
	     (long)offset);
	hdr = mmap(NULL, size, prot, kind, fd, offset);
	if (hdr == MAP_FAILED)
		return ANSWER(f, -1, EBADF, EINVAL, EACCES, ENODEV);
	if (offset == PFM_MMAP_STATE && prot == PROT_READ &&
	    kind == MAP_SHARED && size <= 4096) {
		munmap((void *)hdr, size);
		return NULL;
	}
	if (offset == PFM_MMAP_RELEASED && kind == MAP_SHARED && size <= 4096) {
		if (size >= 4 * sizeof(uint64_t))
			scribble(f, (uint64_t *)hdr);
		munmap((void *)hdr, size);
		return NULL;
	}
	if (prot & PROT_WRITE || offset > 4096)
		return "a mapping that must be refused";
	if (!mprotect((void *)hdr, size, PROT_READ | PROT_WRITE))
		return "the buffer became writable";
	/* A family has a buffer for each CPU, and these begin elsewhere. */
	sane = offset || hdr->hdr_cur_offs <= hdr->hdr_buf_size;
	munmap((void *)hdr, size);
	return sane ? NULL : "the header of the buffer makes no sense";
}

const char *fuzz_control(struct fuzzer *f)
{
	int fd = fuzz_fd(f);

	if (fd == f->fuzz->other_fd)
		return NULL;
	TELL(f, "fcntl(%d)", fd);
	/* Ignored signals; nobody is to be killed. */
	fcntl(fd, F_SETSIG, prng_one_in(&f->prng, 2) ? SIGRTMIN : 0);
	fcntl(fd, F_SETOWN, prng_one_in(&f->prng, 4) ? 0 : gettid());
	return ANSWER(f,
		      fcntl(fd, F_SETFL,
			    O_NONBLOCK |
				    (prng_one_in(&f->prng, 2) ? O_ASYNC : 0)),
		      EBADF);
}

const char *fuzz_duplicate(struct fuzzer *f)
{
	int from = fuzz_fd(f), fd;

	if (from == f->fuzz->other_fd)
		return NULL;
	TELL(f, "dup(%d)", from);
	fd = fcntl(from, F_DUPFD, FUZZ_FIRST_FD);
	if (fd >= 0)
		fuzz_put_fd(f, fd);
	return ANSWER(f, fd, EBADF);
}

/* What /proc tells of a descriptor, read at once or in two pieces. */
const char *fuzz_look(struct fuzzer *f)
{
	char path[sizeof("/proc/thread-self/fdinfo/-2147483648")], text[1024];
	size_t size = prng_one_in(&f->prng, 2) ? 10 : sizeof(text);
	int info, fd = fuzz_fd(f);
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/thread-self/fdinfo/%d", fd);
	TELL(f, "%s", path);
	info = open(path, O_RDONLY | O_CLOEXEC);
	if (info < 0)
		return ANSWER(f, -1, ENOENT);
	n = read(info, text, size);
	/* Another thread may have closed it meanwhile. */
	if (n < 0 && errno == ENOENT)
		n = 0;
	else if (n > 0)
		n = read(info, text, sizeof(text));
	close(info);
	return n < 0 ? "fdinfo cannot be read" : NULL;
}

const char *fuzz_close(struct fuzzer *f)
{
	TELL(f, "close");
	fuzz_put_fd(f, -1);
	return NULL;
}

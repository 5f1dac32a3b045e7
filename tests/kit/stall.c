// SPDX-License-Identifier: GPL-2.0-only
/* A page that userfaultfd leaves missing until the test fills it. */
#include "stall.h"

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PATIENCE_MS 10000

static int register_page(const struct stall *stall)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = {
		.range = { .start = (uintptr_t)stall->page,
			   .len = stall->size },
		.mode = UFFDIO_REGISTER_MODE_MISSING,
	};

	if (ioctl(stall->fd, UFFDIO_API, &api))
		return -1;
	return ioctl(stall->fd, UFFDIO_REGISTER, &range);
}

int stall_make(struct stall *stall)
{
	stall->size = (size_t)sysconf(_SC_PAGESIZE);
	stall->fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
	if (stall->fd < 0)
		return -1;
	stall->page = mmap(NULL, stall->size, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (stall->page != MAP_FAILED && !register_page(stall))
		return 0;
	close(stall->fd);
	return -1;
}

int stall_wait(const struct stall *stall)
{
	struct pollfd poller = { .fd = stall->fd, .events = POLLIN };
	struct uffd_msg msg;

	if (poll(&poller, 1, PATIENCE_MS) != 1)
		return -1;
	if (read(stall->fd, &msg, sizeof(msg)) != (ssize_t)sizeof(msg))
		return -1;
	return msg.event == UFFD_EVENT_PAGEFAULT ? 0 : -1;
}

int stall_let_go(const struct stall *stall, const void *content, size_t size)
{
	struct uffdio_copy copy = { .dst = (uintptr_t)stall->page,
				    .len = stall->size };
	char *page = aligned_alloc(stall->size, stall->size);
	int rc;

	if (!page)
		return -1;
	memset(page, 0, stall->size);
	memcpy(page, content, size);
	copy.src = (uintptr_t)page;
	rc = ioctl(stall->fd, UFFDIO_COPY, &copy);
	free(page);
	return rc;
}

void stall_end(struct stall *stall)
{
	close(stall->fd);
	munmap(stall->page, stall->size);
}

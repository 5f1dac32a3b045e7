// SPDX-License-Identifier: GPL-2.0-only
/* Memory that is counted, see fake_memory.h. */
#include "fake_memory.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

#include <cmocka.h>

struct fake_memory memory;

void *__wrap_mmap(void *addr, size_t size, int prot, int flags, int fd,
		  off_t offset);
void *__real_mmap(void *addr, size_t size, int prot, int flags, int fd,
		  off_t offset);
int __wrap_munmap(void *addr, size_t size);
int __real_munmap(void *addr, size_t size);
void *__wrap_malloc(size_t size);

void *__wrap_mmap(void *addr, size_t size, int prot, int flags, int fd,
		  off_t offset)
{
	if (memory.refuse) {
		errno = EAGAIN;
		return MAP_FAILED;
	}
	memory.maps++;
	return __real_mmap(addr, size, prot, flags, fd, offset);
}

int __wrap_munmap(void *addr, size_t size)
{
	memory.unmaps++;
	return __real_munmap(addr, size);
}

void *__wrap_malloc(size_t size)
{
	fail_msg("malloc of %zu bytes", size);
	return NULL;
}

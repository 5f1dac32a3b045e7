// SPDX-License-Identifier: GPL-2.0-only
/* The kernel log, one message a read. */
#include "kmsg.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

int kmsg_open(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd >= 0 && lseek(fd, 0, SEEK_END) < 0) {
		close(fd);
		return -1;
	}
	return fd;
}

bool kmsg_says(int fd, const char *text)
{
	char message[2048];
	bool found = false;
	ssize_t n;

	for (;;) {
		n = read(fd, message, sizeof(message) - 1);
		/* EPIPE: older messages were overwritten; newer ones follow. */
		if (n < 0 && errno == EPIPE)
			continue;
		if (n <= 0)
			return found;
		message[n] = '\0';
		found |= strstr(message, text) != NULL;
	}
}

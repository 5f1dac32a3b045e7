// SPDX-License-Identifier: GPL-2.0-only
/* Messages while the terminal is a screen, see messages.h. */
#include "top/messages.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

static int kept = -1;
static int standard_error = -1;

int messages_file(void)
{
	return memfd_create("pfmon-top", MFD_CLOEXEC);
}

void messages_write(int file)
{
	char text[4096];
	ssize_t got;

	lseek(file, 0, SEEK_SET);
	while ((got = read(file, text, sizeof(text))) > 0) {
		if (write(STDERR_FILENO, text, (size_t)got) < 0)
			return;
	}
}

void messages_keep(void)
{
	kept = messages_file();
	standard_error = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
	if (kept >= 0 && standard_error >= 0)
		dup2(kept, STDERR_FILENO);
}

void messages_show(void)
{
	if (kept >= 0 && standard_error >= 0) {
		dup2(standard_error, STDERR_FILENO);
		messages_write(kept);
	}
	if (kept >= 0)
		close(kept);
	if (standard_error >= 0)
		close(standard_error);
	kept = -1;
	standard_error = -1;
}

// SPDX-License-Identifier: GPL-2.0-only
#include "program_copy.h"

#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

int program_copy(const char *path, mode_t mode)
{
	int from = open("/proc/self/exe", O_RDONLY);
	int to = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0700);
	struct stat st;
	int rc = -1;

	if (from >= 0 && to >= 0 && !fstat(from, &st) &&
	    sendfile(to, from, NULL, st.st_size) == st.st_size)
		rc = fchmod(to, mode);
	close(from);
	close(to);
	return rc;
}

// SPDX-License-Identifier: GPL-2.0-only
/* Lines of source files, see source.h. */
#include "views/source.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Debug files are data: they may name any file, of any size. */
#define SOURCE_MAX (64 << 20)

static void load(struct source *source, const char *path)
{
	struct stat status;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	source_free(source);
	source->path = strdup(path);
	if (fd < 0)
		return;
	if (!fstat(fd, &status) && S_ISREG(status.st_mode) &&
	    status.st_size <= SOURCE_MAX)
		source->text = calloc(1, (size_t)status.st_size + 1);
	if (source->text) {
		ssize_t got = read(fd, source->text, (size_t)status.st_size);

		source->size = got > 0 ? (size_t)got : 0;
	}
	close(fd);
}

const char *source_line(struct source *source, const char *path, int line)
{
	static char copy[512];
	const char *at, *end;
	size_t length;

	if (!source->path || strcmp(source->path, path) != 0)
		load(source, path);
	at = source->text;
	end = at ? at + source->size : NULL;
	for (; at && line > 1; line--) {
		at = memchr(at, '\n', (size_t)(end - at));
		if (at)
			at++;
	}
	if (!at)
		return "";
	length = (size_t)(end - at);
	if (memchr(at, '\n', length))
		length = (size_t)((const char *)memchr(at, '\n', length) - at);
	if (length >= sizeof(copy))
		length = sizeof(copy) - 1;
	memcpy(copy, at, length);
	copy[length] = '\0';
	return copy;
}

void source_free(struct source *source)
{
	free(source->path);
	free(source->text);
	*source = (struct source){ 0 };
}

// SPDX-License-Identifier: GPL-2.0-only
/* The pfmon that counts for pfmon top, see child.h. */
#include "top/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "diag.h"
#include "top/messages.h"

#define CHUNK 16384

static void become(char *const *words, int out, int messages)
{
	int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);

	/* Keys are for the table. */
	dup2(nothing, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	dup2(messages, STDERR_FILENO);
	execv(words[0], words);
	diag("cannot execute %s: %s", words[0], strerror(errno));
	_exit(STATUS_FAILED);
}

int child_start(struct child *child, char *const *words)
{
	int ends[2];

	if (child->messages > 0)
		close(child->messages);
	*child = (struct child){ .out = -1 };
	child->messages = messages_file();
	if (child->messages < 0)
		return diag("top: no room for messages: %s", strerror(errno));
	if (pipe2(ends, O_CLOEXEC))
		return diag("cannot make a pipe: %s", strerror(errno));
	child->pid = fork();
	if (!child->pid)
		become(words, ends[1], child->messages);
	close(ends[1]);
	child->out = ends[0];
	if (child->pid > 0)
		return 0;
	child->pid = 0;
	close(child->out);
	return diag("cannot make a process: %s", strerror(errno));
}

int child_read(struct child *child)
{
	ssize_t got;

	if (child->room - child->used < CHUNK) {
		size_t room = child->room + 2 * CHUNK;
		char *text = realloc(child->text, room);

		if (!text)
			return diag("out of memory");
		child->text = text;
		child->room = room;
	}
	got = read(child->out, child->text + child->used, CHUNK);
	if (got < 0)
		return errno == EINTR ? 1 :
					diag("cannot read the counts: %s",
					     strerror(errno));
	child->used += (size_t)got;
	return got != 0;
}

char *child_line(struct child *child)
{
	char *end = child->used ? memchr(child->text, '\n', child->used) : NULL;
	size_t length;
	char *line;

	if (!end)
		return NULL;
	length = (size_t)(end - child->text);
	line = strndup(child->text, length);
	child->used -= length + 1;
	memmove(child->text, end + 1, child->used);
	return line;
}

void child_explain(const struct child *child)
{
	messages_write(child->messages);
}

/* What it has said remains. Returns the status, as of waitpid(2). */
static int reap(struct child *child)
{
	int status = 0;

	while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
		;
	close(child->out);
	free(child->text);
	*child = (struct child){ .out = -1, .messages = child->messages };
	return status;
}

int child_wait(struct child *child)
{
	if (child->pid && reap(child))
		return -1;
	return 0;
}

void child_stop(struct child *child)
{
	if (!child->pid)
		return;
	kill(child->pid, SIGTERM);
	reap(child);
}

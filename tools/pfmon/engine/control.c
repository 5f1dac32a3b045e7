// SPDX-License-Identifier: GPL-2.0-only
/* Lines of --control, see control.h. */
#include "engine/control.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

static const struct {
	const char *word;
	enum control_verb verb;
} verbs[] = {
	{ "enable", CONTROL_ENABLE }, { "disable", CONTROL_DISABLE },
	{ "reset", CONTROL_RESET },   { "snapshot", CONTROL_SNAPSHOT },
	{ "stop", CONTROL_STOP },     { "ping", CONTROL_PING },
};

/* A descriptor that pfmon was given, up to the end or a comma. */
static int take_fd(const char *text, int *fd)
{
	char *end;
	long number = strtol(text, &end, 10);

	if (end == text || (*end && *end != ',') || number < 0 ||
	    number > 0xffff || fcntl((int)number, F_GETFD) < 0)
		return diag("--control: %s: not an open file descriptor", text);
	*fd = (int)number;
	return 0;
}

/* Neither open nor read waits for the other side, nor sees it go. */
static int open_fifo(const char *name, size_t len, int *fd)
{
	char *path = strndup(name, len);

	*fd = path ? open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC) : -1;
	if (*fd < 0)
		diag("--control: %.*s: %s", (int)len, name, strerror(errno));
	free(path);
	return *fd < 0 ? -1 : 0;
}

int control_open(struct control *control, const char *spec)
{
	bool fifo = !strncmp(spec, "fifo:", 5);
	const char *in, *out;

	*control = (struct control){ .in = -1, .out = -1 };
	if (!fifo && strncmp(spec, "fd:", 3) != 0)
		return diag("--control: %s: write fd:IN[,OUT] or fifo:IN[,OUT]",
			    spec);
	in = strchr(spec, ':') + 1;
	out = strchr(in, ',');
	if (!fifo)
		return take_fd(in, &control->in) ||
				       (out &&
					take_fd(out + 1, &control->out)) ?
			       -1 :
			       0;
	return open_fifo(in, strcspn(in, ","), &control->in) ||
			       (out && open_fifo(out + 1, strlen(out + 1),
						 &control->out)) ?
		       -1 :
		       0;
}

void control_close(struct control *control)
{
	if (control->in >= 0)
		close(control->in);
	if (control->out >= 0)
		close(control->out);
	control->in = control->out = -1;
}

/* Fills the line up. False if there is nothing to read now. */
static bool read_more(struct control *control)
{
	struct pollfd file = { .fd = control->in, .events = POLLIN };
	ssize_t got;

	if (control->in < 0 || poll(&file, 1, 0) <= 0)
		return false;
	got = read(control->in, control->line + control->used,
		   sizeof(control->line) - control->used);
	if (got > 0) {
		control->used += (size_t)got;
		return true;
	}
	/* Whoever wrote has gone. */
	if (!got || (errno != EAGAIN && errno != EINTR))
		control->in = -1;
	return false;
}

static enum control_verb verb_of(const char *line, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		if (strlen(verbs[i].word) == len &&
		    !memcmp(line, verbs[i].word, len))
			return verbs[i].verb;
	return CONTROL_UNKNOWN;
}

enum control_verb control_take(struct control *control)
{
	enum control_verb verb;
	char *end;
	size_t len;

	while (!(end = memchr(control->line, '\n', control->used))) {
		if (control->used == sizeof(control->line)) {
			/* Its rest may look like a command: with a 0 it is none. */
			control->line[0] = '\0';
			control->used = 1;
		}
		if (!read_more(control))
			return CONTROL_NONE;
	}
	len = (size_t)(end - control->line);
	verb = verb_of(control->line, len);
	control->used -= len + 1;
	memmove(control->line, end + 1, control->used);
	return verb;
}

void control_answer(const struct control *control, const char *refusal)
{
	struct pollfd file = { .fd = control->out, .events = POLLOUT };

	/* Who does not read the answers does not want them. */
	if (poll(&file, 1, 0) <= 0 || !(file.revents & POLLOUT))
		return;
	if (refusal)
		dprintf(control->out, "nak %s\n", refusal);
	else
		dprintf(control->out, "ack\n");
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The program that pfmon executes for pfmon top: it has the library for terminals. A
 * pfmon of its own counts or samples for it, and writes JSON or a file of samples.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"
#include "top/child.h"
#include "top/messages.h"
#include "top/screen.h"
#include "top/table.h"
#include "top/wish.h"

/* What main() does next. */
enum next {
	NEXT_GO_ON,
	NEXT_VIEW, /* another one was chosen */
	NEXT_END,
	NEXT_FAILED, /* after a message */
	NEXT_EXPLAIN, /* the child has failed, and has said why */
};

struct top {
	struct wish wish;
	struct child child;
	struct table table;
	bool paused;
	unsigned int shown; /* tables */
	char directory[32]; /* of samples; "": none */
	char file[48];
};

static volatile sig_atomic_t interrupted;

static void interrupt(int sig)
{
	(void)sig;
	interrupted = 1;
}

static const char usage[] =
	"usage: pfmon top [OPTION...]\n"
	"\n"
	"Shows again and again what was counted: of all CPUs, or of processes.\n"
	"\n"
	"  -e, --event=LIST      events, as of pfmon stat and pfmon record\n"
	"      --all-user, --all-kernel\n"
	"                        their levels\n"
	"  -p, --pid=PID,...     processes, with all their threads\n"
	"  -t, --tid=TID,...     threads\n"
	"  -C, --cpu=LIST        these CPUs, such as 0,2-5\n"
	"      --by=VIEW         what a line is: events (the default), cpus,\n"
	"                        threads (of -p and -t), functions (by samples)\n"
	"  -c, --count=N         of functions: a sample each N events\n"
	"  -F, --freq=HZ         of functions: samples per second\n"
	"  -I, --interval-print=MS\n"
	"                        how often, default 1000\n"
	"  -n, --updates=N       end after so many\n"
	"  -s, --sort=N          by which column lines are sorted, default 1\n"
	"  -b, --batch           write the tables, and look for no keys\n"
	"      --rows=N          with -b: so many lines of each\n"
	"  -h, --help            print this text\n"
	"\n"
	"Keys: q ends, space stops the picture, e c t f choose the view, < > the column.\n";

static enum next show(struct top *top)
{
	table_sort(&top->table, top->wish.column);
	if (top->wish.batch && screen_print(&top->wish, &top->table, stdout))
		return NEXT_FAILED;
	if (!top->wish.batch)
		screen_show(&top->wish, &top->table, top->paused);
	return NEXT_GO_ON;
}

/* A new table. */
static enum next update(struct top *top, struct table *table)
{
	if (top->paused) {
		table_free(table);
		return NEXT_GO_ON;
	}
	table_free(&top->table);
	top->table = *table;
	top->shown++;
	if (show(top))
		return NEXT_FAILED;
	return top->wish.updates && top->shown >= top->wish.updates ?
		       NEXT_END :
		       NEXT_GO_ON;
}

static enum next choose_view(struct top *top, enum top_view view)
{
	if (view == top->wish.view || !wish_can_show(&top->wish, view))
		return NEXT_GO_ON;
	top->wish.view = view;
	top->wish.column = 0;
	return NEXT_VIEW;
}

static enum next press(struct top *top, int key)
{
	switch (key) {
	case 'q':
		return NEXT_END;
	case ' ':
		top->paused = !top->paused;
		return show(top);
	case '<':
		top->wish.column -= top->wish.column != 0;
		return show(top);
	case '>':
		if (top->wish.column + 1 < top->table.column_count)
			top->wish.column++;
		return show(top);
	case 'e':
		return choose_view(top, VIEW_EVENTS);
	case 'c':
		return choose_view(top, VIEW_CPUS);
	case 't':
		return choose_view(top, VIEW_THREADS);
	case 'f':
		return choose_view(top, VIEW_FUNCTIONS);
	default:
		return show(top); /* the size of the screen, for one */
	}
}

/* Until there is something to read. */
static enum next wait_for_news(struct top *top)
{
	struct pollfd files[] = { { .fd = top->child.out, .events = POLLIN },
				  { .fd = STDIN_FILENO, .events = POLLIN } };
	nfds_t count = top->wish.batch ? 1 : 2;
	int key = 0;

	for (;;) {
		int ready = poll(files, count, -1);

		if (interrupted)
			return NEXT_END;
		if (ready < 0 && errno != EINTR) {
			diag("cannot wait: %s", strerror(errno));
			return NEXT_FAILED;
		}
		while (!top->wish.batch && (key = screen_key())) {
			enum next next = press(top, key);

			if (next)
				return next;
		}
		/* The terminal has gone. */
		if (ready > 0 && count == 2 &&
		    files[1].revents & (POLLHUP | POLLERR))
			return NEXT_END;
		if (ready > 0 && files[0].revents)
			return NEXT_GO_ON;
	}
}

static enum next take_lines(struct top *top, uint64_t *before_ns)
{
	char *line;

	while ((line = child_line(&top->child))) {
		struct table table;
		int ret = table_of_counts(&table, line, *before_ns);
		enum next next;

		free(line);
		if (ret) {
			table_free(&table);
			diag("top: not understood what pfmon stat wrote");
			return NEXT_FAILED;
		}
		*before_ns = table.elapsed_ns;
		next = update(top, &table);
		if (next)
			return next;
	}
	return NEXT_GO_ON;
}

static enum next watch_counts(struct top *top)
{
	uint64_t before_ns = 0;
	enum next next;
	int ret = 1;

	if (child_start(&top->child, wish_command(&top->wish, NULL)))
		return NEXT_FAILED;
	do {
		next = wait_for_news(top);
		if (!next)
			ret = child_read(&top->child);
		if (!next && ret >= 0)
			next = take_lines(top, &before_ns);
	} while (!next && ret > 0);
	if (ret < 0)
		next = NEXT_FAILED;
	if (next)
		return next;
	/* All that was to be counted has ended. */
	return child_wait(&top->child) ? NEXT_EXPLAIN : NEXT_END;
}

/* Until the sampling of a slice has ended. */
static enum next sample(struct top *top)
{
	enum next next;
	int ret = 1;

	if (child_start(&top->child, wish_command(&top->wish, top->file)))
		return NEXT_FAILED;
	do {
		next = wait_for_news(top);
		if (!next)
			ret = child_read(&top->child);
	} while (!next && ret > 0);
	if (next)
		return next;
	if (ret < 0)
		return NEXT_FAILED;
	return child_wait(&top->child) ? NEXT_EXPLAIN : NEXT_GO_ON;
}

static enum next report(struct top *top)
{
	char *words[] = { (char *)top->wish.pfmon, (char *)"report", top->file,
			  NULL };
	struct table table = { 0 };
	int ret = -1;
	FILE *in;

	if (child_start(&top->child, words))
		return NEXT_FAILED;
	in = fdopen(dup(top->child.out), "r");
	if (in) {
		ret = table_of_report(&table, in);
		fclose(in);
	}
	unlink(top->file);
	if (!child_wait(&top->child) && !ret)
		return update(top, &table);
	table_free(&table);
	return NEXT_EXPLAIN;
}

static enum next watch_functions(struct top *top)
{
	enum next next;

	if (!*top->directory) {
		strcpy(top->directory, "/tmp/pfmon-top-XXXXXX");
		if (!mkdtemp(top->directory)) {
			*top->directory = '\0';
			diag("top: cannot make a directory for samples: %s",
			     strerror(errno));
			return NEXT_FAILED;
		}
		strcat(strcpy(top->file, top->directory), "/samples");
	}
	do {
		next = sample(top);
		if (!next)
			next = report(top);
	} while (!next);
	return next;
}

static enum next watch(struct top *top)
{
	enum next next;

	do {
		next = top->wish.view == VIEW_FUNCTIONS ? watch_functions(top) :
							  watch_counts(top);
		child_stop(&top->child);
		if (next == NEXT_VIEW)
			table_free(&top->table);
	} while (next == NEXT_VIEW);
	return next;
}

static int finish(struct top *top, enum next next)
{
	if (next == NEXT_EXPLAIN)
		child_explain(&top->child);
	table_free(&top->table);
	if (*top->directory) {
		unlink(top->file);
		rmdir(top->directory);
	}
	return next == NEXT_END ? 0 : STATUS_FAILED;
}

int main(int argc, char **argv)
{
	static struct top top;
	const struct sigaction action = { .sa_handler = interrupt };
	enum next next;

	if (wish_parse(&top.wish, argc, argv))
		return STATUS_FAILED;
	if (top.wish.help) {
		fputs(usage, stdout);
		return 0;
	}
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	if (!top.wish.batch) {
		if (screen_begin())
			return STATUS_FAILED;
		messages_keep();
	}
	next = watch(&top);
	if (!top.wish.batch) {
		screen_end();
		messages_show();
	}
	return finish(&top, next);
}

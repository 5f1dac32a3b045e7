// SPDX-License-Identifier: GPL-2.0-only
/* Where the tables of pfmon top are shown, see screen.h. */
#include "top/screen.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>
#ifdef HAVE_NCURSES
#include <ncurses.h>
#endif

#include "diag.h"

#define LINE_MAX_LEN 1024

#ifdef HAVE_NCURSES
static const char keys[] =
	"q end  space pause  e events  c cpus  t threads  f functions  < > sort";
#endif

static char *title_of(const struct wish *wish, const struct table *table,
		      bool paused, char *text, size_t size)
{
	const char *whom = "all CPUs";

	if (wish->cpus)
		whom = wish->cpus;
	if (wish->processes || wish->threads)
		whom = wish->processes ? wish->processes : wish->threads;
	snprintf(text, size, "pfmon top: %s of %s%s, each %u.%03u s%s%s",
		 wish_views[wish->view],
		 wish->cpus	 ? "CPUs " :
		 wish->processes ? "processes " :
		 wish->threads	 ? "threads " :
				   "",
		 whom, wish->interval_ms / 1000, wish->interval_ms % 1000,
		 table->exact ? "" : "; NOT ALL COUNTED",
		 paused ? "; paused" : "");
	return text;
}

#ifdef HAVE_NCURSES
int screen_begin(void)
{
	/* initscr() would end the program with a message of its own. */
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) ||
	    !newterm(NULL, stdout, stdin))
		return diag("top: no terminal that can be used; use --batch");
	cbreak();
	noecho();
	curs_set(0);
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	return 0;
}

void screen_end(void)
{
	endwin();
}

int screen_key(void)
{
	int key = getch();

	return key == ERR ? 0 : key;
}

void screen_show(const struct wish *wish, const struct table *table,
		 bool paused)
{
	char text[LINE_MAX_LEN];

	erase();
	mvaddnstr(0, 0, title_of(wish, table, paused, text, sizeof(text)),
		  COLS);
	attron(A_REVERSE);
	mvaddnstr(1, 0, table_heading(table, wish->column, text, sizeof(text)),
		  COLS);
	attroff(A_REVERSE);
	for (int i = 0; i < LINES - 3; i++)
		mvaddnstr(2 + i, 0,
			  table_text(table, (size_t)i, text, sizeof(text)),
			  COLS);
	mvaddnstr(LINES - 1, 0, keys, COLS);
	refresh();
}
#else
int screen_begin(void)
{
	return diag("top: not built in: libncursesw; use --batch");
}

void screen_end(void)
{
}

int screen_key(void)
{
	return 0;
}

void screen_show(const struct wish *wish, const struct table *table,
		 bool paused)
{
	(void)wish;
	(void)table;
	(void)paused;
}
#endif

int screen_print(const struct wish *wish, const struct table *table, FILE *out)
{
	char text[LINE_MAX_LEN];

	errno = 0;
	fprintf(out, "%s\n", title_of(wish, table, false, text, sizeof(text)));
	fprintf(out, "%s\n",
		table_heading(table, wish->column, text, sizeof(text)));
	for (size_t i = 0; !wish->rows || i < wish->rows; i++) {
		if (!*table_text(table, i, text, sizeof(text)))
			break;
		fprintf(out, "%s\n", text);
	}
	fputc('\n', out);
	if (fflush(out))
		return diag("cannot write the table: %s", strerror(errno));
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/* What was run, on the page of pfmon export html, see page.h. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "export/markup.h"
#include "export/page.h"

static void begin_item(const char *title, FILE *out)
{
	fprintf(out, "<dt>%s</dt><dd>", title);
}

static void end_item(FILE *out)
{
	fputs("</dd>\n", out);
}

/* A word as the shell takes it. */
static void print_word(const char *word, FILE *out)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
		"%+,-./:=@_";
	char *quoted, *to;

	if (*word && !word[strspn(word, plain)]) {
		markup_text(word, out);
		return;
	}
	/* Each may be a quote, which takes four characters. */
	quoted = malloc(4 * strlen(word) + 3);
	if (!quoted)
		return;
	to = stpcpy(quoted, "'");
	for (; *word; word++) {
		if (*word == '\'')
			to = stpcpy(to, "'\\''");
		else
			*to++ = *word;
	}
	strcpy(to, "'");
	markup_text(quoted, out);
	free(quoted);
}

/* An array of words of META, if it has one of this name. */
static void print_words(const struct profile *profile, const char *title,
			const char *key, FILE *out)
{
	struct json_object *array;
	size_t count;

	if (!json_object_object_get_ex(profile->meta, key, &array) ||
	    !json_object_is_type(array, json_type_array) ||
	    !json_object_array_length(array))
		return;
	count = json_object_array_length(array);
	begin_item(title, out);
	for (size_t i = 0; i < count; i++) {
		const char *word = json_object_get_string(
			json_object_array_get_idx(array, i));

		if (i)
			fputc(' ', out);
		print_word(word ? word : "", out);
	}
	end_item(out);
}

static void print_text(const struct profile *profile, const char *title,
		       const char *key, FILE *out)
{
	const char *text = profile_meta(profile, key);

	if (!text)
		return;
	begin_item(title, out);
	markup_text(text, out);
	end_item(out);
}

static void print_event(const struct profile_event *event, FILE *out)
{
	begin_item("event", out);
	markup_text(event->name, out);
	if (event->native) {
		fputs(" (", out);
		markup_text(event->native, out);
		fputc(')', out);
	}
	if (event->period)
		fprintf(out, ", a sample each %" PRIu64, event->period);
	end_item(out);
}

void page_run(const struct profile *profile, unsigned int event, FILE *out)
{
	fputs("<h2>Run</h2>\n<dl>\n", out);
	print_words(profile, "command", "command", out);
	print_words(profile, "recorded by", "argv", out);
	print_text(profile, "begun", "start", out);
	print_text(profile, "host", "host", out);
	print_text(profile, "kernel", "kernel", out);
	print_text(profile, "processor", "model", out);
	print_event(&profile->events[event], out);
	fputs("</dl>\n", out);
}

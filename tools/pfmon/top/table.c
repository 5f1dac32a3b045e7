// SPDX-License-Identifier: GPL-2.0-only
/* A table of pfmon top, see table.h. */
#include "top/table.h"

#include <inttypes.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "report/plain.h"

/* Of a number; names of events are cut to it in the heading. */
#define WIDTH 16

static unsigned int column_of(struct table *table, const char *name)
{
	unsigned int i;

	for (i = 0; i < table->column_count; i++) {
		if (!strcmp(table->columns[i], name))
			return i;
	}
	if (i == TABLE_COLUMNS_MAX)
		return i;
	table->columns[i] = strdup(name);
	if (!table->columns[i])
		return TABLE_COLUMNS_MAX;
	table->column_count++;
	return i;
}

static struct table_line *add_line(struct table *table, const char *who)
{
	struct table_line *lines = table->lines;
	size_t count = table->count;

	/* A power of two: there is no more room. */
	if (!(count & (count - 1))) {
		lines = realloc(lines,
				(count ? count * 2 : 1) * sizeof(*lines));
		if (!lines)
			return NULL;
		table->lines = lines;
	}
	lines[count].who = strdup(who);
	if (!lines[count].who)
		return NULL;
	for (int i = 0; i < TABLE_COLUMNS_MAX; i++)
		lines[count].numbers[i] = -1;
	table->count++;
	return &lines[count];
}

static struct table_line *line_of(struct table *table, const char *who)
{
	for (size_t i = 0; i < table->count; i++) {
		if (!strcmp(table->lines[i].who, who))
			return &table->lines[i];
	}
	return add_line(table, who);
}

static struct json_object *member(struct json_object *object, const char *key,
				  enum json_type type)
{
	struct json_object *value;

	if (!json_object_object_get_ex(object, key, &value) ||
	    !json_object_is_type(value, type))
		return NULL;
	return value;
}

static const char *text_of(struct json_object *object, const char *key)
{
	struct json_object *value = member(object, key, json_type_string);

	return value ? json_object_get_string(value) : NULL;
}

/* What the tool calls "thread:7" and "cpu:3", with the name of a thread. */
static void name_scope(struct json_object *event, char *text, size_t size)
{
	const char *scope = text_of(event, "scope");
	const char *comm = text_of(event, "comm");
	const char *number = scope ? strchr(scope, ':') : NULL;

	if (comm && number)
		snprintf(text, size, "%s-%s", comm, number + 1);
	else if (number && !strncmp(scope, "cpu:", 4))
		snprintf(text, size, "CPU%s", number + 1);
	else
		snprintf(text, size, "total");
}

static int take_event(struct table *table, struct json_object *event,
		      double seconds)
{
	const char *name = text_of(event, "event");
	struct json_object *value = member(event, "estimate", json_type_int);
	struct table_line *line;
	unsigned int column;
	char who[128];

	/* Of what took turns the count is a part. */
	if (!value && !json_object_object_get_ex(event, "estimate", NULL))
		value = member(event, "count", json_type_int);
	if (!name)
		return -1;
	name_scope(event, who, sizeof(who));
	plain(who, who, sizeof(who));
	column = column_of(table, name);
	line = line_of(table, who);
	if (!line)
		return -1;
	if (value && column < TABLE_COLUMNS_MAX)
		line->numbers[column] =
			(double)json_object_get_uint64(value) / seconds;
	return 0;
}

static int take_counts(struct table *table, struct json_object *root,
		       uint64_t before_ns)
{
	struct json_object *events = member(root, "events", json_type_array);
	struct json_object *elapsed = member(root, "elapsed_ns", json_type_int);
	struct json_object *exact = member(root, "exact", json_type_boolean);
	double seconds;

	if (!events || !elapsed)
		return -1;
	table->exact = exact && json_object_get_boolean(exact);
	table->elapsed_ns = json_object_get_uint64(elapsed);
	seconds = table->elapsed_ns > before_ns ?
			  (double)(table->elapsed_ns - before_ns) / 1e9 :
			  1;
	for (size_t i = 0; i < json_object_array_length(events); i++) {
		if (take_event(table, json_object_array_get_idx(events, i),
			       seconds))
			return -1;
	}
	table->vertical = table->count == 1;
	return 0;
}

int table_of_counts(struct table *table, const char *text, uint64_t before_ns)
{
	struct json_object *root = json_tokener_parse(text);
	int ret;

	*table = (struct table){ 0 };
	ret = root ? take_counts(table, root, before_ns) : -1;
	json_object_put(root);
	return ret;
}

/* SAMPLES SELF% RANGE% CUM% SYMBOL  FILE */
static int take_function(struct table *table, char *text)
{
	struct table_line *line;
	double samples, share;
	int begin = 0;

	if (sscanf(text, "%lf %lf %*s %*f %n", &samples, &share, &begin) < 2 ||
	    !begin)
		return 0;
	text[strcspn(text, "\n")] = '\0';
	line = add_line(table, text + begin);
	if (!line)
		return -1;
	line->numbers[0] = samples;
	line->numbers[1] = share;
	return 0;
}

int table_of_report(struct table *table, FILE *in)
{
	char *text = NULL;
	size_t size = 0;
	int ret = 0;

	*table = (struct table){ .exact = true };
	if (column_of(table, "SAMPLES") || column_of(table, "SELF%") != 1)
		return -1;
	while (!ret && getline(&text, &size, in) > 0) {
		if (!strncmp(text, "# note", 6))
			table->exact = false;
		ret = take_function(table, text);
	}
	free(text);
	return ret;
}

static unsigned int sorted_by;

static int compare(const void *one, const void *other)
{
	const struct table_line *a = one, *b = other;
	double first = a->numbers[sorted_by], second = b->numbers[sorted_by];
	bool total = !strcmp(a->who, "total");

	/* The sum of the others is the last line. */
	if (total != !strcmp(b->who, "total"))
		return total ? 1 : -1;
	if (first > second)
		return -1;
	return first < second ? 1 : strcmp(a->who, b->who);
}

void table_sort(struct table *table, unsigned int column)
{
	sorted_by = column < table->column_count ? column : 0;
	if (table->count)
		qsort(table->lines, table->count, sizeof(*table->lines),
		      compare);
}

char *table_heading(const struct table *table, unsigned int column, char *text,
		    size_t size)
{
	size_t used = 0;

	if (table->vertical) {
		snprintf(text, size, "%*s  %s", WIDTH, "PER SECOND", "EVENT");
		return text;
	}
	*text = '\0';
	for (unsigned int i = 0; i < table->column_count && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%*.*s",
					 i == column ? " >" : "  ", WIDTH - 2,
					 WIDTH - 2, table->columns[i]);
	if (used < size)
		snprintf(text + used, size - used, "  WHO");
	return text;
}

static size_t put_number(double number, bool whole, char *text, size_t size)
{
	if (number < 0)
		return (size_t)snprintf(text, size, "%*s", WIDTH, "-");
	return (size_t)snprintf(text, size, "%*.*f", WIDTH, whole ? 0 : 2,
				number);
}

char *table_text(const struct table *table, size_t line, char *text,
		 size_t size)
{
	size_t used = 0;

	*text = '\0';
	if (table->vertical) {
		if (line < table->column_count) {
			used = put_number(table->lines[0].numbers[line], true,
					  text, size);
			snprintf(text + used, size - used, "  %s",
				 table->columns[line]);
		}
		return text;
	}
	if (line >= table->count)
		return text;
	for (unsigned int i = 0; i < table->column_count && used < size; i++)
		used += put_number(table->lines[line].numbers[i],
				   strchr(table->columns[i], '%') == NULL,
				   text + used, size - used);
	if (used < size)
		snprintf(text + used, size - used, "  %s",
			 table->lines[line].who);
	return text;
}

void table_free(struct table *table)
{
	for (unsigned int i = 0; i < table->column_count; i++)
		free(table->columns[i]);
	for (size_t i = 0; i < table->count; i++)
		free(table->lines[i].who);
	free(table->lines);
	*table = (struct table){ 0 };
}

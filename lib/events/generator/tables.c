// SPDX-License-Identifier: MIT
/*
 * Writes tables of libpfm4 as C source (struct pfmlib_generated of tables.h).
 * Built for i386 and run by mk/libpfm4.mk.
 *
 * usage: tables PMU...
 */
#include <stdio.h>
#include <stdlib.h>

#include "../libpfm4.h"

static void print_string(const char *text)
{
	putchar('"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			putchar('\\');
		putchar(*text);
	}
	putchar('"');
}

static void print_entry(const struct libpfm4_entry *entry)
{
	printf(".name = ");
	print_string(entry->name);
	printf(", .desc = ");
	print_string(entry->desc ? entry->desc : "");
	printf(", .code = %#x", entry->code);
}

static void print_masks(const char *pmu, int event)
{
	struct libpfm4_entry entry;
	unsigned int num = 0;

	while (!pfmlib_libpfm4_mask(event, num, &entry)) {
		if (!num)
			printf("static const struct pfmlib_mask %s_%d[] = {\n",
			       pmu, event);
		printf("\t{ ");
		print_entry(&entry);
		printf(" },\n");
		num++;
	}
	if (num)
		printf("};\n");
}

/* After the masks of all events; counts those of this one again. */
static int print_event(const char *pmu, int event)
{
	struct libpfm4_entry entry, mask;
	unsigned int num_masks = 0;

	if (pfmlib_libpfm4_event(event, &entry))
		return -1;
	while (!pfmlib_libpfm4_mask(event, num_masks, &mask))
		num_masks++;
	printf("\t{ ");
	print_entry(&entry);
	if (num_masks)
		printf(", .masks = %s_%d, .num_masks = %u", pmu, event,
		       num_masks);
	printf(" },\n");
	return 0;
}

static int print_table(const char *pmu)
{
	int first = pfmlib_libpfm4_first_event(pmu);
	int event;

	if (first < 0) {
		fprintf(stderr, "tables: libpfm4 has no table %s\n", pmu);
		return -1;
	}
	for (event = first; event >= 0;
	     event = pfmlib_libpfm4_next_event(event))
		print_masks(pmu, event);
	printf("static const struct pfmlib_event_desc %s[] = {\n", pmu);
	for (event = first; event >= 0;
	     event = pfmlib_libpfm4_next_event(event)) {
		if (print_event(pmu, event))
			return -1;
	}
	printf("};\n");
	return 0;
}

int main(int argc, char **argv)
{
	if (pfmlib_libpfm4_start()) {
		fprintf(stderr, "tables: libpfm4 does not start\n");
		return EXIT_FAILURE;
	}
	printf("/* Generated from libpfm4 by lib/events/generator/tables.c */\n"
	       "#include \"events/tables.h\"\n");
	for (int i = 1; i < argc; i++) {
		if (print_table(argv[i]))
			return EXIT_FAILURE;
	}
	printf("const struct pfmlib_generated pfmlib_generated[] = {\n");
	for (int i = 1; i < argc; i++)
		printf("\t{ \"%s\", %s, sizeof(%s) / sizeof(%s[0]) },\n",
		       argv[i], argv[i], argv[i], argv[i]);
	printf("\t{ 0 },\n};\n");
	return fflush(stdout) || ferror(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}

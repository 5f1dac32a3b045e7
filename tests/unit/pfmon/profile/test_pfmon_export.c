// SPDX-License-Identifier: GPL-2.0-only
/* Samples in the formats of other tools: the same samples in all of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include <cmocka.h>

#include "array_size.h"
#include "diag.h"
#include "message.h"
#include "profiled.h"
#include "samples.h"
#include "views/verbs.h"

#define RUN(...)                                      \
	profiled_run(profiled_directory, verb_export, \
		     (const char *const[]){ __VA_ARGS__, NULL }, NULL)

static void folded_lines_have_thread_and_function(void **state)
{
	char *text;

	(void)state;
	profiled_write(profiled_directory);
	text = RUN("folded");
	assert_string_equal(text, "prof;fa 601\nprof;fb 301\nprof;fc 101\n");
	free(text);
}

static void callgrind_has_costs_of_addresses_and_lines(void **state)
{
	char *text, *expected;

	(void)state;
	profiled_write(profiled_directory);
	text = RUN("callgrind");
	assert_true(asprintf(&expected,
			     "# callgrind format\n"
			     "version: 1\n"
			     "creator: pfmon " PFMON_VERSION "\n"
			     "positions: instr line\n"
			     "event: E0 : samples of instructions:u\n"
			     "events: E0\n"
			     "summary: 1003\n"
			     "\n"
			     "ob=%s/prof\n"
			     "fl=%s/prof.c\n"
			     "fn=fa\n"
			     "0x1000 1 200\n"
			     "0x1005 2 200\n"
			     "0x1007 2 201\n"
			     "fl=%s/prof.c\n"
			     "fn=fb\n"
			     "0x1040 5 301\n"
			     "fl=%s/prof.c\n"
			     "fn=fc\n"
			     "0x1080 7 101\n",
			     profiled_directory, profiled_directory,
			     profiled_directory, profiled_directory) > 0);
	assert_string_equal(text, expected);
	free(expected);
	free(text);
}

/* What a profile of pprof has, as far as the tests look at it. */
struct pprof_seen {
	const char *strings[64];
	size_t string_sizes[64];
	unsigned int string_count;
	uint64_t function_names[64]; /* by id */
	uint64_t location_functions[64];
	uint64_t location_addresses[64];
	uint64_t samples[64]; /* by function */
	uint64_t events[64];
	unsigned int mappings;
	uint64_t first_mapping; /* where it starts */
};

struct bytes {
	const uint8_t *at, *end;
};

static uint64_t varint(struct bytes *bytes)
{
	uint64_t number = 0;

	for (unsigned int shift = 0;; shift += 7) {
		assert_true(bytes->at < bytes->end && shift < 64);
		number |= (uint64_t)(*bytes->at & 0x7f) << shift;
		if (!(*bytes->at++ & 0x80))
			return number;
	}
}

/* The next field; its number, or what it has inside. False: there is none. */
static bool field(struct bytes *bytes, unsigned int *number, uint64_t *value,
		  struct bytes *inside)
{
	uint64_t key;

	if (bytes->at == bytes->end)
		return false;
	key = varint(bytes);
	*number = (unsigned int)(key >> 3);
	*value = varint(bytes);
	if ((key & 7) == 0)
		return true;
	assert_int_equal(key & 7, 2);
	assert_true(*value <= (uint64_t)(bytes->end - bytes->at));
	inside->at = bytes->at;
	inside->end = bytes->at + *value;
	bytes->at = inside->end;
	return true;
}

static void see_location(struct pprof_seen *seen, struct bytes bytes)
{
	struct bytes inside, line = { 0 };
	unsigned int number;
	uint64_t value, id = 0, address = 0;

	while (field(&bytes, &number, &value, &inside)) {
		if (number == 1)
			id = value;
		else if (number == 3)
			address = value;
		else if (number == 4)
			line = inside;
	}
	assert_true(id && id < 64);
	seen->location_addresses[id] = address;
	while (field(&line, &number, &value, &inside)) {
		if (number == 1)
			seen->location_functions[id] = value;
	}
}

static void see_function(struct pprof_seen *seen, struct bytes bytes)
{
	struct bytes inside;
	unsigned int number;
	uint64_t value, id = 0;

	while (field(&bytes, &number, &value, &inside)) {
		if (number == 1)
			id = value;
		assert_true(id && id < 64);
		if (number == 2)
			seen->function_names[id] = value;
	}
}

static void see_sample(struct pprof_seen *seen, struct bytes bytes)
{
	struct bytes inside;
	unsigned int number;
	uint64_t value, function = 0;

	while (field(&bytes, &number, &value, &inside)) {
		if (number == 1)
			function = seen->location_functions[varint(&inside)];
		if (number != 2)
			continue;
		assert_true(function && function < 64);
		seen->samples[function] += varint(&inside);
		seen->events[function] += varint(&inside);
		assert_ptr_equal(inside.at, inside.end);
	}
}

static void see_mapping(struct pprof_seen *seen, struct bytes bytes)
{
	struct bytes inside;
	unsigned int number;
	uint64_t value;

	while (field(&bytes, &number, &value, &inside)) {
		if (number == 2 && !seen->mappings)
			seen->first_mapping = value;
	}
	seen->mappings++;
}

static void see_all(struct pprof_seen *seen, struct bytes bytes)
{
	struct bytes inside;
	unsigned int number;
	uint64_t value;

	while (field(&bytes, &number, &value, &inside)) {
		switch (number) {
		case 2:
			see_sample(seen, inside);
			break;
		case 3:
			see_mapping(seen, inside);
			break;
		case 4:
			see_location(seen, inside);
			break;
		case 5:
			see_function(seen, inside);
			break;
		case 6:
			assert_true(seen->string_count < 64);
			seen->string_sizes[seen->string_count] =
				(size_t)(inside.end - inside.at);
			seen->strings[seen->string_count++] =
				(const char *)inside.at;
			break;
		}
	}
}

static size_t unpack(const char *packed, size_t size, uint8_t *bytes,
		     size_t room)
{
	z_stream stream = { 0 };

	assert_int_equal(inflateInit2(&stream, 31), Z_OK);
	stream.next_in = (Bytef *)(uintptr_t)packed;
	stream.avail_in = (uInt)size;
	stream.next_out = bytes;
	stream.avail_out = (uInt)room;
	assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
	inflateEnd(&stream);
	return room - stream.avail_out;
}

/* What pfmon export pprof makes of pfmon.data. The strings stay until the next call. */
static struct pprof_seen see_pprof(void)
{
	static uint8_t bytes[64 * 1024];
	struct pprof_seen seen = { 0 };
	size_t size, unpacked;
	char *packed = profiled_run(profiled_directory, verb_export,
				    (const char *const[]){ "pprof", NULL },
				    &size);

	unpacked = unpack(packed, size, bytes, sizeof(bytes));
	see_all(&seen, (struct bytes){ bytes, bytes + unpacked });
	free(packed);
	return seen;
}

static void pprof_has_the_same_samples(void **state)
{
	static const struct {
		const char *name;
		uint64_t samples;
	} expected[] = { { "fa", 601 }, { "fb", 301 }, { "fc", 101 } };
	struct pprof_seen seen;

	(void)state;
	profiled_write(profiled_directory);
	seen = see_pprof();
	assert_int_equal(seen.string_sizes[0], 0);
	assert_int_equal(seen.mappings, 1);
	assert_int_equal(seen.location_addresses[1], PROFILED_FA);
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		size_t name = seen.function_names[i + 1];

		assert_true(name < seen.string_count);
		assert_memory_equal(seen.strings[name], expected[i].name, 2);
		assert_int_equal(seen.samples[i + 1], expected[i].samples);
		assert_int_equal(seen.events[i + 1], expected[i].samples * 997);
	}
}

/* It was a library, if the first sample was in one. */
static void pprof_takes_the_program_for_the_program(void **state)
{
	const uint64_t ips[] = { 0x7f0000001000, 0 };
	struct pprof_seen seen;
	struct writer writer;

	(void)state;
	samples_begin(&writer, SAMPLES_META);
	samples_task(&writer, 1, PFMD_EXEC, 71, 71, 0, "prof");
	samples_map(&writer, 1, 70, 0x300000, 0x1000, 0, "/another", NULL);
	samples_map(&writer, 1, 71, 0x600000, 0x1000, 0, "[heap]", NULL);
	samples_map(&writer, 1, 71, 0x401000, 0x1000, 0x1000, "/prof", NULL);
	samples_map(&writer, 1, 71, ips[0], 0x1000, 0, "/lib.so", NULL);
	samples_add(&writer, &(struct samples_of){ .tgid = 71,
						   .tid = 71,
						   .time = 5,
						   .period = 997,
						   .ips = ips });
	samples_end(&writer);
	samples_store(&writer, profiled_directory);
	seen = see_pprof();
	assert_int_equal(seen.mappings, 2);
	assert_int_equal(seen.first_mapping, 0x401000);
}

/* A file of two events that both have samples. */
static void write_two(void)
{
	const uint64_t ips[] = { 0x10, 0x20, 0 };
	const uint64_t value = 1;
	struct writer writer;

	samples_begin(&writer, SAMPLES_META_TWO);
	samples_add(&writer, &(struct samples_of){ .pmd = 1,
						   .time = 1,
						   .period = 1000,
						   .ips = ips,
						   .value = &value });
	samples_add(&writer, &(struct samples_of){ .time = 5,
						   .period = 997,
						   .ips = ips + 1 });
	samples_end(&writer);
	samples_store(&writer, profiled_directory);
}

static void formats_of_one_event_want_to_know_which(void **state)
{
	char *argv[] = { (char *)"export", (char *)"folded", NULL, NULL };
	char *text;

	(void)state;
	write_two();
	assert_true(asprintf(&argv[2], "%s/pfmon.data", profiled_directory) >
		    0);
	message_catch();
	assert_int_equal(verb_export(3, argv), STATUS_FAILED);
	message_expect("several events; choose one with -e", NULL);
	free(argv[2]);
	text = RUN("folded", "-e", "cycles");
	assert_string_equal(text, "[unknown];[unknown 0x10] 1\n"
				  "[unknown];[unknown 0x20] 1\n");
	free(text);
	text = RUN("callgrind");
	assert_non_null(strstr(text, "events: E0 E1\nsummary: 1 2\n"));
	assert_non_null(strstr(text, "fn=[unknown 0x10]\n0x10 0 0 1\n"));
	assert_non_null(
		strstr(text, "fn=[unknown 0x20]\n0x20 0 1\n0x20 0 0 1\n"));
	free(text);
}

static void wrong_words_are_refused(void **state)
{
	static const struct {
		const char *words[4];
		const char *message;
	} cases[] = {
		{ { NULL }, "takes a format and one file" },
		{ { "folded", "a", "b" }, "takes a format and one file" },
		{ { "excel" }, "not a format" },
		{ { "folded", "/nonexistent" }, "cannot be opened" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char *argv[6] = { (char *)"export" };
		int argc = 1;

		for (; cases[i].words[argc - 1]; argc++)
			argv[argc] =
				(char *)(uintptr_t)cases[i].words[argc - 1];
		message_catch();
		assert_int_equal(verb_export(argc, argv), STATUS_FAILED);
		message_expect(cases[i].message, NULL);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(folded_lines_have_thread_and_function),
		cmocka_unit_test(callgrind_has_costs_of_addresses_and_lines),
		cmocka_unit_test(pprof_has_the_same_samples),
		cmocka_unit_test(pprof_takes_the_program_for_the_program),
		cmocka_unit_test(formats_of_one_event_want_to_know_which),
		cmocka_unit_test(wrong_words_are_refused),
	};

	return cmocka_run_group_tests(tests, profiled_set_up,
				      profiled_tear_down);
}

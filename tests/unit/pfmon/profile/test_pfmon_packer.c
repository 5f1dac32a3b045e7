// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compressed files of samples: what is written is read, and what is damaged, breaks
 * off or would fill the memory is refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#if __has_include(<zstd.h>)
#include <zstd.h>

#include "diag.h"
#include "message.h"
#include "profile/read_profile.h"
#include "record/packer.h"
#include "request.h"
#include "samples.h"

#define SAMPLES 600

/* Of addresses in a loop; compressed, or as they are. */
static char *file_of(bool packed, size_t *size)
{
	static uint64_t ips[SAMPLES + 1];
	struct writer writer;

	samples_begin(&writer, SAMPLES_META);
	for (size_t i = 0; i < SAMPLES; i++)
		ips[i] = 0x401000 + i % 7;
	if (packed)
		assert_int_equal(packer_begin(&writer, COMPRESSION_DEFAULT), 0);
	for (uint32_t tid = 71; tid < 74; tid++)
		samples_add(&writer, &(struct samples_of){ .tgid = 71,
							   .tid = tid,
							   .time = 20,
							   .period = 997,
							   .ips = ips });
	/* Too small to become smaller. */
	ips[1] = 0;
	samples_add(&writer, &(struct samples_of){ .tgid = 71,
						   .tid = 74,
						   .time = 9,
						   .period = 998,
						   .ips = ips });
	samples_end(&writer);
	return samples_bytes(&writer, size);
}

static int read_bytes(struct profile *profile, const char *bytes, size_t size)
{
	return profile_read_stream(profile, samples_stream(bytes, size), "f");
}

static void compressed_samples_are_those_that_were_written(void **state)
{
	struct profile plain, packed;
	size_t plain_size, packed_size;
	char *one = file_of(false, &plain_size);
	char *other = file_of(true, &packed_size);

	(void)state;
	assert_true(packed_size < plain_size / 2);
	message_catch();
	assert_int_equal(read_bytes(&plain, one, plain_size), 0);
	assert_int_equal(read_bytes(&packed, other, packed_size), 0);
	message_expect_none();
	assert_true(packed.complete);
	assert_int_equal(packed.sample_count, 3 * SAMPLES + 1);
	assert_int_equal(packed.sample_count, plain.sample_count);
	assert_memory_equal(packed.samples, plain.samples,
			    plain.sample_count * sizeof(*plain.samples));
	profile_free(&plain);
	profile_free(&packed);
	free(one);
	free(other);
}

static void symbols_are_compressed_and_read_again(void **state)
{
	static struct pfmd_symbol rows[200];
	static char names[sizeof(rows) / sizeof(rows[0]) * 2];
	struct profile profile;
	struct writer writer;
	size_t size, plain = sizeof(rows) + sizeof(names);
	char *bytes;

	(void)state;
	for (uint32_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		rows[i] = (struct pfmd_symbol){ 16UL * i, 16, 2 * i };
		names[2 * i] = (char)('a' + i % 26);
	}
	samples_begin(&writer, SAMPLES_META);
	assert_int_equal(packer_begin(&writer, COMPRESSION_DEFAULT), 0);
	samples_symbols(&writer, "/x/prof", NULL, rows, 200, names,
			sizeof(names));
	samples_end(&writer);
	bytes = samples_bytes(&writer, &size);
	assert_true(size < plain / 2);
	assert_int_equal(read_bytes(&profile, bytes, size), 0);
	assert_int_equal(profile.symbol_count, 1);
	assert_int_equal(profile.symbols[0].count, 200);
	assert_string_equal(profile.symbols[0].path, "/x/prof");
	assert_string_equal(profile.symbols[0].names +
				    profile.symbols[0].rows[27].name,
			    "b");
	profile_free(&profile);
	free(bytes);
}

static void a_compressed_file_that_breaks_off_is_read_to_there(void **state)
{
	size_t size, before = 0;
	char *bytes = file_of(true, &size);

	(void)state;
	for (size_t length = PFMD_MAGIC_SIZE; length < size; length++) {
		struct profile profile;
		char *part = malloc(length);

		memcpy(part, bytes, length);
		diag_quiet(true);
		read_bytes(&profile, part, length);
		diag_quiet(false);
		assert_false(profile.complete);
		assert_true(profile.sample_count == before ||
			    profile.sample_count == before + SAMPLES ||
			    profile.sample_count == before + 1);
		before = profile.sample_count;
		profile_free(&profile);
		free(part);
	}
	assert_int_equal(before, 3 * SAMPLES + 1);
	free(bytes);
}

static void no_byte_can_be_changed(void **state)
{
	size_t size;
	char *bytes = file_of(true, &size);

	(void)state;
	/* What is behind the checksum is not of it. */
	for (size_t i = 0;
	     i < size - sizeof(struct pfmd_end) - sizeof(struct pfmd_chunk);
	     i++) {
		struct profile profile;

		bytes[i] ^= 0x11;
		diag_quiet(true);
		assert_true(read_bytes(&profile, bytes, size) ||
			    !profile.complete);
		diag_quiet(false);
		profile_free(&profile);
		bytes[i] ^= 0x11;
	}
	free(bytes);
}

/* A file with a chunk of samples whose payload is this. */
static void refuse(const void *payload, size_t length, const char *why)
{
	const struct pfmd_chunk header = { PFMD_SAMPLES, PFMD_ZSTD, length };
	struct profile profile;
	struct writer writer;
	size_t size, whole = sizeof(header) + (length + 7) / 8 * 8;
	char *bytes;

	samples_begin(&writer, SAMPLES_META);
	bytes = samples_bytes(&writer, &size);
	bytes = realloc(bytes, size + whole);
	assert_non_null(bytes);
	memset(bytes + size, 0, whole);
	memcpy(bytes + size, &header, sizeof(header));
	memcpy(bytes + size + sizeof(header), payload, length);
	message_catch();
	assert_int_equal(read_bytes(&profile, bytes, size + whole), -1);
	message_expect(why, NULL);
	profile_free(&profile);
	free(bytes);
}

static void what_would_fill_the_memory_is_refused(void **state)
{
	static const size_t large = PFMD_UNPACKED_MAX + 1;
	char *zeros = calloc(1, large);
	size_t bound = ZSTD_compressBound(large), length;
	char *packed = malloc(bound);
	ZSTD_CCtx *context = ZSTD_createCCtx();

	(void)state;
	assert_true(zeros && packed && context);
	length = ZSTD_compressCCtx(context, packed, bound, zeros, large, 1);
	assert_false(ZSTD_isError(length));
	assert_true(length < 100000);
	refuse(packed, length, "a compressed chunk is too large");
	/* It does not tell its size. */
	ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0);
	length = ZSTD_compress2(context, packed, bound, zeros, large);
	assert_false(ZSTD_isError(length));
	assert_int_equal(ZSTD_getFrameContentSize(packed, length),
			 ZSTD_CONTENTSIZE_UNKNOWN);
	refuse(packed, length, "a compressed chunk is too large");
	ZSTD_freeCCtx(context);
	free(packed);
	free(zeros);
}

static void what_is_not_one_frame_is_refused(void **state)
{
	char packed[128];
	size_t length = ZSTD_compress(packed, sizeof(packed), "12345678", 8, 1);

	(void)state;
	assert_false(ZSTD_isError(length));
	packed[length] = 0;
	refuse(packed, length + 1, "something follows");
	refuse(packed, length - 1, "is damaged");
	refuse("12345678", 8, "is damaged");
	refuse("", 0, "is damaged");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			compressed_samples_are_those_that_were_written),
		cmocka_unit_test(symbols_are_compressed_and_read_again),
		cmocka_unit_test(
			a_compressed_file_that_breaks_off_is_read_to_there),
		cmocka_unit_test(no_byte_can_be_changed),
		cmocka_unit_test(what_would_fill_the_memory_is_refused),
		cmocka_unit_test(what_is_not_one_frame_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void)
{
	puts("1..0 # SKIP not built in: libzstd");
	return 0;
}
#endif

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files of samples of any kind: if the first byte is odd the rest is a file, otherwise
 * it is what follows the META of one, and if it is 2 more than a multiple of 4 that is
 * compressed into a chunk, whose type comes first. The META is of samples with call
 * chains if the byte has the bit of 4. Whatever can be read has a function for each
 * address of a sample, and a verb or an export, by the last byte, is made of it. The
 * files that mappings name are not looked for.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "diag.h"
#include "profile/read_profile.h"
#include "symbols/functions.h"
#include "views/verbs.h"

#define INPUT_MAX (64 * 1024)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define BEGIN "{\"version\":1,\"host\":\"h\",\"kernel\":\"6.12\","
#define EVENTS                                                                        \
	"\"events\":[{\"id\":0,\"name\":\"instructions\",\"native\":\"I\",\"level\":" \
	"\"user\",\"period\":997,\"pmd\":0,\"smpl_pmds\":[]},{\"id\":1,\"name\":"     \
	"\"cycles\",\"native\":\"C\",\"level\":\"user\",\"period\":1000,\"pmd\":1,"   \
	"\"smpl_pmds\":[0]}]}"

static size_t begin(uint8_t *file, bool chains)
{
	const char *meta = chains ? BEGIN "\"frames\":127," EVENTS :
				    BEGIN EVENTS;
	const size_t length = strlen(meta);
	const struct pfmd_chunk header = { PFMD_META, 0, length };
	size_t size = PFMD_MAGIC_SIZE;

	memcpy(file, PFMD_MAGIC, size);
	memcpy(file + size, &header, sizeof(header));
	size += sizeof(header);
	memcpy(file + size, meta, length);
	return size + (length + PFMD_ALIGN - 1) / PFMD_ALIGN * PFMD_ALIGN;
}

/* A chunk of what follows the type; the same without the library. */
static size_t add_packed(uint8_t *file, const uint8_t *data, size_t size)
{
	struct pfmd_chunk header = { .type = size ? data[0] % 16 : 0 };

#ifdef HAVE_ZSTD
	if (!size)
		return 0;
	header.flags = PFMD_ZSTD;
	header.length = ZSTD_compress(file + sizeof(header), INPUT_MAX,
				      data + 1, size - 1, 1);
	if (ZSTD_isError(header.length))
		return 0;
#else
	if (!size)
		return 0;
	header.length = size - 1;
	memcpy(file + sizeof(header), data + 1, size - 1);
#endif
	memcpy(file, &header, sizeof(header));
	return sizeof(header) +
	       (header.length + PFMD_ALIGN - 1) / PFMD_ALIGN * PFMD_ALIGN;
}

static bool is_known(struct functions *functions,
		     const struct profile_sample *sample)
{
	unsigned int depth = functions_depth(functions, sample);

	for (unsigned int i = 0; i < depth; i++) {
		if (!*functions_caller(functions, i)->function->name)
			return false;
	}
	return depth && *functions_comm(functions, sample);
}

static void look_at(struct profile *profile)
{
	static const struct image_options options = {
		.symfs = "/nonexistent",
		.kallsyms = "/nonexistent",
		.map_dir = "/nonexistent",
	};
	static const struct functions_options shown;
	struct images *images = images_new(profile, &options);
	struct functions *functions =
		images ? functions_new(profile, images, &shown) : NULL;

	for (size_t i = 0; functions && i < profile->sample_count; i++) {
		if (!is_known(functions, &profile->samples[i])) {
			fputs("a sample without a function\n", stderr);
			abort();
		}
	}
	functions_free(functions);
	images_free(images);
}

/* Who does not keep the samples finds as many. */
static void scan(uint8_t *file, size_t size, size_t samples)
{
	const struct profile_sample *sample;
	struct profile profile;
	FILE *in = fmemopen(file, size, "r");

	if (!in)
		return;
	if (profile_scan_stream(&profile, in, "input"))
		abort();
	for (; profile_next(&profile, &sample) > 0; samples--) {
		if (!samples)
			abort();
	}
	if (samples)
		abort();
	profile_free(&profile);
}

/* What people call, of the same file; nobody looks at what it writes. */
static void show(const uint8_t *file, size_t size, unsigned int choice)
{
	static const struct {
		int (*verb)(int argc, char **argv);
		const char *word;
	} verbs[] = {
		{ verb_report, "--children" },	  { verb_report, "--inline" },
		{ verb_script, "--no-demangle" }, { verb_annotate, "fa" },
		{ verb_symbols, "--inline" },	  { verb_export, "folded" },
		{ verb_export, "pprof" },	  { verb_export, "perfdata" },
		{ verb_export, "firefox" },	  { verb_export, "callgrind" },
		{ verb_export, "flame" },	  { verb_export, "html" },
	};
	const size_t row = choice % (sizeof(verbs) / sizeof(verbs[0]));
	static char path[64];
	static int fd = -1;
	const char *argv[] = { "verb",
			       "-o",
			       "/dev/null",
			       "-i",
			       path,
			       "--symfs=/nonexistent",
			       "--sysmap-file=/nonexistent",
			       verbs[row].word,
			       NULL };

	if (fd < 0) {
		fd = memfd_create("samples", MFD_CLOEXEC);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	}
	if (fd < 0 || ftruncate(fd, 0) ||
	    pwrite(fd, file, size, 0) != (ssize_t)size)
		abort();
	verbs[row].verb(8, (char **)(uintptr_t)argv);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint8_t file[2 * INPUT_MAX + 2048];
	struct profile profile;
	size_t used = 0;
	FILE *in;

	if (!size || size > INPUT_MAX)
		return 0;
	memset(file, 0, sizeof(file));
	if (!(*data & 1))
		used = begin(file, *data & 4);
	if (*data % 4 == 2) {
		used += add_packed(file + used, data + 1, size - 1);
	} else {
		memcpy(file + used, data + 1, size - 1);
		used += size - 1;
	}
	in = used ? fmemopen(file, used, "r") : NULL;
	if (!in)
		return 0;
	diag_quiet(true);
	if (!profile_read_stream(&profile, in, "input")) {
		look_at(&profile);
		scan(file, used, profile.sample_count);
		show(file, used, data[size - 1]);
	}
	profile_free(&profile);
	diag_quiet(false);
	return 0;
}

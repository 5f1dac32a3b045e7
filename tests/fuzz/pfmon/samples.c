// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files of samples of any kind: if the first byte is odd the rest is a file, otherwise
 * it is what follows the META of one. Whatever can be read has a function for each
 * sample. The files that mappings name are not looked for.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "profile/read_profile.h"
#include "symbols/functions.h"

#define INPUT_MAX (64 * 1024)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char meta[] =
	"{\"version\":1,\"host\":\"h\",\"kernel\":\"6.12\",\"events\":[{\"id\":0,"
	"\"name\":\"instructions\",\"native\":\"I\",\"level\":\"user\",\"period\":997,"
	"\"pmd\":0,\"smpl_pmds\":[]},{\"id\":1,\"name\":\"cycles\",\"native\":\"C\","
	"\"level\":\"user\",\"period\":1000,\"pmd\":1,\"smpl_pmds\":[0]}]}";

static size_t begin(uint8_t *file)
{
	const size_t length = sizeof(meta) - 1;
	const struct pfmd_chunk header = { PFMD_META, 0, length };
	size_t size = PFMD_MAGIC_SIZE;

	memcpy(file, PFMD_MAGIC, size);
	memcpy(file + size, &header, sizeof(header));
	size += sizeof(header);
	memcpy(file + size, meta, length);
	return size + (length + PFMD_ALIGN - 1) / PFMD_ALIGN * PFMD_ALIGN;
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
		const struct place *place =
			functions_at(functions, &profile->samples[i]);

		if (!place || !*place->function->name ||
		    !*functions_comm(functions, &profile->samples[i])) {
			fputs("a sample without a function\n", stderr);
			abort();
		}
	}
	functions_free(functions);
	images_free(images);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint8_t file[INPUT_MAX + 1024];
	struct profile profile;
	size_t used = 0;
	FILE *in;

	if (!size || size > INPUT_MAX)
		return 0;
	memset(file, 0, 1024);
	if (!(*data & 1))
		used = begin(file);
	memcpy(file + used, data + 1, size - 1);
	used += size - 1;
	in = used ? fmemopen(file, used, "r") : NULL;
	if (!in)
		return 0;
	diag_quiet(true);
	if (!profile_read_stream(&profile, in, "input"))
		look_at(&profile);
	profile_free(&profile);
	diag_quiet(false);
	return 0;
}

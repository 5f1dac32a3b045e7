// SPDX-License-Identifier: GPL-2.0-only
/* Files of samples with call chains, see stacked.h. */
#include "stacked.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "array_size.h"
#include "profiled.h"
#include "samples.h"

struct stacked stacked_of(unsigned int nr, const uint64_t *ips)
{
	struct stacked stack = {
		.entry = { .pid = 71,
			   .tgid = 71,
			   .last_reset_val = (uint64_t)-997,
			   .ip = ips[0],
			   .tstamp = 5,
			   .nr = (uint16_t)nr,
			   .size = (uint16_t)(sizeof(stack.entry) + 8 * nr) },
	};

	memcpy(stack.words, ips, nr * sizeof(*ips));
	return stack;
}

void stacked_add(struct writer *writer, const struct stacked *stack)
{
	struct pfmd_samples about = { .stream = stack->entry.pid };
	struct iovec parts[] = { { &about, sizeof(about) },
				 { (void *)(uintptr_t)stack,
				   stack->entry.size } };

	assert_int_equal(writer_chunk(writer, PFMD_STACKS, parts, 2), 0);
	writer->samples++;
}

void stacked_begin(struct writer *writer)
{
	uint8_t build_id[PFMD_BUILD_ID_SIZE];
	char *path;

	profiled_build_id(profiled_directory, build_id);
	assert_true(asprintf(&path, "%s/prof", profiled_directory) > 0);
	samples_begin(writer, SAMPLES_META);
	samples_task(writer, 2, PFMD_EXEC, 71, 71, 0, "prof");
	samples_map(writer, 2, 71, PROFILED_FA, 0x1000, 0x1000, path, build_id);
	free(path);
}

void stacked_write(const char *const *chains)
{
	struct writer writer;

	stacked_begin(&writer);
	for (; *chains; chains++) {
		unsigned int depth = (unsigned int)strlen(*chains);
		uint64_t ips[ARRAY_SIZE(((struct stacked *)NULL)->words)];
		struct stacked stack;

		assert_true(depth <= ARRAY_SIZE(ips));
		for (unsigned int i = 0; i < depth; i++)
			ips[i] = PROFILED_FA + PROFILED_RETURN +
				 (uint64_t)((*chains)[depth - 1 - i] - 'a') *
					 (PROFILED_FB - PROFILED_FA);
		stack = stacked_of(depth, ips);
		stacked_add(&writer, &stack);
	}
	samples_end(&writer);
	samples_store(&writer, profiled_directory);
}

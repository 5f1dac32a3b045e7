// SPDX-License-Identifier: GPL-2.0-only
/* Compression of what is recorded, see packer.h. */
#include "record/packer.h"

#include "diag.h"
#ifdef HAVE_ZSTD
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define SONAME "libzstd.so.1"

/* Of the library, and what it works with; as long as the program. */
static struct {
	__typeof__(ZSTD_createCCtx) *create;
	__typeof__(ZSTD_compressCCtx) *compress;
	__typeof__(ZSTD_compressBound) *bound;
	__typeof__(ZSTD_isError) *is_error;
	ZSTD_CCtx *context;
	int level;
	char *plain, *packed;
	size_t room; /* of plain */
	size_t packed_room;
} packer;

static int make_room(size_t size)
{
	size_t bound = packer.bound(size);
	char *plain, *packed;

	if (size <= packer.room)
		return 0;
	plain = realloc(packer.plain, size);
	packer.plain = plain ? plain : packer.plain;
	packed = realloc(packer.packed, bound);
	packer.packed = packed ? packed : packer.packed;
	if (!plain || !packed)
		return -1;
	packer.room = size;
	packer.packed_room = bound;
	return 0;
}

/* What cannot be made smaller stays as it is. */
static size_t pack(const struct iovec *parts, int count, const void **packed)
{
	size_t size = 0, done = 0, result;

	for (int i = 0; i < count; i++)
		size += parts[i].iov_len;
	if (!size || size > PFMD_UNPACKED_MAX || make_room(size))
		return 0;
	for (int i = 0; i < count; i++) {
		memcpy(packer.plain + done, parts[i].iov_base,
		       parts[i].iov_len);
		done += parts[i].iov_len;
	}
	result = packer.compress(packer.context, packer.packed,
				 packer.packed_room, packer.plain, size,
				 packer.level);
	*packed = packer.packed;
	return packer.is_error(result) || result >= size ? 0 : result;
}

#define FIND(library, name) dlsym(library, "ZSTD_" name)

int packer_begin(struct writer *writer, int level)
{
	void *library = dlopen(SONAME, RTLD_NOW | RTLD_LOCAL);

	if (!library)
		return diag("-z: " SONAME
			    " is not installed; install libzstd1, or omit -z");
	packer.create = FIND(library, "createCCtx");
	packer.compress = FIND(library, "compressCCtx");
	packer.bound = FIND(library, "compressBound");
	packer.is_error = FIND(library, "isError");
	if (!packer.create || !packer.compress || !packer.bound ||
	    !packer.is_error)
		return diag("-z: " SONAME
			    " is not the library that it should be");
	if (!packer.context)
		packer.context = packer.create();
	if (!packer.context)
		return diag("-z: no memory for compression");
	packer.level = level;
	writer->pack = pack;
	return 0;
}
#else
int packer_begin(struct writer *writer, int level)
{
	(void)writer;
	(void)level;
	return diag("-z: not built in: libzstd");
}
#endif

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds callers while pfmon record runs, which executes this: of the file of samples at
 * the standard input each copy of a stack becomes a call chain, and all else stays as it
 * is. So files of programs that are gone later are looked at in time, and no copy is
 * ever in a file.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"
#include "grammar/words.h"
#include "profile/copies.h"
#include "profile/read_parts.h"
#include "profile/writer.h"
#include "record/packer.h"
#include "unwind/chain.h"
#include "views/verbs.h"

#ifdef HAVE_DW
struct unwinding {
	struct profile profile; /* without samples */
	struct tables *tables;
	struct writer writer;
	char *entries; /* that are written next */
	size_t used, room;
};

/* What an entry that was read consists of. */
struct parts {
	struct pfm_stacks_smpl_entry entry;
	const uint8_t *ips, *values;
	size_t values_size;
	bool copied;
	struct pfm_stacks_smpl_copy copy;
	const uint8_t *stack;
};

/* False: it contradicts itself. */
static bool take_apart(struct parts *parts, const uint8_t *bytes, size_t room)
{
	size_t used = sizeof(parts->entry);

	if (room < used)
		return false;
	memcpy(&parts->entry, bytes, used);
	parts->copied = parts->entry.flags & PFM_STACKS_SMPL_COPY;
	parts->ips = bytes + used;
	used += 8UL * parts->entry.nr;
	if (parts->entry.size > room || parts->entry.size % 8 ||
	    parts->entry.nr_kernel > parts->entry.nr || !parts->entry.nr ||
	    parts->entry.nr > PFM_STACKS_SMPL_FRAMES ||
	    used + (parts->copied ? sizeof(parts->copy) : 0) >
		    parts->entry.size)
		return false;
	if (parts->copied) {
		memcpy(&parts->copy, bytes + used, sizeof(parts->copy));
		used += sizeof(parts->copy);
		parts->stack = bytes + used;
		if (parts->copy.bytes > parts->entry.size - used)
			return false;
		used += parts->copy.bytes;
	}
	parts->values = bytes + used;
	parts->values_size = parts->entry.size - used;
	return true;
}

static int make_room(struct unwinding *unwinding, size_t more)
{
	size_t room = unwinding->room ? unwinding->room : 65536;
	char *entries;

	while (room < unwinding->used + more)
		room *= 2;
	if (room == unwinding->room)
		return 0;
	entries = realloc(unwinding->entries, room);
	if (!entries)
		return -1;
	unwinding->entries = entries;
	unwinding->room = room;
	return 0;
}

/* The kernel's addresses, and those that its copy tells of the program. */
static unsigned int fill_chain(struct unwinding *unwinding, struct parts *parts,
			       uint64_t ips[PFM_STACKS_SMPL_FRAMES])
{
	struct pfm_stacks_smpl_entry *entry = &parts->entry;
	unsigned int kernel = entry->nr_kernel;
	uint64_t pointers[PFM_STACKS_SMPL_FRAMES];
	const struct chain_from from = {
		.copy = &parts->copy,
		.stack = parts->stack,
		.pointers = pointers,
		.pointer_count = entry->nr - kernel,
		.tgid = entry->tgid,
		.time = entry->tstamp,
		.is_32bit = entry->flags & PFM_STACKS_SMPL_32BIT,
	};

	memcpy(ips, parts->ips, 8UL * kernel);
	memcpy(pointers, parts->ips + 8UL * kernel, 8UL * (entry->nr - kernel));
	entry->flags &=
		(uint16_t) ~(PFM_STACKS_SMPL_COPY | PFM_STACKS_SMPL_CUT |
			     PFM_STACKS_SMPL_BROKEN);
	return kernel + chain_find(unwinding->tables, &from, ips + kernel,
				   PFM_STACKS_SMPL_FRAMES - kernel,
				   &entry->flags);
}

static int add_entry(struct unwinding *unwinding, struct parts *parts)
{
	struct pfm_stacks_smpl_entry *entry = &parts->entry;
	uint64_t ips[PFM_STACKS_SMPL_FRAMES];
	const void *chain = parts->ips;
	size_t chain_size;
	char *to;

	if (parts->copied && entry->nr_kernel < PFM_STACKS_SMPL_FRAMES) {
		entry->nr = (uint16_t)fill_chain(unwinding, parts, ips);
		chain = ips;
		if (entry->nr == entry->nr_kernel)
			return -1;
	}
	chain_size = 8UL * entry->nr;
	entry->flags &= (uint16_t)~PFM_STACKS_SMPL_COPY;
	entry->size =
		(uint16_t)(sizeof(*entry) + chain_size + parts->values_size);
	if (make_room(unwinding, entry->size))
		return -1;
	to = unwinding->entries + unwinding->used;
	memcpy(to, entry, sizeof(*entry));
	memcpy(to + sizeof(*entry), chain, chain_size);
	memcpy(to + sizeof(*entry) + chain_size, parts->values,
	       parts->values_size);
	unwinding->used += entry->size;
	return 0;
}

static int convert(struct unwinding *unwinding, const struct chunk *chunk)
{
	size_t done = sizeof(struct pfmd_samples);
	struct iovec parts[2];

	if (chunk->length < done || tables_renew(unwinding->tables))
		return -1;
	unwinding->used = 0;
	while (done < chunk->length) {
		struct parts entry;

		if (!take_apart(&entry, chunk->payload + done,
				chunk->length - done))
			return -1;
		done += entry.entry.size;
		if (add_entry(unwinding, &entry))
			return -1;
	}
	parts[0] = (struct iovec){ (void *)(uintptr_t)chunk->payload,
				   sizeof(struct pfmd_samples) };
	parts[1] = (struct iovec){ unwinding->entries, unwinding->used };
	return writer_chunk(&unwinding->writer, PFMD_STACKS, parts, 2);
}

static int pass_on(struct unwinding *unwinding, const struct chunk *chunk)
{
	struct iovec part = { (void *)(uintptr_t)chunk->payload,
			      chunk->length };

	/* What tells where code is. */
	if ((chunk->type == PFMD_META || chunk->type == PFMD_TASK ||
	     chunk->type == PFMD_MAP) &&
	    part_add(&unwinding->profile, chunk))
		return -1;
	if (chunk->type == PFMD_META && !unwinding->tables)
		unwinding->tables = tables_new(&unwinding->profile);
	if (!unwinding->tables)
		return -1;
	return writer_chunk(&unwinding->writer, chunk->type, &part, 1);
}

static int unwind_all(struct unwinding *unwinding)
{
	struct chunks chunks;
	struct chunk chunk;
	int ret;

	if (chunks_open_stream(&chunks, stdin, "copies"))
		return -1;
	unwinding->profile.name = "copies";
	while ((ret = chunks_next(&chunks, &chunk)) > 0) {
		ret = chunk.type == COPIES_CHUNK && unwinding->tables ?
			      convert(unwinding, &chunk) :
			      pass_on(unwinding, &chunk);
		if (ret)
			break;
	}
	chunks_close(&chunks);
	return ret;
}

static int tell(int fd, const struct copies_state *state)
{
	return write(fd, state, sizeof(*state)) == sizeof(*state) ? 0 : -1;
}

int verb_unwind(int argc, char **argv)
{
	static struct unwinding unwinding;
	struct copies_state state = { 0 };
	unsigned int fd, level = 0, copy = 0;
	int ret;

	if (argc < 3 || argc > 4 ||
	    words_number(argv[1], "unwind", 0, 4096, &fd) ||
	    words_number(argv[2], "unwind", 0, 19, &level) ||
	    (argc == 4 && words_number(argv[3], "unwind", 0, 4096, &copy)))
		return diag("unwind: this is for pfmon record") & STATUS_FAILED;
	diag_quiet(true);
	ret = tell((int)fd, &state) ||
	      writer_begin(&unwinding.writer, STDOUT_FILENO);
	if (argc == 4)
		writer_copy(&unwinding.writer, (int)copy);
	ret = ret || (level && packer_begin(&unwinding.writer, (int)level)) ||
	      unwind_all(&unwinding);
	state.bytes = unwinding.writer.bytes;
	state.crc = unwinding.writer.crc;
	state.has_copy = unwinding.writer.has_copy;
	if (ret)
		state.error = unwinding.writer.error ?
				      (uint32_t)unwinding.writer.error :
				      EINVAL;
	tell((int)fd, &state);
	tables_free(unwinding.tables);
	profile_free(&unwinding.profile);
	free(unwinding.entries);
	return ret ? STATUS_FAILED : 0;
}
#else
int verb_unwind(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	return STATUS_FAILED;
}
#endif

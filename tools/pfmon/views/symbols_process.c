// SPDX-License-Identifier: GPL-2.0-only
/* The symbols of one image, see symbols_process.h. */
#include "views/symbols_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* As much as pfmon record takes. */
#define CHUNK_MAX (256UL << 20)

int symbols_seconds = 30;

#define MS_PER_S 1000L
#define NS_PER_MS 1000000L

/* By start, then by name: one symbol may cover many places. */
static int compare(const void *one, const void *other)
{
	const struct image_symbol *a = one, *b = other;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* Returns how many different ones there are. */
static size_t find_symbols(const struct place *const *places, size_t count,
			   struct image_symbol *rows)
{
	struct image *image = (struct image *)(uintptr_t)places[0]->image;
	size_t found = 0, kept = 0;

	for (size_t i = 0; i < count; i++)
		found += image_symbol(image, places[i]->place, &rows[found]);
	if (found)
		qsort(rows, found, sizeof(*rows), compare);
	for (size_t i = 0; i < found; i++) {
		if (!kept || compare(&rows[i], &rows[kept - 1]) != 0)
			rows[kept++] = rows[i];
	}
	return kept;
}

static struct pfmd_symbol row_of(const struct image *image,
				 const struct image_symbol *symbol,
				 uint32_t name)
{
	return (struct pfmd_symbol){
		.offset = image_offset(image, symbol->start),
		.size = symbol->size < UINT32_MAX ? (uint32_t)symbol->size :
						    UINT32_MAX,
		.name = name,
	};
}

/* What the chunk is of; what a process has made is found by its number. */
static const char *path_of(const struct image *image, char name[32])
{
	if (image->kind != IMAGE_PROGRAM)
		return image->path;
	snprintf(name, 32, PFMD_PROGRAM_MAP, image->map->tgid);
	return name;
}

static void print_chunk(const struct image *image,
			const struct image_symbol *rows, size_t count,
			unsigned int flags, FILE *out)
{
	static const char zeros[PFMD_ALIGN];
	bool has_file = image->map && image->map->has_file &&
			!image->has_build_id;
	struct pfmd_symbols header = {
		.count = (uint32_t)count,
		.flags = flags | (has_file ? PFMD_SYMBOLS_FILE : 0),
	};
	struct pfmd_chunk chunk = { .type = PFMD_SYMBOLS };
	char buffer[32];
	const char *path = path_of(image, buffer);
	uint32_t name = 0;

	for (size_t i = 0; i < count; i++)
		header.path += (uint32_t)strlen(rows[i].name) + 1;
	memcpy(header.build_id, image->build_id, sizeof(header.build_id));
	chunk.length = sizeof(header) + count * sizeof(struct pfmd_symbol) +
		       header.path + strlen(path) + 1 +
		       (has_file ? sizeof(image->map->file) : 0);
	fwrite(&chunk, sizeof(chunk), 1, out);
	fwrite(&header, sizeof(header), 1, out);
	for (size_t i = 0; i < count; i++) {
		const struct pfmd_symbol row = row_of(image, &rows[i], name);

		fwrite(&row, sizeof(row), 1, out);
		name += (uint32_t)strlen(rows[i].name) + 1;
	}
	for (size_t i = 0; i < count; i++)
		fwrite(rows[i].name, 1, strlen(rows[i].name) + 1, out);
	fwrite(path, 1, strlen(path) + 1, out);
	if (has_file)
		fwrite(&image->map->file, sizeof(image->map->file), 1, out);
	fwrite(zeros, 1, -chunk.length % PFMD_ALIGN, out);
}

/* Why a file has no symbols, 0: it has none, or those of its debug file. */
static unsigned int reason_of(const struct image *image)
{
	if (image->short_of_memory)
		return PFMD_SYMBOLS_LIMIT;
	if (image->kind != IMAGE_FILE || image->elf || !elf_file_built_in())
		return 0;
	return image->denied ? PFMD_SYMBOLS_DENIED : PFMD_SYMBOLS_GONE;
}

/* More memory than the process has now; not addresses, as files are mapped. */
static void limit_memory(void)
{
	unsigned long pages = 0;
	FILE *in = fopen("/proc/self/statm", "re");

	if (in && fscanf(in, "%*u %*u %*u %*u %*u %lu", &pages) == 1) {
		const rlim_t most =
			pages * (rlim_t)sysconf(_SC_PAGESIZE) + SYMBOLS_BYTES;

		setrlimit(RLIMIT_DATA, &(struct rlimit){ most, most });
	}
	if (in)
		fclose(in);
}

/*
 * What the process does, whose chunk goes to fd. It keeps no output of its parent open:
 * one that hangs would do so for ever.
 */
static _Noreturn void work(const struct place *const *places, size_t count,
			   int fd, int parents)
{
	struct image_symbol *rows;
	const struct image *image = places[0]->image;
	FILE *out = fdopen(fd, "w");
	unsigned int reason;

	close(STDOUT_FILENO);
	close(parents);
	limit_memory();
	rows = calloc(count, sizeof(*rows));
	if (!out || !rows)
		_exit(1);
	count = find_symbols(places, count, rows);
	reason = count ? 0 : reason_of(image);
	if (count || reason)
		print_chunk(image, rows, count, reason, out);
	_exit(fflush(out) != 0);
}

static long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * MS_PER_S + now.tv_nsec / NS_PER_MS;
}

/* All that comes up to the end, in time; NULL: it does not, or is too much. */
static char *take_all(int fd, long until, size_t *size)
{
	struct pollfd news = { .fd = fd, .events = POLLIN };
	size_t room = 65536;
	char *bytes = malloc(room), *more;

	*size = 0;
	while (bytes) {
		long left = until - now_ms();
		ssize_t got;

		if (left <= 0 || poll(&news, 1, (int)left) <= 0)
			break;
		got = read(fd, bytes + *size, room - *size);
		if (!got)
			return bytes;
		if (got < 0 || (*size += (size_t)got) > CHUNK_MAX)
			break;
		if (*size < room)
			continue;
		room *= 2;
		more = realloc(bytes, room);
		if (!more)
			break;
		bytes = more;
	}
	free(bytes);
	return NULL;
}

/*
 * One that hangs in the kernel may not even end: nobody waits for it. One that has ended
 * since its time was over has done nothing: its bytes were not taken.
 */
static bool has_done_its_work(pid_t pid, bool in_time)
{
	int status;

	if (!in_time)
		kill(pid, SIGKILL);
	return waitpid(pid, &status, in_time ? 0 : WNOHANG) == pid && in_time &&
	       !status;
}

void symbols_of_image(const struct place *const *places, size_t count,
		      FILE *out)
{
	static bool late;
	char *bytes = NULL;
	size_t size = 0;
	int ends[2];
	pid_t pid;
	bool done;

	if (fflush(out) || pipe2(ends, O_CLOEXEC))
		return;
	pid = fork();
	if (!pid)
		work(places, count, ends[1], fileno(out));
	close(ends[1]);
	if (pid > 0)
		bytes = take_all(ends[0],
				 now_ms() + (late ? 1 : symbols_seconds) *
						    MS_PER_S,
				 &size);
	close(ends[0]);
	done = pid > 0 && has_done_its_work(pid, bytes != NULL);
	late |= !bytes;
	if (done)
		fwrite(bytes, 1, size, out);
	else if (places[0]->image->kind == IMAGE_FILE)
		print_chunk(places[0]->image, NULL, 0, PFMD_SYMBOLS_LIMIT, out);
	free(bytes);
}

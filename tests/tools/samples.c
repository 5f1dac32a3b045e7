// SPDX-License-Identifier: GPL-2.0-only
/*
 * samples FILE [VALUES [brief]]: a file of samples as lines of text, so that shell
 * scripts can look into it. It knows the layout by itself, not from pfmon's headers.
 * Each entry is followed by so many VALUES (0). In brief there are no lines of tasks,
 * mappings, chunks and samples.
 *
 * The lines are: meta JSON, task KIND TIME TGID TID PTID COMM, map TIME TGID ADDRESS
 * LENGTH OFFSET PROTECTION BUILD-ID PATH, chunk STREAM SAMPLES, sample STREAM TGID TID CPU TIME PMD PERIOD
 * ADDRESS VALUE..., loss STREAM BLIND THROTTLED LOST, counts JSON, other TYPE LENGTH,
 * and end SAMPLES CHECKSUM, where the latter is right or wrong. Exits with 1 if the
 * file ends within a chunk or is none.
 */

/* The declarations are those of nolibc.h, see mk/nolibc.mk. */
#define FILE_MAX (64 << 20)
#define ENTRY 40

typedef unsigned long long number;

static char file[FILE_MAX] __attribute__((aligned(8)));
static unsigned long size;
static int values, brief;

static number get(const char *at, int bytes)
{
	number value = 0;

	memcpy(&value, at, (size_t)bytes);
	return value;
}

static unsigned int checksum(const char *bytes, unsigned long count)
{
	static unsigned int table[256];
	unsigned int crc = ~0u;

	for (unsigned int byte = 0; byte < 256; byte++) {
		unsigned int row = byte;

		for (int bit = 0; bit < 8; bit++)
			row = row >> 1 ^ (row & 1 ? 0x82f63b78u : 0);
		table[byte] = row;
	}
	while (count--)
		crc = crc >> 8 ^ table[(crc ^ (unsigned char)*bytes++) & 255];
	return ~crc;
}

static void print_text(const char *text, number length)
{
	while (length--)
		putchar(*text++);
	putchar('\n');
}

static void print_task(const char *at)
{
	static const char *const kinds[] = { "?", "fork", "exec", "comm",
					     "exit" };
	number kind = get(at + 20, 4);

	printf("task %s %llu %llu %llu %llu %s\n", kinds[kind < 5 ? kind : 0],
	       get(at, 8), get(at + 8, 4), get(at + 12, 4), get(at + 16, 4),
	       at + 24);
}

static void print_map(const char *at)
{
	printf("map %llu %llu %llx %llx %llx %llu ", get(at, 8),
	       get(at + 32, 4), get(at + 8, 8), get(at + 16, 8),
	       get(at + 24, 8), get(at + 36, 4));
	for (int i = 0; i < 20; i++) {
		unsigned char byte = (unsigned char)at[40 + i];

		putchar("0123456789abcdef"[byte >> 4]);
		putchar("0123456789abcdef"[byte & 15]);
	}
	printf(" %s\n", at + 60);
}

/* Bytes of an entry; with a stack it tells them itself. */
static long entry_size(const char *entry, int stacks)
{
	return stacks ? (long)get(entry + ENTRY, 2) : ENTRY + 8 * values;
}

/* With stacks only what others have as well. */
static void print_sample(number stream, const char *entry, int stacks)
{
	printf("sample %llu %llu %llu %llu %llu %llu %llu %llx", stream,
	       get(entry + 36, 4), get(entry, 4), get(entry + 32, 2),
	       get(entry + 24, 8), get(entry + 4, 2), -get(entry + 8, 8),
	       get(entry + 16, 8));
	for (int i = 0; !stacks && i < values; i++)
		printf(" %llu", get(entry + ENTRY + 8 * i, 8));
	putchar('\n');
}

static number print_samples(const char *at, number length, int stacks)
{
	const char *end = at + length, *entry = at + 8;
	const long least = stacks ? ENTRY + 8 : ENTRY + 8 * values;
	number count = 0;

	for (; end - entry >= least; count++) {
		if (!brief)
			print_sample(get(at, 4), entry, stacks);
		if (entry_size(entry, stacks) < least)
			break;
		entry += entry_size(entry, stacks);
	}
	if (!brief)
		printf("chunk %llu %llu\n", get(at, 4), count);
	if (entry != end)
		printf("rest %d\n", (int)(end - entry));
	return count;
}

static void print_chunk(unsigned long offset, number type, number length)
{
	static number samples;
	const char *at = file + offset + 16;

	switch (type) {
	case 1:
	case 6:
		printf(type == 1 ? "meta " : "counts ");
		print_text(at, length);
		break;
	case 2:
		if (!brief)
			print_task(at);
		break;
	case 3:
		if (!brief)
			print_map(at);
		break;
	case 4:
	case 9:
	case 10:
		samples += print_samples(at, length, type != 4);
		break;
	case 5:
		printf("loss %llu %llu %llu %llu\n", get(at, 4), get(at + 8, 8),
		       get(at + 16, 8), get(at + 24, 8));
		break;
	case 8:
		printf("end %llu %s\n", get(at, 8),
		       get(at, 8) == samples && get(at + 8, 4) ==
							checksum(file, offset) ?
			       "right" :
			       "wrong");
		break;
	default:
		printf("other %llu %llu\n", type, length);
	}
}

int main(int argc, char **argv)
{
	int fd = argc > 1 ? open(argv[1], O_RDONLY) : -1;
	unsigned long at = 8;
	ssize_t got;

	values = argc > 2 ? atoi(argv[2]) : 0;
	brief = argc > 3 && !strcmp(argv[3], "brief");
	if (fd < 0)
		return 2;
	while ((got = read(fd, file + size, FILE_MAX - size)) > 0)
		size += (unsigned long)got;
	if (size < at || memcmp(file, "PFMD0001", 8))
		return 1;
	while (at + 16 <= size) {
		number length = get(file + at + 8, 8);

		if (length > size - at - 16)
			return 1;
		print_chunk(at, get(file + at, 4), length);
		at += 16 + (unsigned long)((length + 7) / 8 * 8);
	}
	return at != size;
}

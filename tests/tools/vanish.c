// SPDX-License-Identifier: GPL-2.0-only
/*
 * vanish MODE ITERATIONS [FILE]: a program whose file, or another one, is not there any
 * more when its loop, the function work(), runs:
 *
 *	remove ITERATIONS		it removes itself
 *	replace ITERATIONS FILE		FILE takes its name
 *	stay ITERATIONS			it does neither
 *	map ITERATIONS FILE		it removes FILE, which is a copy of prof, maps its
 *					code afterwards, and calls its fa() so often
 */

/* The declarations are those of nolibc.h, see mk/nolibc.mk. */

/* Of prof, as it is linked: its code is the second page. */
#define CODE 0x1000
#define FA 0x40
#define PAGE 0x1000

/* Has a name that reports show. */
__attribute__((noinline)) void work(unsigned long iterations);

void work(unsigned long iterations)
{
	while (iterations--)
		__asm__ volatile("");
}

static int call_mapped(unsigned long times, const char *path)
{
	int fd = open(path, O_RDONLY);
	char *code;

	if (fd < 0 || unlink(path))
		return 1;
	code = mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, CODE);
	close(fd);
	if (code == MAP_FAILED)
		return 1;
	while (times--)
		__asm__ volatile("call *%0"
				 :
				 : "r"(code + FA)
				 : "ecx", "edx", "cc", "memory");
	return 0;
}

int main(int argc, char **argv)
{
	unsigned long iterations = argc > 2 ? (unsigned long)atol(argv[2]) : 0;
	int ret = argc < 3;

	if (!ret && !strcmp(argv[1], "remove"))
		ret = unlink(argv[0]);
	else if (!ret && !strcmp(argv[1], "replace"))
		ret = argc < 4 ||
		      my_syscall2(__NR_rename, argv[3], argv[0]) < 0;
	else if (!ret && !strcmp(argv[1], "map"))
		return argc < 4 || call_mapped(iterations, argv[3]);
	if (ret)
		return 1;
	work(iterations);
	return 0;
}

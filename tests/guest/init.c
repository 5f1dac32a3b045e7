// SPDX-License-Identifier: GPL-2.0-only
/*
 * The first process of the guest: mounts what programs expect, does what its
 * arguments say, looks for kernel messages and memory leaks, powers off.
 *
 *	test [@SECONDS] NAME[,ARG...]...	run the programs /tests/NAME; a word that
 *					begins with "+" is the first of the next
 *					one; those from @SECONDS on are killed if
 *					they take longer by the guest's clock
 *	run CMD[,ARG...]			run one command
 *	shell					a shell on the console
 *
 *	words					what the file /init-words says: the kernel
 *					passes no more than 2048 bytes and 32 words
 *
 * Words are separated by spaces or commas, in the file by commas.
 *
 * Everything for the host's eyes goes to the second serial port: what the
 * programs print, mixed with lines of ours that start with "# " (checks/
 * report.py reads them):
 *
 *	# begin NAME
 *	# hung NAME seconds N	it reached its limit and was killed
 *	# thread ID WHERE SYSCALL COMMAND	what it and its children were at then
 *	# end NAME status N	exit status, 128 + signal when killed
 *	# klog LEVEL TEXT	kernel message of level warning or worse
 *	# kmemleak TEXT		report of the leak detector
 *	# done			nothing follows
 *
 * A program that starts another kernel prints "# leave" instead of returning.
 *
 * Built with the kernel's nolibc, the same source for x86_64 and i386: the C
 * library of i386 does not run on processors older than the Pentium Pro.
 */
#include <asm/fcntl.h>
#include <asm/termbits.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KMEMLEAK "/sys/kernel/debug/kmemleak"

/* The leak detector does not report objects younger than five seconds. */
#define KMEMLEAK_AGE 6

/* Kernel messages up to this level are passed to the host (KERN_WARNING). */
#define KLOG_LEVEL 4

/* The runner's words, which checks/initrd.py puts there. */
#define WORDS_FILE "/init-words"
#define MAX_WORDS 1024

#define LENGTH(array) (sizeof(array) / sizeof(*(array)))

/*
 * Programs know these from the runner: most repetitions are done elsewhere; the
 * kernel is slow.
 */
static char *const told[] = { "PFM_TEST_SHORT=1", "PFM_TEST_SLOW=1" };

static char *environment[] = {
	"PATH=/usr/bin:/bin:/usr/sbin:/sbin",
	"HOME=/root",
	"TERM=vt100",
	"PS1=guest# ",
	[4 + LENGTH(told)] = NULL, /* room for those that are told */
};

/* Where programs are looked for: the PATH of above. */
static const char *const program_dirs[] = { "/usr/bin/", "/bin/", "/usr/sbin/",
					    "/sbin/" };

/* The kernel makes of NAME=VALUE on its command line what getenv() finds. */
static void pass_environment(char **passed)
{
	char **end = environment;
	unsigned int i;

	while (*end)
		end++;
	for (; *passed; passed++)
		for (i = 0; i < LENGTH(told); i++)
			if (!strcmp(*passed, told[i]))
				*end++ = told[i];
}

static int report_fd = STDOUT_FILENO;
static int kmsg_fd = -1;

/* Knows %s, %c, %d, %u, %x and %p, without widths. */
static void __attribute__((format(printf, 1, 2)))
report(const char *format, ...)
{
	FILE *stream = fdopen(report_fd, "w");
	va_list args;

	va_start(args, format);
	vfprintf(stream, format, args);
	va_end(args);
	fputc('\n', stream);
}

static void mount_all(void)
{
	static const struct {
		const char *type, *where;
	} mounts[] = {
		{ "devtmpfs", "/dev" },	 { "proc", "/proc" },
		{ "sysfs", "/sys" },	 { "debugfs", "/sys/kernel/debug" },
		{ "tmpfs", "/tmp" },	 { "devpts", "/dev/pts" },
		{ "tmpfs", "/dev/shm" },
	};

	for (size_t i = 0; i < sizeof(mounts) / sizeof(mounts[0]); i++) {
		mkdir(mounts[i].where, 0755);
		if (mount(mounts[i].type, mounts[i].where, mounts[i].type, 0,
			  NULL))
			perror(mounts[i].where);
	}
}

/*
 * Loads what a kernel that is not ours lacks; others have no such files.
 * Afterwards the log says what there was to say. An argument "options=WORDS" of the
 * kernel, which it does not know, has become ours; it is for perfmon.ko.
 */
static void load_modules(void)
{
	const char *options = getenv("options");
	char parameters[64] = "options=";
	const struct {
		const char *path, *parameters;
	} modules[] = {
		{ "/modules/msr.ko", "allow_writes=on" },
		{ "/modules/perfmon.ko", options ? parameters : "" },
	};

	if (options)
		strncat(parameters, options,
			sizeof(parameters) - sizeof("options="));

	for (size_t i = 0; i < LENGTH(modules); i++) {
		int fd = open(modules[i].path, O_RDONLY | O_CLOEXEC);

		if (fd < 0)
			continue;
		if (syscall(__NR_finit_module, fd, modules[i].parameters, 0))
			perror(modules[i].path);
		close(fd);
	}
}

/* The second serial port, passing bytes on as they are. */
static void open_report(void)
{
	struct termios tio;
	int fd = open("/dev/ttyS1", O_WRONLY | O_NOCTTY | O_CLOEXEC);

	if (fd < 0 || ioctl(fd, TCGETS, &tio)) {
		if (fd >= 0)
			close(fd);
		return;
	}
	tio.c_oflag &= ~OPOST;
	ioctl(fd, TCSETS, &tio);
	report_fd = fd;
}

/* Cuts the text at its first @end. */
static void cut(char *text, char end)
{
	char *at = strchr(text, end);

	if (at)
		*at = '\0';
}

/* One record of /dev/kmsg: "priority,sequence,time,flags;text\nKEY=value...". */
static void report_record(char *record)
{
	char *text = strchr(record, ';');
	long priority = strtol(record, NULL, 10);

	/* The facility is above the level; that of the kernel is 0. */
	if (!text || priority > KLOG_LEVEL)
		return;
	cut(text + 1, '\n');
	report("# klog %ld %s", priority, text + 1);
}

/* Passes on the kernel messages since the last call. */
static void report_klog(void)
{
	char record[8192];
	ssize_t len;

	if (kmsg_fd < 0)
		kmsg_fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (kmsg_fd < 0) {
		report("# klog 3 init: /dev/kmsg: error %d", errno);
		return;
	}
	for (;;) {
		len = read(kmsg_fd, record, sizeof(record) - 1);
		if (len > 0) {
			record[len] = '\0';
			report_record(record);
		} else if (len < 0 && errno == EPIPE) {
			report("# klog 3 init: kernel messages were lost");
		} else {
			return;
		}
	}
}

static int write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t len;

	if (fd < 0)
		return -1;
	len = write(fd, text, strlen(text));
	close(fd);
	return len < 0 ? -1 : 0;
}

static void report_leaks(void)
{
	char line[512];
	FILE *leaks;
	int fd;

	fd = open(KMEMLEAK, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	close(fd);
	/* What looks lost in one scan may have been on the move: scan twice. */
	sleep(KMEMLEAK_AGE);
	write_file(KMEMLEAK, "scan");
	sleep(1);
	write_file(KMEMLEAK, "scan");
	fd = open(KMEMLEAK, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		report("# kmemleak init: error %d", errno);
		return;
	}
	leaks = fdopen(fd, "r");
	while (fgets(line, sizeof(line), leaks)) {
		cut(line, '\n');
		report("# kmemleak %s", line);
	}
	fclose(leaks);
}

/*
 * Reads what fits of a file of a thread; what separates words and lines there is
 * a space then. Returns the length, 0 if there is nothing.
 */
static ssize_t read_words(long tid, const char *name, char *text, size_t size)
{
	ssize_t len;
	int fd;

	strlcpy(text, "/proc/", size);
	strlcat(text, itoa(tid), size);
	strlcat(text, name, size);
	fd = open(text, O_RDONLY | O_CLOEXEC);
	len = fd < 0 ? 0 : read(fd, text, size - 1);
	if (fd >= 0)
		close(fd);
	if (len < 0)
		len = 0;
	for (ssize_t i = 0; i < len; i++)
		if (text[i] == '\0' || text[i] == '\n')
			text[i] = ' ';
	text[len] = '\0';
	return len;
}

/* Says where each thread is that is not the kernel's, or init's. */
static void report_threads(void)
{
	char text[128], where[64], syscall[128], command[256];
	char *last;

	/* The last word: the youngest thread. */
	read_words(1, "/../loadavg", text, sizeof(text));
	last = strrchr(text, '/');
	last = last ? strchr(last, ' ') : NULL;
	for (long tid = 2; last && tid <= strtol(last, NULL, 10); tid++) {
		/* Threads of the kernel have no command. */
		if (!read_words(tid, "/cmdline", command, sizeof(command)))
			continue;
		read_words(tid, "/wchan", where, sizeof(where));
		read_words(tid, "/syscall", syscall, sizeof(syscall));
		report("# thread %d %s %s %s", (int)tid, where, syscall,
		       command);
	}
}

/*
 * A process that ends after @limit seconds; a hang without a sleeper wakes
 * nobody else. Returns -1 if there is no limit.
 */
static pid_t start_timer(unsigned int limit)
{
	pid_t timer = limit ? fork() : -1;

	if (timer == 0) {
		sleep(limit);
		exit(0);
	}
	return timer;
}

/*
 * Waits for the child, at most @limit seconds (0: for ever); whatever it leaves
 * behind must not disturb others.
 */
static int wait_for(pid_t child, const char *name, unsigned int limit)
{
	pid_t timer = start_timer(limit);
	int status, ret = -1;
	pid_t pid;

	do {
		pid = wait(&status);
		if (limit && pid == timer) {
			report("# hung %s seconds %u", name, limit);
			report_threads();
			kill(-1, SIGKILL);
		}
	} while (pid >= 0 && pid != child);
	if (pid == child)
		ret = WIFEXITED(status) ? WEXITSTATUS(status) :
					  128 + WTERMSIG(status);
	kill(-1, SIGKILL);
	while (wait(NULL) > 0 || errno == EINTR)
		;
	return ret;
}

/* Becomes a program; a name without a slash is one of the usual directories. */
static void execute(const char *path, char **argv)
{
	char found[256];

	if (strchr(path, '/')) {
		execve(path, argv, environment);
		return;
	}
	for (size_t i = 0; i < sizeof(program_dirs) / sizeof(*program_dirs);
	     i++) {
		strlcpy(found, program_dirs[i], sizeof(found));
		strlcat(found, path, sizeof(found));
		execve(found, argv, environment);
	}
}

/* Runs a program with its standard output, and perhaps errors, reported. */
static void run_reported(const char *path, char **argv, int report_errors,
			 unsigned int limit)
{
	pid_t child;

	report("# begin %s", argv[0]);
	child = fork();
	if (child == 0) {
		setsid();
		dup2(report_fd, STDOUT_FILENO);
		if (report_errors)
			dup2(report_fd, STDERR_FILENO);
		execute(path, argv);
		report("# cannot execute %s: error %d", path, errno);
		exit(127);
	}
	report("# end %s status %d", argv[0], wait_for(child, argv[0], limit));
	report_klog();
}

static void run_tests(char **words)
{
	unsigned int limit = 0;
	char **next, *first;
	char path[256];

	while (*words) {
		if (**words == '@')
			limit = (unsigned int)strtol(*words++ + 1, NULL, 10);
		for (next = words; *next && **next != '+'; next++)
			;
		first = *next;
		*next = NULL;
		if (*words) {
			strlcpy(path, "/tests/", sizeof(path));
			strlcat(path, *words, sizeof(path));
			run_reported(path, words, 0, limit);
		}
		if (first)
			*next = first + 1;
		words = next;
	}
}

/* A shell with job control on the serial console. */
static void run_shell(void)
{
	char *const argv[] = { "-sh", NULL };
	pid_t child = fork();

	if (child == 0) {
		setsid();
		close(STDIN_FILENO);
		if (open("/dev/ttyS0", O_RDWR) == STDIN_FILENO) {
			ioctl(STDIN_FILENO, TIOCSCTTY, (void *)1);
			dup2(STDIN_FILENO, STDOUT_FILENO);
			dup2(STDIN_FILENO, STDERR_FILENO);
		}
		execve("/bin/sh", argv, environment);
		perror("init: /bin/sh");
		exit(127);
	}
	wait_for(child, "shell", 0);
}

/* Splits the arguments at commas; room for max words and a NULL. */
static void split_words(char **argv, char **words, size_t max)
{
	size_t n = 0;

	for (; *argv; argv++) {
		char *word = *argv, *comma;

		while (n < max) {
			words[n++] = word;
			comma = strchr(word, ',');
			if (!comma)
				break;
			*comma = '\0';
			word = comma + 1;
		}
	}
	words[n] = NULL;
}

/* The arguments, or the line of WORDS_FILE if they ask for it. */
static char **read_arguments(char **arguments)
{
	static char line[16384], *from_file[] = { line, NULL };
	ssize_t len;
	int fd;

	if (!*arguments || strcmp(*arguments, "words"))
		return arguments;
	fd = open(WORDS_FILE, O_RDONLY | O_CLOEXEC);
	len = fd < 0 ? -1 : read(fd, line, sizeof(line) - 1);
	if (len < 0)
		perror("init: " WORDS_FILE);
	close(fd);
	return from_file;
}

int main(int argc, char **argv)
{
	char *words[MAX_WORDS + 1];

	(void)argc;
	mount_all();
	load_modules();
	pass_environment(environ);
	split_words(read_arguments(argv + 1), words, MAX_WORDS);
	if (chdir("/root"))
		perror("init: /root");

	if (!words[0] || !strcmp(words[0], "shell")) {
		run_shell();
	} else {
		open_report();
		report_klog();
		if (!strcmp(words[0], "test"))
			run_tests(words + 1);
		else if (!strcmp(words[0], "run") && words[1])
			run_reported(words[1], words + 1, 1, 0);
		else
			report("# klog 3 init: %s: no such verb", words[0]);
		report_leaks();
		report_klog();
		report("# done");
		/* TCSBRK with an argument: wait until all of it is out. */
		ioctl(report_fd, TCSBRK, (void *)1);
	}
	reboot(RB_POWER_OFF);
	perror("init: power off");
	for (;;)
		sleep(1);
}

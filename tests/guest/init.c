// SPDX-License-Identifier: GPL-2.0-only
/*
 * The first process of the guest: mounts what programs expect, does what its
 * arguments say, looks for kernel messages and memory leaks, powers off.
 *
 *	test NAME[,ARG...] [+ NAME[,ARG...]]...	run the programs /tests/NAME
 *	run CMD[,ARG...]			run one command
 *	shell					a shell on the console
 *
 * Words may be separated by spaces or commas: the kernel passes no more than
 * 32 words to init, so the runner joins them with commas.
 *
 * Everything for the host's eyes goes to the second serial port: what the
 * programs print, mixed with lines of ours that start with "# " (tests/guest/
 * report.py reads them):
 *
 *	# begin NAME
 *	# end NAME status N	exit status, 128 + signal when killed
 *	# klog LEVEL TEXT	kernel message of level warning or worse
 *	# kmemleak TEXT		report of the leak detector
 *	# done			nothing follows
 *
 * One static program, the same source for x86_64 and i386.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#define KMEMLEAK "/sys/kernel/debug/kmemleak"

/* The leak detector does not report objects younger than five seconds. */
#define KMEMLEAK_AGE 6

/* Kernel messages up to this level are passed to the host (KERN_WARNING). */
#define KLOG_LEVEL 4

#define MAX_WORDS 256

static int report_fd = STDOUT_FILENO;
static int kmsg_fd = -1;

static void report(const char *format, ...)
{
	char line[1024];
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(line, sizeof(line) - 1, format, args);
	va_end(args);
	if (len < 0)
		return;
	if (len > (int)sizeof(line) - 2)
		len = sizeof(line) - 2;
	line[len++] = '\n';
	if (write(report_fd, line, len) != len)
		perror("init: report");
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
			printf("init: mount %s: %s\n", mounts[i].where,
			       strerror(errno));
	}
}

/* The second serial port, passing bytes on as they are. */
static void open_report(void)
{
	struct termios tio;
	int fd = open("/dev/ttyS1", O_WRONLY | O_NOCTTY | O_CLOEXEC);

	if (fd < 0 || tcgetattr(fd, &tio)) {
		if (fd >= 0)
			close(fd);
		return;
	}
	cfmakeraw(&tio);
	tcsetattr(fd, TCSANOW, &tio);
	report_fd = fd;
}

/* One record of /dev/kmsg: "priority,sequence,time,flags;text\nKEY=value...". */
static void report_record(char *record)
{
	char *text = strchr(record, ';');
	long priority = strtol(record, NULL, 10);

	/* The facility is above the level; that of the kernel is 0. */
	if (!text || priority > KLOG_LEVEL)
		return;
	text[1 + strcspn(text + 1, "\n")] = '\0';
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
		report("# klog 3 init: /dev/kmsg: %s", strerror(errno));
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

	if (access(KMEMLEAK, R_OK))
		return;
	/* What looks lost in one scan may have been on the move: scan twice. */
	sleep(KMEMLEAK_AGE);
	write_file(KMEMLEAK, "scan");
	sleep(1);
	write_file(KMEMLEAK, "scan");
	leaks = fopen(KMEMLEAK, "re");
	if (!leaks) {
		report("# kmemleak init: %s", strerror(errno));
		return;
	}
	while (fgets(line, sizeof(line), leaks)) {
		line[strcspn(line, "\n")] = '\0';
		report("# kmemleak %s", line);
	}
	fclose(leaks);
}

/* Waits for the child; whatever it leaves behind must not disturb others. */
static int wait_for(pid_t child)
{
	int status, ret = -1;
	pid_t pid;

	do {
		pid = wait(&status);
	} while (pid >= 0 && pid != child);
	if (pid == child)
		ret = WIFEXITED(status) ? WEXITSTATUS(status) :
					  128 + WTERMSIG(status);
	kill(-1, SIGKILL);
	while (wait(NULL) > 0 || errno == EINTR)
		;
	return ret;
}

/* Runs a program with its standard output, and perhaps errors, reported. */
static void run_reported(const char *path, char **argv, int report_errors)
{
	pid_t child;

	report("# begin %s", argv[0]);
	child = fork();
	if (child == 0) {
		setsid();
		dup2(report_fd, STDOUT_FILENO);
		if (report_errors)
			dup2(report_fd, STDERR_FILENO);
		execvp(path, argv);
		report("# cannot execute %s: %s", path, strerror(errno));
		_exit(127);
	}
	report("# end %s status %d", argv[0], wait_for(child));
	report_klog();
}

static void run_tests(char **words)
{
	char path[256];
	char **next;

	while (*words) {
		for (next = words; *next && strcmp(*next, "+"); next++)
			;
		if (*next)
			*next++ = NULL;
		if (*words) {
			snprintf(path, sizeof(path), "/tests/%s", *words);
			run_reported(path, words, 0);
		}
		words = next;
	}
}

/* A shell with job control on the serial console. */
static void run_shell(void)
{
	static char *const argv[] = { "-sh", NULL };
	pid_t child = fork();

	if (child == 0) {
		setsid();
		close(STDIN_FILENO);
		if (open("/dev/ttyS0", O_RDWR) == STDIN_FILENO) {
			ioctl(STDIN_FILENO, TIOCSCTTY, 1);
			dup2(STDIN_FILENO, STDOUT_FILENO);
			dup2(STDIN_FILENO, STDERR_FILENO);
		}
		execv("/bin/sh", argv);
		perror("init: /bin/sh");
		_exit(127);
	}
	wait_for(child);
}

/* Splits the arguments at commas; room for max words and a NULL. */
static void split_words(char **argv, char **words, size_t max)
{
	size_t n = 0;

	for (; *argv; argv++) {
		char *rest = *argv, *word;

		while ((word = strsep(&rest, ",")) && n < max)
			words[n++] = word;
	}
	words[n] = NULL;
}

static void set_environment(void)
{
	clearenv();
	setenv("PATH", "/usr/bin:/bin:/usr/sbin:/sbin", 1);
	setenv("HOME", "/root", 1);
	setenv("TERM", "vt100", 1);
	setenv("PS1", "guest# ", 1);
}

int main(int argc, char **argv)
{
	char *words[MAX_WORDS + 1];

	(void)argc;
	set_environment();
	mount_all();
	split_words(argv + 1, words, MAX_WORDS);
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
			run_reported(words[1], words + 1, 1);
		else
			report("# klog 3 init: %s: no such verb", words[0]);
		report_leaks();
		report_klog();
		report("# done");
		tcdrain(report_fd);
	}
	sync();
	reboot(RB_POWER_OFF);
	perror("init: power off");
	for (;;)
		pause();
}

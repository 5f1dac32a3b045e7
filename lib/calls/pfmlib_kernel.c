// SPDX-License-Identifier: MIT
/*
 * Finds the perfmon of the running kernel: its interface, and the number of its first
 * system call or the device that has the calls.  Every function that makes one calls
 * this.
 *
 * A successful lookup is cached for good.  A failed one is not: the files may be
 * unreachable for a short time only (no free descriptor, or sysfs not mounted yet).  No
 * locks: threads that look at the same time find the same result.  All functions called
 * here are async-signal-safe.
 */
#include "pfmlib_kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "array_size.h"

/* More than any valid content of the files that are read here. */
#define ATTR_MAX PFMLIB_DEVICE_MAX

/* The highest version was 2.81. */
#define MINOR_MAX 999

/* Keeps the N of Linux 2.6.N from overflowing. */
#define RELEASE_MAX 0xffff

atomic_uint pfmlib_known_kernel;

/* Above the base: the minor version of v2.x, and a bit for v2.x. */
#define KNOWN_MINOR_SHIFT 16
#define KNOWN_V2 (1u << 31)

static const char *sysfs_dir = "/sys/kernel/perfmon";

/*
 * Path of the device if perfmon is a module.  It is read once, for two reasons: each
 * creation of a session would open the file again; and if another thread of the program
 * still reads from a closed descriptor, the file could get its number, and that thread
 * would consume the text.
 */
static char known_device[PFMLIB_DEVICE_MAX];
static atomic_int device_state;
enum { DEVICE_UNKNOWN, DEVICE_IS_WRITTEN, DEVICE_KNOWN };

/*
 * Not a cancellation point: a thread that is cancelled in a perfmon call must not leave a
 * descriptor open.
 */
ssize_t pfmlib_read_file(const char *path, char *text, size_t size)
{
	int cancel_state;
	ssize_t len = -1;
	int fd;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		do {
			len = read(fd, text, size);
		} while (len < 0 && errno == EINTR);
		close(fd);
	}
	pthread_setcancelstate(cancel_state, NULL);
	return len;
}

/* Reads one line.  Returns 0, or -1 if there is no such complete line. */
static int read_attr(const char *name, char text[ATTR_MAX])
{
	size_t dir_len = strlen(sysfs_dir);
	size_t name_len = strlen(name);
	char path[256];
	ssize_t len;

	if (dir_len + name_len + 2 > sizeof(path))
		return -1;
	memcpy(path, sysfs_dir, dir_len);
	path[dir_len] = '/';
	memcpy(path + dir_len + 1, name, name_len + 1);

	len = pfmlib_read_file(path, text, ATTR_MAX);
	if (len < 2 || text[len - 1] != '\n')
		return -1;
	text[len - 1] = '\0';
	return 0;
}

/* Returns the number, or -1 unless text is a decimal number up to max. */
static long parse_number(const char *text, long max)
{
	long number = 0;

	if (!*text)
		return -1;
	for (; *text; text++) {
		if (*text < '0' || *text > '9')
			return -1;
		number = number * 10 + (*text - '0');
		if (number > max)
			return -1;
	}
	return number;
}

/*
 * The first 2.x kernels do not publish the number of their first call: it follows the
 * last call of the Linux version that they patch.
 */
static long base_of_release(const char *release)
{
	static const struct {
		long first, last; /* N of 2.6.N */
		long base_64, base_32; /* by word size */
	} bases[] = {
		{ 24, 24, 286, 325 },
		{ 25, 26, 288, 327 },
		{ 27, 29, 295, 333 },
	};
	long number = 0;

	if (strncmp(release, "2.6.", 4) != 0)
		return -1;
	for (release += 4; *release >= '0' && *release <= '9'; release++)
		if (number < RELEASE_MAX)
			number = number * 10 + (*release - '0');

	for (size_t i = 0; i < ARRAY_SIZE(bases); i++)
		if (number >= bases[i].first && number <= bases[i].last)
			return sizeof(long) == 8 ? bases[i].base_64 :
						   bases[i].base_32;
	return -1;
}

/* Only the administrator can create files in this directory. */
static bool is_device(const char *path)
{
	return !strncmp(path, "/dev/", strlen("/dev/"));
}

static long find_base(bool is_v2)
{
	struct utsname name;
	char text[ATTR_MAX];

	if (!read_attr("syscall", text))
		return parse_number(text, PFMLIB_BASE_MAX - 1);
	if (!is_v2 && !read_attr("device", text) && is_device(text))
		return PFMLIB_BASE_DEVICE;
	if (!is_v2 || uname(&name))
		return -1;
	return base_of_release(name.release);
}

/*
 * Reads the kernel's interface version.  It is in "interface" on kernels where "version"
 * can be set to another value, for programs that compare it.  If "interface" exists but
 * cannot be read, "version" cannot be trusted.
 */
static int read_interface(char text[ATTR_MAX])
{
	if (!read_attr("interface", text))
		return 0;
	return errno == ENOENT ? read_attr("version", text) : -1;
}

/* Returns a word for pfmlib_known_kernel, or 0; errno may have the reason. */
static unsigned int find_kernel(void)
{
	char version[ATTR_MAX];
	long base, minor = 0;
	bool is_v2;

	if (read_interface(version))
		return 0;
	is_v2 = strncmp(version, "2.", 2) == 0;
	if (is_v2)
		minor = parse_number(version + 2, MINOR_MAX);
	else if (strcmp(version, "3.0") != 0)
		return 0;
	base = find_base(is_v2);
	if (minor < 0 || base <= 0)
		return 0;
	return (unsigned int)base | (unsigned int)minor << KNOWN_MINOR_SHIFT |
	       (is_v2 ? KNOWN_V2 : 0);
}

/* If a file cannot be opened for lack of resources, it may exist all the same. */
static int why_not_found(void)
{
	switch (errno) {
	case EMFILE:
	case ENFILE:
	case ENOMEM:
		return errno;
	default:
		return ENOSYS;
	}
}

/* The first thread that finds the device stores its path for all later calls. */
static void leave_device(const char path[PFMLIB_DEVICE_MAX])
{
	int state = DEVICE_UNKNOWN;

	if (!atomic_compare_exchange_strong(&device_state, &state,
					    DEVICE_IS_WRITTEN))
		return;
	strcpy(known_device, path);
	atomic_store_explicit(&device_state, DEVICE_KNOWN,
			      memory_order_release);
}

int pfmlib_device_path(char path[PFMLIB_DEVICE_MAX])
{
	int saved_errno = errno;

	if (atomic_load_explicit(&device_state, memory_order_acquire) ==
	    DEVICE_KNOWN) {
		strcpy(path, known_device);
		return 0;
	}
	errno = 0;
	if (read_attr("device", path) || !is_device(path))
		return pfmlib_fail(why_not_found());
	leave_device(path);
	errno = saved_errno;
	return 0;
}

int pfmlib_kernel(struct pfmlib_kernel *kernel)
{
	unsigned int known = atomic_load_explicit(&pfmlib_known_kernel,
						  memory_order_relaxed);

	if (!known) {
		int saved_errno = errno;

		errno = 0;
		known = find_kernel();
		if (!known)
			return pfmlib_fail(why_not_found());
		atomic_store_explicit(&pfmlib_known_kernel, known,
				      memory_order_relaxed);
		errno = saved_errno;
	}
	kernel->major = known & KNOWN_V2 ? 2 : 3;
	kernel->minor = (int)((known & ~KNOWN_V2) >> KNOWN_MINOR_SHIFT);
	kernel->base = (long)(known & PFMLIB_BASE_MAX);
	return 0;
}

long pfmlib_find_v3_base(void)
{
	struct pfmlib_kernel kernel;

	if (pfmlib_kernel(&kernel))
		return -1;
	if (kernel.major != 3)
		return pfmlib_fail(ENOSYS);
	return kernel.base;
}

void pfmlib_use_sysfs_dir(const char *dir)
{
	sysfs_dir = dir;
	atomic_store_explicit(&pfmlib_known_kernel, 0, memory_order_relaxed);
	atomic_store_explicit(&device_state, DEVICE_UNKNOWN,
			      memory_order_relaxed);
}

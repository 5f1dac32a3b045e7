// SPDX-License-Identifier: GPL-2.0-only
/*
 * crowd MODE ...: threads and processes whose instructions are known. It has no
 * C library, so that nothing but what is written here executes any. Each mode
 * runs a loop of twice ITERATIONS instructions in each of its members:
 *
 *	loop ITERATIONS			this process
 *	threads N ITERATIONS		N threads
 *	forks N ITERATIONS		N children, one after the other
 *	tree DEPTH WIDTH ITERATIONS	all of a tree of processes
 *	vexec N ITERATIONS		N children by vfork() and execve()
 *	texec ITERATIONS		a program that a second thread executes
 *	exec ITERATIONS			a program that this process executes
 *	again ITERATIONS		this process, which executes itself until it
 *					is traced
 *	orphan ITERATIONS		a grandchild that outlives this process
 *	survivor ITERATIONS		the same, and it stays
 *	gate N ITERATIONS IN OUT	N threads: each reads a byte from the FIFO
 *					IN, loops, and reads one from OUT
 *	headless N ITERATIONS IN	N threads of a process whose first has ended:
 *					each reads a byte from the FIFO IN and loops
 *	begin ITERATIONS		this process: once, and once more after it
 *					has started the session of PFMON_SESSION
 *	alarms N ITERATIONS		N threads that loop until each of ALARMS
 *					signals was handled: once, or else it exits
 *					with 95
 *	rights 0			exits with 0 if it has root's, else 96
 *	epoll MS			waits so long by epoll_wait(); exits with 96 if
 *					something ends that earlier
 *	noptrace PROGRAM ...		executes it where ptrace() is EPERM
 */

#include <linux/errno.h>
#include <linux/filter.h>
#include <perfmon_ioctl.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>

#include "loop.h"

/* The declarations are those of nolibc.h, see mk/nolibc.mk. */
#define MEMBERS_MAX 1024
#define STACK_BYTES 16384
#define FUTEX_WAIT 0
#define NR_START_SESSION 504

/* A signal each millisecond; what is not handled in 20 seconds is lost. */
#define ALARMS 300
#define PATIENCE 20000

/* Of <signal.h>, and how the kernel wants to be told of a handler. */
#define SA_FLAGS (0x04000000 | 4) /* SA_RESTORER, SA_SIGINFO */
struct action {
	void (*handler)(int signal);
	unsigned long flags;
	void (*restorer)(void);
	unsigned long long mask;
};

/* Of <linux/sched.h>: all is shared, and the number is cleared at the end. */
#define THREAD_FLAGS 0x310f00
#define VFORK_FLAGS (0x4100 | 17)

static unsigned long iterations;
static char *program, *digits;
/* Volatile: read by threads that the compiler does not see. */
static volatile int gate_in, gate_out;
static int ids[MEMBERS_MAX];

__attribute__((noinline)) static void loop(void)
{
	counted_loop(2 * iterations);
}

static void leave(void)
{
	my_syscall1(__NR_exit, 0);
	__builtin_unreachable();
}

static void pass(int gate)
{
	char byte;

	while (my_syscall3(__NR_read, gate, &byte, 1) != 1)
		;
}

/* What a thread executes; called from assembly. */
__attribute__((used)) void worker(void (*work)(void));
void worker(void (*work)(void))
{
	work();
	leave();
}

static void through_gate(void)
{
	pass(gate_in);
	loop();
	pass(gate_out);
}

static void execute_loop(void)
{
	char *const argv[] = { program, (char *)"loop", digits, NULL };

	my_syscall3(__NR_execve, program, argv, environ);
}

static void pause_for_ever(void)
{
	for (;;)
		my_syscall0(__NR_pause);
}

/* When the first thread waits for it, so that how far that has got is known. */
static void execute_loop_later(void)
{
	long moment[] = { 0, 50000000 };

	my_syscall2(__NR_nanosleep, moment, NULL);
	execute_loop();
}

static int is_traced(void)
{
	static const char name[] = "TracerPid:\t";
	static char text[4096];
	int status = open("/proc/self/status", O_RDONLY);

	if (status < 0 || my_syscall3(__NR_read, status, text, 4095) <= 0)
		return 1;
	for (const char *line = text; line; line = strchr(line + 1, '\n'))
		if (!memcmp(line + 1, name, sizeof(name) - 1))
			return line[sizeof(name)] != '0';
	return 1;
}

static void again(void)
{
	char *const argv[] = { program, (char *)"again", digits, NULL };

	if (!is_traced())
		my_syscall3(__NR_execve, program, argv, environ);
	loop();
}

/* Returns its number. */
static int start_thread(int number, void (*work)(void))
{
	static char stacks[MEMBERS_MAX][STACK_BYTES]
		__attribute__((aligned(16)));
	long *top = (long *)(stacks[number] + STACK_BYTES - 64);
	long ret;

	*top = (long)work;
#ifdef __x86_64__
	register long cleared __asm__("r10") = (long)&ids[number];

	__asm__ volatile("syscall; test %%rax, %%rax; jnz 1f;"
			 "pop %%rdi; call worker; 1:"
			 : "=a"(ret)
			 : "0"(__NR_clone), "D"(THREAD_FLAGS), "S"(top),
			   "d"(&ids[number]), "r"(cleared)
			 : "rcx", "r11", "memory");
#else
	__asm__ volatile("int $0x80; test %%eax, %%eax; jnz 1f;"
			 "call worker; 1:"
			 : "=a"(ret)
			 : "0"(__NR_clone), "b"(THREAD_FLAGS), "c"(top),
			   "d"(&ids[number]), "S"(0), "D"(&ids[number])
			 : "memory");
#endif
	if (ret < 0)
		exit(99);
	return (int)ret;
}

/*
 * Waits exactly once for the end of a thread: how often a condition would be
 * looked at is not known.
 */
static void join(int number, int id)
{
	my_syscall6(__NR_futex, &ids[number], FUTEX_WAIT, id, 0, 0, 0);
}

static void threads(int count, void (*work)(void))
{
	static int started[MEMBERS_MAX];

	for (int i = 0; i < count; i++)
		started[i] = start_thread(i, work);
	for (int i = 0; i < count; i++)
		join(i, started[i]);
}

static void loop_behind_gate(void)
{
	pass(gate_in);
	loop();
}

static void headless(int count)
{
	for (int i = 0; i < count; i++)
		start_thread(i, loop_behind_gate);
	leave();
}

/*
 * A traced process gets its SIGCHLD although nobody handles it. One that comes
 * while wait4() looks for a child, and has not found it yet, would let the call
 * begin anew: an instruction more.
 */
static void wait_for(int child)
{
	const unsigned long long mask = 1ull << (SIGCHLD - 1);

	my_syscall4(__NR_rt_sigprocmask, SIG_BLOCK, &mask, NULL, 8);
	my_syscall4(__NR_wait4, child, 0, 0, 0);
}

static int new_process(void)
{
	return (int)my_syscall5(__NR_clone, 17, 0, 0, 0, 0);
}

static void forks(int count)
{
	for (int i = 0; i < count; i++) {
		int child = new_process();

		if (!child) {
			loop();
			leave();
		}
		wait_for(child);
	}
}

static void tree(int depth, int width)
{
	for (int i = 0; depth && i < width; i++) {
		int child = new_process();

		if (!child) {
			tree(depth - 1, width);
			leave();
		}
		wait_for(child);
	}
	loop();
}

/* The child shares the stack, and leaves nothing there that matters. */
static void vexec(int count)
{
	for (int i = 0; i < count; i++) {
		int child =
			(int)my_syscall5(__NR_clone, VFORK_FLAGS, 0, 0, 0, 0);

		if (!child) {
			execute_loop();
			leave();
		}
		wait_for(child);
	}
}

static void loop_and_stay(void)
{
	loop();
	pause_for_ever();
}

static void orphan(void (*work)(void))
{
	int child = new_process();

	if (child) {
		wait_for(child);
		return;
	}
	if (!new_process())
		work();
	leave();
}

static volatile int handled, finished;

static void handle(int signal)
{
	(void)signal;
	__atomic_add_fetch(&handled, 1, __ATOMIC_SEQ_CST);
}

/* Where handlers return to. */
void leave_handler(void);
#ifdef __x86_64__
__asm__("leave_handler: mov $15, %eax; syscall");
#else
__asm__("leave_handler: mov $173, %eax; int $0x80");
#endif

static void loop_on(void)
{
	while (!finished)
		loop();
}

/* Until so many signals were handled. */
static void wait_handled(int count)
{
	long millisecond[] = { 0, 1000000 };

	for (int i = 0; handled < count && i < PATIENCE; i++)
		my_syscall2(__NR_nanosleep, millisecond, NULL);
}

/* Each is sent when the one before was handled, so that none may be left out. */
static int alarms(int count)
{
	const struct action action = { handle, SA_FLAGS, leave_handler, 0 };
	int members[MEMBERS_MAX];
	int process = getpid(), sent = 0;

	if (my_syscall4(__NR_rt_sigaction, SIGALRM, &action, NULL, 8))
		return 95;
	for (int i = 0; i < count; i++)
		members[i] = start_thread(i, loop_on);
	for (; handled == sent && sent < ALARMS; sent++) {
		if (my_syscall3(__NR_tgkill, process, members[sent % count],
				SIGALRM))
			break;
		wait_handled(sent + 1);
	}
	finished = 1;
	for (int i = 0; i < count; i++)
		join(i, members[i]);
	return sent == ALARMS && handled == ALARMS ? 0 : 95;
}

static int wait_by_epoll(int ms)
{
	long event[2];
	int fd = (int)my_syscall1(__NR_epoll_create1, 0);

	return my_syscall4(__NR_epoll_wait, fd, event, 1, ms) ? 96 : 0;
}

static int without_ptrace(char **argv)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0), /* the call's number */
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_ptrace, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog rules = { 4, filter };

	if (my_syscall5(__NR_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    my_syscall3(__NR_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER,
			&rules))
		return 94;
	my_syscall3(__NR_execve, argv[0], argv, environ);
	return 99;
}

static int number(const char *text)
{
	return atoi(text);
}

/* The number is known before: its registers are those of the call. */
static int begin(const char *session)
{
	int descriptor = session ? number(session) : -1;
	struct pfm_ioc_args args = { .flags = 0 };
	long ret = my_syscall2(NR_START_SESSION, descriptor, 0);

	/* A module has no system calls. */
	if (ret == -ENOSYS)
		ret = my_syscall3(__NR_ioctl, descriptor, PFM_IOC_START, &args);
	return descriptor < 0 || ret;
}

/* The word that says how often the loop turns. */
static char *find_digits(const char *mode, int argc, char **argv)
{
	if (!strcmp(mode, "loop") || !strcmp(mode, "texec") ||
	    !strcmp(mode, "exec") || !strcmp(mode, "orphan") ||
	    !strcmp(mode, "survivor") || !strcmp(mode, "again"))
		return argv[2];
	if (!strcmp(mode, "tree") && argc == 5)
		return argv[4];
	return argv[argc > 3 ? 3 : argc - 1];
}

int main(int argc, char **argv)
{
	const char *mode = argc > 2 ? argv[1] : "";

	program = argv[0];
	digits = find_digits(mode, argc, argv);
	iterations = (unsigned long)number(digits);
	if (!strcmp(mode, "loop")) {
		loop();
	} else if (!strcmp(mode, "orphan") || !strcmp(mode, "survivor")) {
		orphan(mode[0] == 's' ? loop_and_stay : loop);
	} else if (!strcmp(mode, "texec")) {
		start_thread(0, execute_loop_later);
		pause_for_ever();
	} else if (!strcmp(mode, "exec")) {
		execute_loop();
		return 99;
	} else if (!strcmp(mode, "again")) {
		again();
	} else if (!strcmp(mode, "threads")) {
		threads(number(argv[2]), loop);
	} else if (!strcmp(mode, "forks")) {
		forks(number(argv[2]));
	} else if (!strcmp(mode, "tree")) {
		tree(number(argv[2]), number(argv[3]));
	} else if (!strcmp(mode, "vexec")) {
		vexec(number(argv[2]));
	} else if (!strcmp(mode, "gate") && argc == 6) {
		gate_in = open(argv[4], O_RDWR);
		gate_out = open(argv[5], O_RDWR);
		threads(number(argv[2]), through_gate);
	} else if (!strcmp(mode, "headless") && argc == 5) {
		gate_in = open(argv[4], O_RDWR);
		headless(number(argv[2]));
	} else if (!strcmp(mode, "begin")) {
		loop();
		if (begin(getenv("PFMON_SESSION")))
			return 98;
		loop();
	} else if (!strcmp(mode, "alarms")) {
		return alarms(number(argv[2]));
	} else if (!strcmp(mode, "epoll")) {
		return wait_by_epoll(number(argv[2]));
	} else if (!strcmp(mode, "noptrace")) {
		return without_ptrace(argv + 2);
	} else if (!strcmp(mode, "rights")) {
		return my_syscall0(__NR_geteuid) ? 96 : 0;
	} else {
		return 97;
	}
	return 0;
}

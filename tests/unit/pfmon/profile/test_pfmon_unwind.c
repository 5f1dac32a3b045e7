// SPDX-License-Identifier: GPL-2.0-only
/*
 * Callers by copies of stacks: of programs that are stopped at a known place, compiled
 * in several ways, and of copies that nobody has made.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "array_size.h"
#include "profile/copies.h"
#include "profiled.h"
#include "samples.h"
#include "scratch_dir.h"
#include "views/verbs.h"

#define META                                                                   \
	"{\"version\":1,\"argv\":[],\"command\":[],\"host\":\"h\",\"kernel\":" \
	"\"6.12\",\"clock\":\"sched\",\"streams\":\"threads\",\"frames\":127," \
	"\"chains\":\"dwarf\",\"events\":[{\"id\":0,\"name\":"                 \
	"\"instructions\",\"native\":\"RETIRED_INSTRUCTIONS\",\"level\":"      \
	"\"user\",\"period\":997,\"pmd\":0,\"smpl_pmds\":[]}]}"

/* Each stops in hot50, which main has called in the way that its word says. */
static const char source[] =
	"#include <signal.h>\n"
	"#include <string.h>\n"
	"volatile int count;\n"
	"#define OWN __attribute__((noinline, noclone))\n"
	"OWN void hot50(void) { __asm__ volatile(\"int3\"); count++; }\n"
	"OWN void outer(void) { volatile char room[64]; room[count] = 0;\n"
	"	hot50(); count++; }\n"
	"OWN void recurse(int n) { if (n) recurse(n - 1); else hot50();\n"
	"	count++; }\n"
	"OWN void tail(void) { count++; hot50(); }\n"
	"OWN void handler(int n) { (void)n; hot50(); count++; }\n"
	"OWN void aligned(void) { __attribute__((aligned(64))) volatile\n"
	"	char room[64]; room[count] = 0; hot50(); count++; }\n"
	"OWN void large(void) { volatile char room[16384]; room[count] = 0;\n"
	"	hot50(); count++; room[1] = 0; }\n"
	"void faults(void);\n"
	"__asm__(\".type faults, @function\\n\"\n"
	"	\"nop\\nfaults: .cfi_startproc\\nud2\\nret\\n\"\n"
	"	\".cfi_endproc\\n.size faults, . - faults\\n\");\n"
	"int main(int argc, char **argv) {\n"
	"	const char *word = argv[argc - 1];\n"
	"	if (!strcmp(word, \"outer\")) outer();\n"
	"	if (!strcmp(word, \"recurse\")) recurse(9);\n"
	"	if (!strcmp(word, \"tail\")) tail();\n"
	"	if (!strcmp(word, \"aligned\")) aligned();\n"
	"	if (!strcmp(word, \"large\")) large();\n"
	"	if (!strcmp(word, \"signal\")) {\n"
	"		signal(SIGILL, handler);\n"
	"		faults();\n"
	"	}\n"
	"	return count; }\n";

static const char *const ways[] = {
	"-O2 -fomit-frame-pointer",
	"-O2 -fno-omit-frame-pointer",
	"-O0",
	"-O2 -fomit-frame-pointer -static",
	"-O2 -fomit-frame-pointer -no-pie",
	"-O2 -fomit-frame-pointer -static-pie",
};

/* From main on, as folded lines have them. */
static const struct {
	const char *word, *chain;
} expected[] = {
	{ "outer", "main;outer;hot50 1\n" },
	{ "recurse", "main;recurse;recurse;recurse;recurse;recurse;recurse;"
		     "recurse;recurse;recurse;recurse;hot50 1\n" },
	{ "aligned", "main;aligned;hot50 1\n" },
	{ "signal", "handler;hot50 1\n" },
};

static char *directory;

static int set_up(void **state)
{
	(void)state;
	directory = scratch_make();
	scratch_write(directory, "stop.c", source);
	for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
		char *command;

		assert_true(asprintf(&command, "cc %s -o stop%zu stop.c",
				     ways[i], i) > 0);
		profiled_shell(directory, command);
		free(command);
	}
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	scratch_remove(directory);
	return 0;
}

/* Starts a program and lets it run to its breakpoint. */
static pid_t stop(const char *program, const char *word)
{
	int status, stops = 0;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (!pid) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		execl(program, program, word, NULL);
		_exit(127);
	}
	/* The first is exec's. */
	while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status)) {
		long signal = WSTOPSIG(status);

		if (signal == SIGTRAP && stops++)
			return pid;
		ptrace(PTRACE_CONT, pid, NULL, signal == SIGTRAP ? 0 : signal);
	}
	fail_msg("%s %s did not stop", program, word);
	return -1;
}

static void kill_stopped(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void write_maps(struct writer *writer, pid_t pid)
{
	char *name, line[4096];
	FILE *maps;

	assert_true(asprintf(&name, "/proc/%d/maps", pid) > 0);
	maps = fopen(name, "re");
	free(name);
	assert_non_null(maps);
	while (fgets(line, sizeof(line), maps)) {
		unsigned long begin, end, offset;
		char rights[5], path[2048] = "";

		assert_true(sscanf(line, "%lx-%lx %4s %lx %*s %*s %2047[^\n]",
				   &begin, &end, rights, &offset, path) >= 4);
		if (rights[2] == 'x')
			samples_map(writer, 2, (uint32_t)pid, begin,
				    end - begin, offset, path, NULL);
	}
	fclose(maps);
}

/* An entry as the kernel writes it. */
struct copied {
	struct pfm_stacks_smpl_entry entry;
	uint64_t ip;
	struct pfm_stacks_smpl_copy copy;
	uint8_t stack[PFM_STACKS_SMPL_BYTES];
};

static struct copied copied; /* too large for a stack */

static void take_copy(pid_t pid, uint32_t bytes)
{
	struct user_regs_struct regs;
	struct iovec local = { copied.stack, bytes };
	struct iovec remote;
	ssize_t got;

	assert_int_equal(ptrace(PTRACE_GETREGS, pid, NULL, &regs), 0);
	remote = (struct iovec){ (void *)regs.rsp, bytes };
	got = process_vm_readv(pid, &local, 1, &remote, 1, 0);
	assert_true(got > 0);
	copied = (struct copied){
		.entry = { .pid = (uint32_t)pid,
			   .tgid = (uint32_t)pid,
			   .last_reset_val = (uint64_t)-997,
			   .ip = regs.rip,
			   .tstamp = 5,
			   .nr = 1,
			   .flags = PFM_STACKS_SMPL_COPY },
		.ip = regs.rip,
		.copy = { .regs = { regs.rax, regs.rdx, regs.rcx, regs.rbx,
				    regs.rsi, regs.rdi, regs.rbp, regs.rsp,
				    regs.r8, regs.r9, regs.r10, regs.r11,
				    regs.r12, regs.r13, regs.r14, regs.r15,
				    regs.rip },
			  .bytes = (uint32_t)got / 8 * 8 },
	};
	got = process_vm_readv(pid, &local, 1, &remote, 1, 0);
	copied.entry.size =
		(uint16_t)(offsetof(struct copied, stack) + copied.copy.bytes);
}

/* As pfmon record goes on: with what it was told has been written. */
static void end_file(const char *path, const struct copies_state *state)
{
	struct writer writer = { .fd = open(path, O_WRONLY | O_APPEND),
				 .bytes = state->bytes,
				 .crc = state->crc,
				 .samples = 1 };

	assert_true(writer.fd >= 0);
	assert_int_equal(writer_end(&writer), 0);
	close(writer.fd);
}

/* Runs the program that unwinds: what was written goes in, and pfmon.data comes out. */
static void unwind(struct writer *writer, const struct copied *entry)
{
	struct pfmd_samples about = { .stream = entry->entry.pid };
	struct iovec parts[] = { { &about, sizeof(about) },
				 { (void *)(uintptr_t)entry,
				   entry->entry.size } };
	struct copies_state state[2];
	char *path;
	int status, ends[2];
	pid_t pid;

	writer_chunk(writer, (enum pfmd_type)COPIES_CHUNK, parts, 2);
	samples_store(writer, directory);
	assert_int_equal(pipe(ends), 0);
	assert_true(asprintf(&path, "%s/pfmon.data", directory) > 0);
	fflush(NULL);
	pid = fork();
	if (!pid) {
		char number[16], *words[] = { "unwind", number, "0", NULL };

		snprintf(number, sizeof(number), "%d", ends[1]);
		if (!freopen(path, "re", stdin) || unlink(path) ||
		    !freopen(path, "we", stdout))
			_exit(99);
		_exit(verb_unwind(3, words));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(read(ends[0], state, sizeof(state)), sizeof(state));
	assert_int_equal(state[0].bytes, 0);
	assert_int_equal(state[1].error, 0);
	close(ends[0]);
	close(ends[1]);
	end_file(path, &state[1]);
	free(path);
}

/* The folded line of a program that stopped, of so many bytes of its stack. */
static char *chain_of(size_t way, const char *word, uint32_t bytes)
{
	struct writer writer;
	char *program;
	pid_t pid;

	assert_true(asprintf(&program, "%s/stop%zu", directory, way) > 0);
	pid = stop(program, word);
	samples_begin(&writer, META);
	write_maps(&writer, pid);
	take_copy(pid, bytes);
	unwind(&writer, &copied);
	kill_stopped(pid);
	free(program);
	return profiled_run(directory, verb_export,
			    (const char *const[]){ "folded", NULL }, NULL);
}

/* The chain ends so; and where it has a signal, it goes on to main. */
static void expect_chain(size_t way, const char *word, const char *end)
{
	char *text = chain_of(way, word, 8192);
	size_t length = strlen(text), wanted = strlen(end);

	if (length < wanted || strcmp(text + length - wanted, end) != 0)
		fail_msg("%s, %s: %s", ways[way], word, text);
	if (!strcmp(word, "signal") && !strstr(text, ";main;faults;"))
		fail_msg("%s, %s: %s", ways[way], word, text);
	/* What has called main is there, too: the chain is whole. */
	if (!strstr(text, "_start"))
		fail_msg("%s, %s: %s", ways[way], word, text);
	free(text);
}

static void chains_are_whole_however_a_program_was_compiled(void **state)
{
	(void)state;
	for (size_t way = 0; way < ARRAY_SIZE(ways); way++) {
		for (size_t i = 0; i < ARRAY_SIZE(expected); i++)
			expect_chain(way, expected[i].word, expected[i].chain);
	}
}

static void who_has_called_last_of_all_is_not_there(void **state)
{
	(void)state;
	expect_chain(0, "tail", ";main;hot50 1\n");
}

static void expect_script(const char *text)
{
	char *script = profiled_run(directory, verb_script,
				    (const char *const[]){ NULL }, NULL);

	if (text)
		assert_non_null(strstr(script, text));
	else
		assert_null(strstr(script, "[broken]"));
	free(script);
}

static void a_chain_ends_where_the_copy_does(void **state)
{
	char *text;

	(void)state;
	text = chain_of(0, "large", 8192);
	assert_string_equal(strrchr(text, ';'), ";hot50 1\n");
	assert_non_null(strstr(text, ";large;hot50"));
	assert_null(strstr(text, "main"));
	free(text);
	expect_script(NULL);
	text = chain_of(0, "large", 32768);
	assert_non_null(strstr(text, ";main;large;hot50"));
	free(text);
}

/* What the copy has at this word of its stack. */
static uint64_t *word_of(size_t i)
{
	return (uint64_t *)(void *)(copied.stack + 8 * i);
}

/* The same with another copy, of the same process. */
static char *chain_with(void (*change)(void))
{
	struct writer writer;
	char *program;
	pid_t pid;

	assert_true(asprintf(&program, "%s/stop0", directory) > 0);
	pid = stop(program, "outer");
	samples_begin(&writer, META);
	write_maps(&writer, pid);
	take_copy(pid, 8192);
	change();
	unwind(&writer, &copied);
	kill_stopped(pid);
	free(program);
	return profiled_run(directory, verb_export,
			    (const char *const[]){ "folded", NULL }, NULL);
}

static void no_copy(void)
{
	copied.copy.bytes = 0;
	copied.entry.size = offsetof(struct copied, stack);
}

static void rubbish(void)
{
	for (size_t i = 0; i < 1024; i++)
		*word_of(i) = 0x0101010101010101 * (i + 1);
}

static void inside_of_functions(void)
{
	for (size_t i = 0; i < 1024; i++)
		*word_of(i) = copied.ip;
}

static void one_word(void)
{
	copied.copy.bytes = 8;
	copied.entry.size = offsetof(struct copied, stack) + 8;
	*word_of(0) = copied.ip;
}

static void stack_at_the_end(void)
{
	copied.copy.regs[7] = (uint64_t)-8;
}

static void nowhere(void)
{
	copied.copy.regs[16] = 0x1234;
	copied.ip = 0x1234;
}

static void what_copies_have_is_not_trusted(void **state)
{
	static void (*const changes[])(
		void) = { no_copy,  rubbish,	      inside_of_functions,
			  one_word, stack_at_the_end, nowhere };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(changes); i++) {
		char *text = chain_with(changes[i]);

		/* The sample is there, alone. */
		if (strchr(text, ';') != strrchr(text, ';'))
			fail_msg("%zu: %s", i, text);
		free(text);
	}
	expect_script("\t[broken]\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			chains_are_whole_however_a_program_was_compiled),
		cmocka_unit_test(who_has_called_last_of_all_is_not_there),
		cmocka_unit_test(a_chain_ends_where_the_copy_does),
		cmocka_unit_test(what_copies_have_is_not_trusted),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}

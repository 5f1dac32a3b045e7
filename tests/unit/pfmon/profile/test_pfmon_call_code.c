// SPDX-License-Identifier: GPL-2.0-only
/* Which bytes are a call that ends where they do: all forms of x86, and others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "array_size.h"
#include "symbols/call_code.h"

struct code {
	const char *text;
	uint8_t size, bytes[10];
};

/* As the assembler writes them, without prefixes; some with one. */
static const struct code calls[] = {
	{ "call 0x12345", 5, { 0xe8, 0x40, 0x23, 1, 0 } },
	{ "data16 rex.W call", 8, { 0x66, 0x66, 0x48, 0xe8, 1, 2, 3, 4 } },
	{ "call *%rax", 2, { 0xff, 0xd0 } },
	{ "call *%r15", 3, { 0x41, 0xff, 0xd7 } },
	{ "call *(%rax)", 2, { 0xff, 0x10 } },
	{ "call *(%r12)", 4, { 0x41, 0xff, 0x14, 0x24 } },
	{ "call *(%rax,%rbx,8)", 3, { 0xff, 0x14, 0xd8 } },
	{ "call *0x8(%rdi)", 3, { 0xff, 0x57, 8 } },
	{ "call *0x8(%rsp)", 4, { 0xff, 0x54, 0x24, 8 } },
	{ "call *0x100(%rbx)", 6, { 0xff, 0x93, 0, 1, 0, 0 } },
	{ "call *0x100(%rsp)", 7, { 0xff, 0x94, 0x24, 0, 1, 0, 0 } },
	{ "call *0x100(%rip)", 6, { 0xff, 0x15, 0, 1, 0, 0 } },
	{ "call *0x100(,%rax,8)", 7, { 0xff, 0x14, 0xc5, 0, 1, 0, 0 } },
	{ "call *0x100(%rbp,%rax,8)", 7, { 0xff, 0x94, 0xc5, 0, 1, 0, 0 } },
	{ "lcall *(%rax)", 2, { 0xff, 0x18 } },
	{ "lcall *0x8(%rsp)", 4, { 0xff, 0x5c, 0x24, 8 } },
};

static const struct code others[] = {
	{ "nop", 1, { 0x90 } },
	{ "ret", 1, { 0xc3 } },
	{ "padding", 7, { 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc } },
	{ "zeros", 7, { 0 } },
	{ "dec %eax", 2, { 0xff, 0xc8 } },
	{ "jmp *%rax", 2, { 0xff, 0xe0 } },
	{ "push (%rax)", 2, { 0xff, 0x30 } },
	{ "far, of a register, which there is not", 2, { 0xff, 0xd8 } },
	{ "jmp 0x12345", 5, { 0xe9, 0x40, 0x23, 1, 0 } },
	{ "call, and a byte", 6, { 0xe8, 0x40, 0x23, 1, 0, 0 } },
	{ "nopw 0(%rax,%rax)", 6, { 0x66, 0x0f, 0x1f, 0x44, 0, 0 } },
	{ "call that began before", 4, { 0x40, 0x23, 1, 0 } },
	{ "call *0x8(%rdi), cut", 2, { 0xff, 0x57 } },
	{ "far of 32-bit programs", 7, { 0x9a, 1, 2, 3, 4, 0x23, 0 } },
};

static void each_form_of_a_call_is_known(void **state)
{
	int32_t direct;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		/* Behind bytes that are nothing. */
		uint8_t bytes[20] = { 0 };
		size_t size = 10u + calls[i].size;

		memcpy(bytes + 10, calls[i].bytes, calls[i].size);
		if (!call_code_before(bytes, size, 64, &direct) ||
		    !call_code_before(bytes + 10, calls[i].size, 32, &direct))
			fail_msg("%s", calls[i].text);
	}
}

static void what_is_no_call_is_none(void **state)
{
	int32_t direct;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		if (call_code_before(others[i].bytes, others[i].size, 64,
				     &direct))
			fail_msg("%s", others[i].text);
	}
	assert_false(call_code_before(others[0].bytes, 0, 64, &direct));
}

static void programs_of_32_bits_have_one_more(void **state)
{
	const struct code *far = &others[ARRAY_SIZE(others) - 1];
	int32_t direct;

	(void)state;
	assert_true(call_code_before(far->bytes, far->size, 32, &direct));
}

static void a_direct_call_tells_where_it_goes(void **state)
{
	static const uint8_t back[] = { 0xe8, 0xf0, 0xff, 0xff, 0xff };
	static const uint8_t indirect[] = { 0xff, 0xd0 };
	int32_t direct;

	(void)state;
	assert_true(call_code_before(back, sizeof(back), 64, &direct));
	assert_int_equal(direct, -16);
	assert_true(call_code_before(indirect, sizeof(indirect), 64, &direct));
	assert_int_equal(direct, 0);
}

static void signal_handlers_return_to_their_trampoline(void **state)
{
	static const struct code known[] = {
		{ "x86_64", 9, { 0x48, 0xc7, 0xc0, 15, 0, 0, 0, 0x0f, 5 } },
		{ "musl", 7, { 0xb8, 15, 0, 0, 0, 0x0f, 5 } },
		{ "sigreturn", 8, { 0x58, 0xb8, 119, 0, 0, 0, 0xcd, 0x80 } },
		{ "rt_sigreturn", 7, { 0xb8, 173, 0, 0, 0, 0xcd, 0x80 } },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		assert_true(call_code_is_signal(known[i].bytes, known[i].size));
		assert_false(call_code_is_signal(known[i].bytes,
						 known[i].size - 1u));
		assert_false(call_code_is_signal(known[i].bytes + 1,
						 known[i].size - 2u));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_form_of_a_call_is_known),
		cmocka_unit_test(what_is_no_call_is_none),
		cmocka_unit_test(programs_of_32_bits_have_one_more),
		cmocka_unit_test(a_direct_call_tells_where_it_goes),
		cmocka_unit_test(signal_handlers_return_to_their_trampoline),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

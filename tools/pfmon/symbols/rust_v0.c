// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of today's compilers of Rust ("v0"), see rust.h: read as the grammar of
 * Rust's RFC 2603 has it, one function for each of its rules. Hashes and lifetimes are
 * left away. A name is data of a file: depth and length of what it becomes are
 * limited, and whatever is not of the grammar is shown as it is.
 */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/rust.h"

#define DEPTH_MAX 100
#define SHOWN_MAX 4096

struct reader {
	const char *text; /* behind "_R" */
	size_t at, size;
	char shown[SHOWN_MAX];
	size_t used;
	int depth;
	int silent; /* what is read is not shown */
	bool failed;
};

static void read_path(struct reader *r, bool in_value);
static void read_type(struct reader *r);

static void put(struct reader *r, const char *text, size_t size)
{
	if (r->silent || r->failed)
		return;
	if (size >= SHOWN_MAX - r->used) {
		r->failed = true;
		return;
	}
	memcpy(r->shown + r->used, text, size);
	r->used += size;
}

static void puts_of(struct reader *r, const char *text)
{
	put(r, text, strlen(text));
}

static char peek(const struct reader *r)
{
	return r->at < r->size && !r->failed ? r->text[r->at] : '\0';
}

static char take(struct reader *r)
{
	char c = peek(r);

	if (c)
		r->at++;
	else
		r->failed = true;
	return c;
}

static bool take_if(struct reader *r, char c)
{
	if (peek(r) != c)
		return false;
	r->at++;
	return true;
}

/* Digits and "_": "_" is 0, "0_" is 1. */
static uint64_t base62(struct reader *r)
{
	uint64_t value = 0;

	if (take_if(r, '_'))
		return 0;
	for (;;) {
		char c = take(r);

		if (c == '_' || r->failed)
			return value + 1;
		if (value > UINT64_MAX / 64)
			r->failed = true;
		value *= 62;
		if (isdigit((unsigned char)c))
			value += (uint64_t)(c - '0');
		else if (islower((unsigned char)c))
			value += (uint64_t)(c - 'a') + 10;
		else if (isupper((unsigned char)c))
			value += (uint64_t)(c - 'A') + 36;
		else
			r->failed = true;
	}
}

static void identifier(struct reader *r)
{
	bool punycode;
	size_t length = 0;

	if (take_if(r, 's'))
		base62(r);
	punycode = take_if(r, 'u');
	if (!isdigit((unsigned char)peek(r)))
		r->failed = true;
	/* No number begins with 0, so "00" are two. */
	if (!take_if(r, '0')) {
		while (isdigit((unsigned char)peek(r)) && length < r->size)
			length = length * 10 + (size_t)(take(r) - '0');
	}
	take_if(r, '_');
	if (r->failed || length > r->size - r->at) {
		r->failed = true;
		return;
	}
	if (punycode)
		puts_of(r, "punycode{");
	put(r, r->text + r->at, length);
	if (punycode)
		puts_of(r, "}");
	r->at += length;
}

/* What was read before is read again, from an earlier place. */
static void again(struct reader *r, void (*read)(struct reader *r))
{
	size_t start = r->at - 1, back, target = base62(r);

	back = r->at;
	if (r->failed || target >= start) {
		r->failed = true;
		return;
	}
	if (r->silent)
		return;
	r->at = target;
	read(r);
	r->at = back;
}

static void lifetime(struct reader *r)
{
	if (take_if(r, 'L'))
		base62(r);
}

/* What is in a list, up to "E". */
static void list(struct reader *r, void (*read)(struct reader *r))
{
	for (int i = 0; !r->failed && !take_if(r, 'E'); i++) {
		if (i)
			puts_of(r, ", ");
		read(r);
	}
}

static void constant(struct reader *r)
{
	char type = take(r);
	const char *digits;
	size_t start, size;

	if (type == 'B') {
		again(r, constant);
		return;
	}
	if (type == 'p') {
		puts_of(r, "_");
		return;
	}
	if (take_if(r, 'n'))
		puts_of(r, "-");
	start = r->at;
	while (isxdigit((unsigned char)peek(r)))
		r->at++;
	digits = r->text + start;
	size = r->at - start;
	if (!take_if(r, '_') || !islower((unsigned char)type))
		r->failed = true;
	if (type == 'b') {
		puts_of(r, size == 1 && *digits == '1' ? "true" : "false");
	} else if (size <= 16) {
		char number[32];

		snprintf(number, sizeof(number), "%llu",
			 strtoull(digits, NULL, 16));
		puts_of(r, size ? number : "0");
	} else {
		puts_of(r, "0x");
		put(r, digits, size);
	}
}

static void generic(struct reader *r)
{
	if (peek(r) == 'L') {
		lifetime(r);
		puts_of(r, "'_");
	} else if (take_if(r, 'K')) {
		constant(r);
	} else {
		read_type(r);
	}
}

static void plain_path(struct reader *r)
{
	read_path(r, false);
}

static void value_path(struct reader *r)
{
	read_path(r, true);
}

/* Where an implementation is; nobody wants to read it. */
static void implementation(struct reader *r)
{
	if (take_if(r, 's'))
		base62(r);
	r->silent++;
	read_path(r, false);
	r->silent--;
}

/* "{closure#0}", "{shim:name#1}": what has no name of its own. */
static void nameless(struct reader *r, char space)
{
	unsigned long long number = 0;
	char text[32];

	puts_of(r, space == 'C' ? "{closure" : space == 'S' ? "{shim" : "{");
	if (take_if(r, 's'))
		number = base62(r) + 1;
	if (peek(r) != '0')
		puts_of(r, ":");
	identifier(r);
	snprintf(text, sizeof(text), "#%llu}", number);
	puts_of(r, text);
}

static void nested(struct reader *r, bool in_value)
{
	char space = take(r);

	read_path(r, in_value);
	puts_of(r, "::");
	if (isupper((unsigned char)space))
		nameless(r, space);
	else
		identifier(r);
}

static void read_path(struct reader *r, bool in_value)
{
	if (++r->depth > DEPTH_MAX)
		r->failed = true;
	switch (take(r)) {
	case 'C':
		identifier(r);
		break;
	case 'N':
		nested(r, in_value);
		break;
	case 'M':
		implementation(r);
		puts_of(r, "<");
		read_type(r);
		puts_of(r, ">");
		break;
	case 'X':
		implementation(r);
		/* fall through */
	case 'Y':
		puts_of(r, "<");
		read_type(r);
		puts_of(r, " as ");
		read_path(r, false);
		puts_of(r, ">");
		break;
	case 'I':
		read_path(r, in_value);
		puts_of(r, in_value ? "::<" : "<");
		list(r, generic);
		puts_of(r, ">");
		break;
	case 'B':
		again(r, in_value ? value_path : plain_path);
		break;
	default:
		r->failed = true;
	}
	r->depth--;
}

static const char *basic_type(char c)
{
	static const char *const names[26] = {
		"i8",	"bool",	 "char",  "f64", "str", "f32", "",
		"u8",	"isize", "usize", "",	 "i32", "u32", "i128",
		"u128", "_",	 "",	  "",	 "i16", "u16", "()",
		"...",	"",	 "i64",	  "u64", "!",
	};

	return islower((unsigned char)c) ? names[c - 'a'] : "";
}

static void function_type(struct reader *r)
{
	if (take_if(r, 'G'))
		base62(r);
	if (take_if(r, 'U'))
		puts_of(r, "unsafe ");
	if (take_if(r, 'K')) {
		puts_of(r, "extern ");
		if (take_if(r, 'C'))
			puts_of(r, "\"C\"");
		else
			identifier(r);
		puts_of(r, " ");
	}
	puts_of(r, "fn(");
	list(r, read_type);
	puts_of(r, ")");
	if (take_if(r, 'u'))
		return;
	puts_of(r, " -> ");
	read_type(r);
}

static void bound(struct reader *r)
{
	read_path(r, false);
	while (take_if(r, 'p')) {
		puts_of(r, "<");
		identifier(r);
		puts_of(r, " = ");
		read_type(r);
		puts_of(r, ">");
	}
}

static void dynamic_type(struct reader *r)
{
	puts_of(r, "dyn ");
	if (take_if(r, 'G'))
		base62(r);
	for (int i = 0; !r->failed && !take_if(r, 'E'); i++) {
		if (i)
			puts_of(r, " + ");
		bound(r);
	}
	lifetime(r);
}

static void compound_type(struct reader *r, char c)
{
	switch (c) {
	case 'A':
	case 'S':
		puts_of(r, "[");
		read_type(r);
		if (c == 'A') {
			puts_of(r, "; ");
			constant(r);
		}
		puts_of(r, "]");
		break;
	case 'T':
		puts_of(r, "(");
		list(r, read_type);
		puts_of(r, ")");
		break;
	case 'R':
	case 'Q':
		lifetime(r);
		puts_of(r, c == 'R' ? "&" : "&mut ");
		read_type(r);
		break;
	case 'P':
	case 'O':
		puts_of(r, c == 'P' ? "*const " : "*mut ");
		read_type(r);
		break;
	case 'F':
		function_type(r);
		break;
	case 'D':
		dynamic_type(r);
		break;
	case 'B':
		again(r, read_type);
		break;
	default:
		r->at--;
		read_path(r, false);
	}
}

static void read_type(struct reader *r)
{
	char c = take(r);
	const char *basic = basic_type(c);

	if (++r->depth > DEPTH_MAX)
		r->failed = true;
	if (*basic)
		puts_of(r, basic);
	else if (!r->failed)
		compound_type(r, c);
	r->depth--;
}

char *rust_demangle(const char *name)
{
	struct reader *r = calloc(1, sizeof(*r));
	char *shown = NULL;

	if (!r)
		return NULL;
	r->text = name + 2;
	/* Compilers add words behind a dot or a dollar sign. */
	r->size = strcspn(r->text, ".$");
	read_path(r, true);
	if (!r->failed && r->used)
		shown = strndup(r->shown, r->used);
	free(r);
	return shown;
}

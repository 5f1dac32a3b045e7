// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of older compilers of Rust, see rust.h: parts with their lengths, as in C++,
 * where characters that C++ has none for are words between dollar signs. The hash at
 * the end is left away.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/rust.h"

#define HASH_SIZE 19 /* "17h" and 16 digits */

bool rust_is_legacy(const char *name)
{
	size_t length = strlen(name);
	const char *hash;

	if (strncmp(name, "_ZN", 3) != 0 || length < HASH_SIZE + 5 ||
	    name[length - 1] != 'E')
		return false;
	hash = name + length - 1 - HASH_SIZE;
	return !strncmp(hash, "17h", 3) &&
	       strspn(hash + 3, "0123456789abcdef") == HASH_SIZE - 3;
}

/* A word between dollar signs. Returns how much of the text it is, 0: none. */
static size_t put_word(const char *text, size_t length, char **out)
{
	static const struct {
		const char *word, *shown;
	} words[] = {
		{ "$SP$", "@" }, { "$BP$", "*" }, { "$RF$", "&" },
		{ "$LT$", "<" }, { "$GT$", ">" }, { "$LP$", "(" },
		{ "$RP$", ")" }, { "$C$", "," },
	};
	unsigned long code;
	char *end;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		size_t size = strlen(words[i].word);

		if (length < size || strncmp(text, words[i].word, size) != 0)
			continue;
		*(*out)++ = *words[i].shown;
		return size;
	}
	if (length < 4 || text[1] != 'u' || !isxdigit((unsigned char)text[2]))
		return 0;
	code = strtoul(text + 2, &end, 16);
	if (*end != '$' || code < ' ' || code > '~')
		return 0;
	*(*out)++ = (char)code;
	return (size_t)(end + 1 - text);
}

static void put_part(const char *text, size_t length, char **out)
{
	size_t i = 0;

	/* A mark that keeps the part from beginning with a dollar sign. */
	if (length > 1 && text[0] == '_' && text[1] == '$')
		i = 1;
	while (i < length) {
		size_t word = text[i] == '$' ?
				      put_word(text + i, length - i, out) :
				      0;

		if (word) {
			i += word;
		} else if (length - i > 1 && text[i] == '.' &&
			   text[i + 1] == '.') {
			*(*out)++ = ':';
			*(*out)++ = ':';
			i += 2;
		} else {
			*(*out)++ = text[i++];
		}
	}
}

char *rust_demangle_legacy(const char *name)
{
	const char *end = name + strlen(name) - 1 - HASH_SIZE;
	char *shown = malloc(2 * strlen(name) + 1);
	char *out = shown;

	if (!shown)
		return NULL;
	for (const char *c = name + 3; c < end;) {
		char *text;
		unsigned long length = strtoul(c, &text, 10);

		if (text == c || length > (size_t)(end - text)) {
			free(shown);
			return NULL;
		}
		if (out > shown) {
			*out++ = ':';
			*out++ = ':';
		}
		put_part(text, length, &out);
		c = text + length;
	}
	*out = '\0';
	return shown;
}

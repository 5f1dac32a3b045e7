// SPDX-License-Identifier: GPL-2.0-only
/* Strings of JSON, see json_text.h. */
#include "report/json_text.h"

#include <stdlib.h>
#include <string.h>

/* Length of the valid UTF-8 sequence that text begins with; 0 if it is none. */
static size_t utf8_length(const unsigned char *text)
{
	unsigned int code;
	size_t len;

	if (text[0] < 0x80)
		return 1;
	if (text[0] < 0xc2 || text[0] > 0xf4)
		return 0;
	len = text[0] < 0xe0 ? 2 : text[0] < 0xf0 ? 3 : 4;
	code = text[0] & (0xffu >> (len + 1));
	for (size_t i = 1; i < len; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (text[i] & 0x3f);
	}
	/* Overlong forms, surrogates, and what is beyond Unicode. */
	if ((len == 3 && code < 0x800) || (len == 4 && code < 0x10000) ||
	    (code >= 0xd800 && code < 0xe000) || code > 0x10ffff)
		return 0;
	return len;
}

struct json_object *json_text(const char *text)
{
	static const char replacement[] = "\xef\xbf\xbd";
	struct json_object *object = NULL;
	char *valid = malloc(3 * strlen(text) + 1);
	char *end = valid;

	if (!valid)
		return NULL;
	while (*text) {
		size_t len = utf8_length((const unsigned char *)text);
		const char *source = len ? text : replacement;
		size_t written = len ? len : sizeof(replacement) - 1;

		memcpy(end, source, written);
		end += written;
		text += len ? len : 1;
	}
	object = json_object_new_string_len(valid, (int)(end - valid));
	free(valid);
	return object;
}

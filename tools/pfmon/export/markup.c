// SPDX-License-Identifier: GPL-2.0-only
/* Text in XML, HTML and JSON, see markup.h. */
#include "export/markup.h"

#include <stdint.h>
#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd"

/* How many bytes the character at text has; 0: it is none of UTF-8. */
static size_t character(const unsigned char *text)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t size = *text < 0x80	     ? 1 :
		      (*text & 0xe0) == 0xc0 ? 2 :
		      (*text & 0xf0) == 0xe0 ? 3 :
		      (*text & 0xf8) == 0xf0 ? 4 :
					       0;
	uint32_t code = size == 1 ? *text : *text & (0x7fU >> size);

	for (size_t i = 1; i < size; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (text[i] & 0x3fU);
	}
	if (!size || code < least[size] || code > 0x10ffff ||
	    (code >= 0xd800 && code < 0xe000) || code == 0xfffe ||
	    code == 0xffff)
		return 0;
	return size;
}

static const char *entity(char c)
{
	switch (c) {
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '&':
		return "&amp;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

void markup_text(const char *text, FILE *out)
{
	while (*text) {
		size_t size = character((const unsigned char *)text);
		const char *written = entity(*text);

		if (written)
			fputs(written, out);
		else if (!size || (size == 1 && (*text < ' ' || *text == 127)))
			fputs(REPLACEMENT, out);
		else
			fwrite(text, 1, size, out);
		text += size ? size : 1;
	}
}

void markup_json(const char *text, FILE *out)
{
	fputc('"', out);
	while (*text) {
		size_t size = character((const unsigned char *)text);

		if (!size)
			fputs(REPLACEMENT, out);
		else if (size == 1 &&
			 (*text < ' ' || strchr("\"\\<>&'\x7f", *text)))
			fprintf(out, "\\u%04x", (unsigned int)*text);
		else
			fwrite(text, 1, size, out);
		text += size ? size : 1;
	}
	fputc('"', out);
}

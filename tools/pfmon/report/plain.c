// SPDX-License-Identifier: GPL-2.0-only
/* Names without control characters, see plain.h. */
#include "report/plain.h"

#include <ctype.h>

/* Bytes of UTF-8 are none in any locale. */
static char plain_character(char c)
{
	return (unsigned char)c < 0x80 && iscntrl((unsigned char)c) ? '?' : c;
}

char *plain(const char *name, char *copy, size_t size)
{
	size_t length = 0;

	for (; *name && length + 1 < size; name++)
		copy[length++] = plain_character(*name);
	copy[length] = '\0';
	return copy;
}

void plain_write(const char *name, int width, FILE *out)
{
	const char *end = name;

	while (*end && plain_character(*end) == *end)
		end++;
	fwrite(name, 1, (size_t)(end - name), out);
	width -= (int)(end - name);
	for (; *end; end++, width--)
		fputc(plain_character(*end), out);
	if (width > 0)
		fprintf(out, "%*s", width, "");
}

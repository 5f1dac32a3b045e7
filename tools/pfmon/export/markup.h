/* SPDX-License-Identifier: GPL-2.0-only */
/* Text in XML, HTML and JSON: names come from files that anybody can make. */
#ifndef PFMON_MARKUP_H
#define PFMON_MARKUP_H

#include <stdio.h>

/*
 * Writes text as the content or an attribute of XML and HTML. What is not UTF-8 or
 * not allowed there becomes U+FFFD.
 */
void markup_text(const char *text, FILE *out);

/* Writes a string of JSON, with its quotes; safe inside of a script of HTML. */
void markup_json(const char *text, FILE *out);

#endif /* PFMON_MARKUP_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/* Strings of JSON. */
#ifndef PFMON_JSON_TEXT_H
#define PFMON_JSON_TEXT_H

#include <json-c/json.h>

/*
 * JSON text has to be valid UTF-8, the arguments of a command need not: bytes
 * that are not become U+FFFD. NULL without memory.
 */
struct json_object *json_text(const char *text);

#endif /* PFMON_JSON_TEXT_H */

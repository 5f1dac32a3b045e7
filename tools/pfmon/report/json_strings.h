/* SPDX-License-Identifier: GPL-2.0-only */
/* Counts of JSON as strings. */
#ifndef PFMON_JSON_STRINGS_H
#define PFMON_JSON_STRINGS_H

#include <json-c/json.h>
#include <stdbool.h>

/* Makes the counts in an object, and in what it has inside, strings. */
void json_strings(struct json_object *object);

#endif /* PFMON_JSON_STRINGS_H */

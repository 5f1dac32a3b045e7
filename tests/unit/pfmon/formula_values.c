// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints the value of each formula of the standard input, one a line, for
 * checks/formula_values.py. A name has a value that is made of its letters.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metrics/formula.h"

/* FNV-1a. */
static uint32_t hash(const char *text)
{
	uint32_t value = 2166136261u;

	for (; *text; text++)
		value = (value ^ (unsigned char)*text) * 16777619u;
	return value >> 8;
}

static bool value_of(const struct formula_node *node, double *value, void *arg)
{
	(void)arg;
	switch (node->op) {
	case FORMULA_HAS_EVENT:
	case FORMULA_IS_CPU:
		*value = hash(node->name) % 2;
		break;
	case FORMULA_SOURCE_COUNT:
	case FORMULA_LITERAL:
		*value = hash(node->name) % 3;
		break;
	default:
		*value = hash(node->name) % 7 ? hash(node->name) % 100000 : 0;
		break;
	}
	return true;
}

int main(void)
{
	char *line = NULL;
	const char *why;
	size_t size = 0;

	while (getline(&line, &size, stdin) > 0) {
		struct formula *formula;
		double value;

		line[strcspn(line, "\n")] = '\0';
		formula = formula_parse(line, &why);
		if (!formula)
			printf("wrong: %s\n", why);
		else if (formula_value(formula, value_of, NULL, &value))
			printf("%.17g\n", value);
		else
			puts("none");
		formula_free(formula);
	}
	free(line);
	return 0;
}

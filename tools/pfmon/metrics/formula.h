/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Formulas of the manufacturers' metrics, as Linux' metric files have them:
 *
 *	A if CONDITION else B    | ^ &    < > <= >= == !=    + -    * / %
 *	-A  (A)  min(A, B)  max(A, B)  d_ratio(A, B)
 *	has_event(NAME)  source_count(NAME)  strcmp_cpuid_str(NAME)  #LITERAL
 *
 * A name is an event, or another metric. A backslash takes the character behind it into
 * the name, and between two @ are the terms of an event: cpu@NAME\,cmask\=1@.
 */
#ifndef PFMON_FORMULA_H
#define PFMON_FORMULA_H

#include <stdbool.h>
#include <stddef.h>

/* Texts come from users: longer and deeper ones are refused. */
#define FORMULA_TEXT_MAX 8192
#define FORMULA_NODES_MAX 1024
#define FORMULA_DEPTH_MAX 64
#define FORMULA_NAME_MAX 256

enum formula_op {
	FORMULA_NUMBER,
	FORMULA_NAME, /* of an event or a metric */
	FORMULA_LITERAL, /* with its number sign */
	FORMULA_HAS_EVENT,
	FORMULA_SOURCE_COUNT,
	FORMULA_IS_CPU, /* strcmp_cpuid_str() */
	FORMULA_NEGATE,
	FORMULA_ADD,
	FORMULA_SUBTRACT,
	FORMULA_MULTIPLY,
	FORMULA_DIVIDE,
	FORMULA_REMAINDER,
	FORMULA_LESS,
	FORMULA_GREATER,
	FORMULA_AT_MOST,
	FORMULA_AT_LEAST,
	FORMULA_EQUAL,
	FORMULA_UNEQUAL,
	FORMULA_AND,
	FORMULA_XOR,
	FORMULA_OR,
	FORMULA_MIN,
	FORMULA_MAX,
	FORMULA_RATIO, /* d_ratio(): 0 if the divisor is 0 */
	FORMULA_IF, /* a: condition, b: if it holds, c: if not */
};

/* Operands are nodes before it. */
struct formula_node {
	enum formula_op op;
	int a, b, c; /* of names: free for who looks them up */
	double number;
	char *name; /* of the operations with names, else NULL */
};

struct formula {
	struct formula_node *nodes; /* the last one is the whole */
	int count;
};

/* NULL if the text is no formula: why says the reason. */
struct formula *formula_parse(const char *text, const char **why);
void formula_free(struct formula *formula);

/* The value of a node with a name. False: it has none. */
typedef bool (*formula_name)(const struct formula_node *node, double *value,
			     void *arg);

/*
 * The value of the whole. False if it has none: a name on which it depends has none, it
 * divides by zero, or is no finite number. A value that no "if" chooses does not matter.
 */
bool formula_value(const struct formula *formula, formula_name name, void *arg,
		   double *value);

/*
 * Which nodes the value depends on, if only these names have a value: of an "if" whose
 * condition is known the condition and the chosen value.
 */
void formula_needs(const struct formula *formula, formula_name name, void *arg,
		   bool needed[FORMULA_NODES_MAX]);

#endif /* PFMON_FORMULA_H */

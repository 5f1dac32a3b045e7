/* SPDX-License-Identifier: GPL-2.0-only */
/* Arithmetic with events: + - * / and parentheses, numbers and names. */
#ifndef PFMON_EXPRESSION_H
#define PFMON_EXPRESSION_H

#include <stddef.h>

enum expression_end {
	EXPRESSION_DONE,
	EXPRESSION_NO_VALUE, /* a name has none, or something is divided by 0 */
	EXPRESSION_WRONG, /* it is none */
};

/*
 * What a name of len characters stands for. EXPRESSION_WRONG: there is no such
 * name.
 */
typedef enum expression_end (*expression_name)(const char *name, size_t len,
					       double *value, void *arg);

/*
 * Evaluates a text. A minus sign between two letters or digits is part of a name
 * (branch-misses); anywhere else it is an operator. Between single quotes a name may have
 * any character ('power/energy-pkg/').
 */
enum expression_end expression_value(const char *text, expression_name name,
				     void *arg, double *value);

#endif /* PFMON_EXPRESSION_H */

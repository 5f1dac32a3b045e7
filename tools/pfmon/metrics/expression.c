// SPDX-License-Identifier: GPL-2.0-only
/* Arithmetic with events, see expression.h: one function for each precedence. */
#include "metrics/expression.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Texts come from files: parentheses must not exhaust the stack. */
#define DEPTH_MAX 32

struct expression {
	const char *at;
	expression_name name;
	void *arg;
	int depth;
	enum expression_end end; /* the worst so far */
};

static double worse(struct expression *e, enum expression_end end)
{
	if (end > e->end)
		e->end = end;
	return 0;
}

static char next(struct expression *e)
{
	while (*e->at == ' ' || *e->at == '\t')
		e->at++;
	return *e->at;
}

static bool in_name(const char *c)
{
	if (isalnum((unsigned char)*c) || *c == '_' || *c == ':' || *c == '.' ||
	    *c == '=')
		return true;
	return *c == '-' && isalnum((unsigned char)c[-1]) &&
	       isalnum((unsigned char)c[1]);
}

/* No locale has a say in it. */
static double number(struct expression *e)
{
	double value = 0, part = 1;

	for (; isdigit((unsigned char)*e->at); e->at++)
		value = value * 10 + (*e->at - '0');
	if (*e->at != '.')
		return value;
	for (e->at++; isdigit((unsigned char)*e->at); e->at++) {
		part /= 10;
		value += part * (*e->at - '0');
	}
	return value;
}

/* A name up to there. */
static double value_of(struct expression *e, const char *name, size_t len)
{
	double value = 0;

	worse(e, e->name(name, len, &value, e->arg));
	return value;
}

static double named(struct expression *e)
{
	const char *name = e->at;

	while (in_name(e->at))
		e->at++;
	return value_of(e, name, (size_t)(e->at - name));
}

/* 'power/energy-pkg/': operators in it are none. */
static double quoted(struct expression *e)
{
	const char *name = e->at + 1, *end = strchr(name, '\'');

	if (!end)
		return worse(e, EXPRESSION_WRONG);
	e->at = end + 1;
	return value_of(e, name, (size_t)(end - name));
}

static double sum(struct expression *e);

static double factor(struct expression *e)
{
	char c = next(e);
	double value;

	if (isdigit((unsigned char)c))
		return number(e);
	if (isalpha((unsigned char)c) || c == '_')
		return named(e);
	if (c == '\'')
		return quoted(e);
	if ((c != '(' && c != '-') || e->depth == DEPTH_MAX)
		return worse(e, EXPRESSION_WRONG);
	e->at++;
	e->depth++;
	if (c == '-') {
		value = -factor(e);
	} else {
		value = sum(e);
		if (next(e) != ')')
			worse(e, EXPRESSION_WRONG);
		else
			e->at++;
	}
	e->depth--;
	return value;
}

static double product(struct expression *e)
{
	double value = factor(e);

	while (e->end != EXPRESSION_WRONG &&
	       (next(e) == '*' || *e->at == '/')) {
		bool divides = *e->at++ == '/';
		double other = factor(e);

		if (!divides)
			value *= other;
		else if (other == 0)
			worse(e, EXPRESSION_NO_VALUE);
		else
			value /= other;
	}
	return value;
}

static double sum(struct expression *e)
{
	double value = product(e);

	while (e->end != EXPRESSION_WRONG &&
	       (next(e) == '+' || *e->at == '-')) {
		bool minus = *e->at++ == '-';
		double other = product(e);

		value += minus ? -other : other;
	}
	return value;
}

enum expression_end expression_value(const char *text, expression_name name,
				     void *arg, double *value)
{
	struct expression e = { .at = text, .name = name, .arg = arg };

	*value = sum(&e);
	if (next(&e))
		worse(&e, EXPRESSION_WRONG);
	return e.end;
}

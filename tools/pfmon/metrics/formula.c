// SPDX-License-Identifier: GPL-2.0-only
/* The syntax of formulas, see formula.h: one function for each kind of operand. */
#include "metrics/formula.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

struct parser {
	const char *at;
	struct formula *formula;
	const char *why; /* NULL: nothing is wrong so far */
	int depth;
};

/* What binds more has a greater number. */
static const struct {
	const char *text;
	enum formula_op op;
	int binds;
} operators[] = {
	{ "<=", FORMULA_AT_MOST, 4 }, { ">=", FORMULA_AT_LEAST, 4 },
	{ "==", FORMULA_EQUAL, 4 },   { "!=", FORMULA_UNEQUAL, 4 },
	{ "|", FORMULA_OR, 1 },	      { "^", FORMULA_XOR, 2 },
	{ "&", FORMULA_AND, 3 },      { "<", FORMULA_LESS, 4 },
	{ ">", FORMULA_GREATER, 4 },  { "+", FORMULA_ADD, 5 },
	{ "-", FORMULA_SUBTRACT, 5 }, { "*", FORMULA_MULTIPLY, 6 },
	{ "/", FORMULA_DIVIDE, 6 },   { "%", FORMULA_REMAINDER, 6 },
};

static const struct {
	const char *name;
	enum formula_op op;
	bool of_name; /* its operand is a name */
} functions[] = {
	{ "min", FORMULA_MIN, false },
	{ "max", FORMULA_MAX, false },
	{ "d_ratio", FORMULA_RATIO, false },
	{ "has_event", FORMULA_HAS_EVENT, true },
	{ "source_count", FORMULA_SOURCE_COUNT, true },
	{ "strcmp_cpuid_str", FORMULA_IS_CPU, true },
};

static int refuse(struct parser *p, const char *why)
{
	if (!p->why)
		p->why = why;
	return 0;
}

static char next(struct parser *p)
{
	p->at += strspn(p->at, " \t");
	return *p->at;
}

static bool take(struct parser *p, char c)
{
	if (next(p) != c)
		return false;
	p->at++;
	return true;
}

/* Number of the new node. */
static int add(struct parser *p, struct formula_node node)
{
	struct formula *formula = p->formula;

	if (p->why || formula->count == FORMULA_NODES_MAX) {
		free(node.name);
		return refuse(p, "too long");
	}
	formula->nodes[formula->count] = node;
	return formula->count++;
}

static bool in_name(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("_.:?@", c));
}

static int fill_name(struct parser *p, char name[FORMULA_NAME_MAX])
{
	size_t len = 0;
	bool terms = false;

	while (in_name(*p->at) || (*p->at == '\\' && p->at[1]) ||
	       (terms && *p->at && strchr(",=-/", *p->at))) {
		if (*p->at == '@')
			terms = !terms;
		p->at += *p->at == '\\';
		if (len + 1 == FORMULA_NAME_MAX)
			return refuse(p, "a name is too long");
		name[len++] = *p->at++;
	}
	name[len] = '\0';
	if (terms)
		return refuse(p, "@ without a second one");
	return (int)len;
}

/* A name without its backslashes. NULL if there is none. */
static char *take_name(struct parser *p)
{
	char name[FORMULA_NAME_MAX], *copy;

	next(p);
	if (!fill_name(p, name))
		return refuse(p, "a name is expected"), NULL;
	copy = strdup(name);
	if (!copy)
		refuse(p, "out of memory");
	return copy;
}

/* Digits with a point and an exponent. pfmon sets no locale: strtod() takes a point. */
static int take_number(struct parser *p)
{
	size_t digits = strspn(p->at, "0123456789."), exponent = 0;
	char text[64], *end;

	if (digits && (p->at[digits] == 'e' || p->at[digits] == 'E')) {
		const char *sign = p->at + digits + 1;

		exponent = 1 + (*sign == '-' || *sign == '+');
		exponent += strspn(p->at + digits + exponent, "0123456789");
	}
	digits += exponent;
	if (digits >= sizeof(text))
		return refuse(p, "a number is too long");
	memcpy(text, p->at, digits);
	text[digits] = '\0';
	p->at += digits;
	struct formula_node node = { .op = FORMULA_NUMBER,
				     .number = strtod(text, &end) };
	if (*end || end == text || in_name(*p->at))
		return refuse(p, "not a number");
	return add(p, node);
}

static int take_choice(struct parser *p);

static int take_function(struct parser *p, size_t which)
{
	struct formula_node node = { .op = functions[which].op };

	if (functions[which].of_name) {
		node.name = take_name(p);
	} else {
		node.a = take_choice(p);
		if (!take(p, ','))
			refuse(p, "a function needs two values");
		node.b = take_choice(p);
	}
	if (!take(p, ')'))
		refuse(p, "a ) is missing");
	return add(p, node);
}

static int take_named(struct parser *p)
{
	struct formula_node node = { .op = FORMULA_NAME };

	node.name = take_name(p);
	if (!node.name)
		return 0;
	if (!strcmp(node.name, "if") || !strcmp(node.name, "else")) {
		free(node.name);
		return refuse(p, "a value is expected");
	}
	for (size_t i = 0; i < ARRAY_SIZE(functions) && next(p) == '('; i++) {
		if (strcmp(functions[i].name, node.name) != 0)
			continue;
		free(node.name);
		p->at++;
		return take_function(p, i);
	}
	return add(p, node);
}

static int take_literal(struct parser *p)
{
	char name[FORMULA_NAME_MAX];
	struct formula_node node = { .op = FORMULA_LITERAL };
	size_t len = 1;

	while (isalnum((unsigned char)p->at[len]) || p->at[len] == '_')
		len++;
	if (len == 1 || len >= sizeof(name))
		return refuse(p, "a literal has no name");
	node.name = strndup(p->at, len);
	p->at += len;
	return node.name ? add(p, node) : refuse(p, "out of memory");
}

/* An operand: what parentheses and signs enclose is deeper. */
static int take_operand(struct parser *p)
{
	struct formula_node node = { .op = FORMULA_NEGATE };
	char c = next(p);

	if (p->why)
		return 0;
	if (isdigit((unsigned char)c) || c == '.')
		return take_number(p);
	if (c == '#')
		return take_literal(p);
	if (in_name(c) || c == '\\')
		return take_named(p);
	if (c != '(' && c != '-')
		return refuse(p,
			      c ? "a value is expected" : "it ends too early");
	p->at++;
	if (c == '-') {
		if (++p->depth > FORMULA_DEPTH_MAX)
			return refuse(p, "too deep");
		node.a = take_operand(p);
		p->depth--;
		return add(p, node);
	}
	node.a = take_choice(p);
	if (!take(p, ')'))
		return refuse(p, "a ) is missing");
	return node.a;
}

/* The operator there, if it binds as much; -1: none does. */
static int operator_there(struct parser *p, int binds)
{
	next(p);
	for (size_t i = 0; i < ARRAY_SIZE(operators); i++)
		if (!strncmp(p->at, operators[i].text,
			     strlen(operators[i].text)))
			return operators[i].binds >= binds ? (int)i : -1;
	return -1;
}

/* Operators that bind at least as much; of equal ones the left one first. */
static int take_operators(struct parser *p, int binds)
{
	int left = take_operand(p), which;

	while (!p->why && (which = operator_there(p, binds)) >= 0) {
		struct formula_node node = { .op = operators[which].op,
					     .a = left };

		p->at += strlen(operators[which].text);
		node.b = take_operators(p, operators[which].binds + 1);
		left = add(p, node);
	}
	return left;
}

static bool take_word(struct parser *p, const char *word)
{
	size_t len = strlen(word);

	next(p);
	if (strncmp(p->at, word, len) != 0 || in_name(p->at[len]))
		return false;
	p->at += len;
	return true;
}

static int take_choice(struct parser *p)
{
	struct formula_node node = { .op = FORMULA_IF };
	int value;

	if (++p->depth > FORMULA_DEPTH_MAX)
		return refuse(p, "too deep");
	value = take_operators(p, 1);
	if (!p->why && take_word(p, "if")) {
		node.b = value;
		node.a = take_operators(p, 1);
		if (!take_word(p, "else"))
			refuse(p, "if without else");
		node.c = take_choice(p);
		value = add(p, node);
	}
	p->depth--;
	return value;
}

struct formula *formula_parse(const char *text, const char **why)
{
	struct parser p = { .at = text };
	struct formula_node *shrunk;

	p.formula = calloc(1, sizeof(*p.formula));
	if (p.formula)
		p.formula->nodes =
			calloc(FORMULA_NODES_MAX, sizeof(*p.formula->nodes));
	if (!p.formula || !p.formula->nodes)
		refuse(&p, "out of memory");
	else if (strlen(text) > FORMULA_TEXT_MAX)
		refuse(&p, "too long");
	else
		take_choice(&p);
	if (!p.why && next(&p))
		refuse(&p, "an operator is expected");
	*why = p.why;
	if (p.why) {
		formula_free(p.formula);
		return NULL;
	}
	shrunk = reallocarray(p.formula->nodes, (size_t)p.formula->count,
			      sizeof(*shrunk));
	if (shrunk)
		p.formula->nodes = shrunk;
	return p.formula;
}

void formula_free(struct formula *formula)
{
	for (int i = 0; formula && i < formula->count; i++)
		free(formula->nodes[i].name);
	if (formula)
		free(formula->nodes);
	free(formula);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Values of formulas, see formula.h. Operands are nodes before their operation, so that
 * one pass computes all, however deep the formula is.
 */
#include <math.h>

#include "metrics/formula.h"

struct computed {
	double value;
	bool there;
};

static bool divides(double a, double b, double *value)
{
	*value = b != 0 ? a / b : 0;
	return b != 0;
}

/* As Linux has it: of whole numbers. */
static bool remains(double a, double b, double *value)
{
	if (!(fabs(a) < 9e18 && fabs(b) < 9e18) || (long long)b == 0)
		return false;
	*value = (double)((long long)a % (long long)b);
	return true;
}

static bool compares(enum formula_op op, double a, double b)
{
	switch (op) {
	case FORMULA_LESS:
		return a < b;
	case FORMULA_GREATER:
		return a > b;
	case FORMULA_AT_MOST:
		return a <= b;
	case FORMULA_AT_LEAST:
		return a >= b;
	case FORMULA_EQUAL:
		return a == b;
	case FORMULA_UNEQUAL:
		return a != b;
	case FORMULA_AND:
		return a != 0 && b != 0;
	case FORMULA_OR:
		return a != 0 || b != 0;
	default: /* FORMULA_XOR */
		return (a != 0) != (b != 0);
	}
}

static bool combine(enum formula_op op, double a, double b, double *value)
{
	switch (op) {
	case FORMULA_ADD:
		*value = a + b;
		return true;
	case FORMULA_SUBTRACT:
		*value = a - b;
		return true;
	case FORMULA_MULTIPLY:
		*value = a * b;
		return true;
	case FORMULA_DIVIDE:
		return divides(a, b, value);
	case FORMULA_REMAINDER:
		return remains(a, b, value);
	case FORMULA_MIN:
		*value = a < b ? a : b;
		return true;
	case FORMULA_MAX:
		*value = a > b ? a : b;
		return true;
	case FORMULA_RATIO:
		divides(a, b, value);
		return true;
	default:
		*value = compares(op, a, b);
		return true;
	}
}

/* Of one that is no name. */
static struct computed operate(const struct formula_node *node,
			       const struct computed *all)
{
	const struct computed *a = &all[node->a], *b = &all[node->b];
	struct computed result = { .there = a->there };

	switch (node->op) {
	case FORMULA_NUMBER:
		return (struct computed){ node->number, true };
	case FORMULA_NEGATE:
		result.value = -a->value;
		return result;
	case FORMULA_IF:
		if (!a->there)
			return result;
		return a->value != 0 ? *b : all[node->c];
	/* One known operand may decide. */
	case FORMULA_AND:
		if ((a->there && a->value == 0) || (b->there && b->value == 0))
			return (struct computed){ 0, true };
		break;
	case FORMULA_OR:
		if ((a->there && a->value != 0) || (b->there && b->value != 0))
			return (struct computed){ 1, true };
		break;
	default:
		break;
	}
	result.there = a->there && b->there &&
		       combine(node->op, a->value, b->value, &result.value);
	return result;
}

static void compute(const struct formula *formula, formula_name name, void *arg,
		    struct computed all[FORMULA_NODES_MAX])
{
	for (int i = 0; i < formula->count; i++) {
		const struct formula_node *node = &formula->nodes[i];

		all[i] = (struct computed){ 0 };
		if (node->name)
			all[i].there = name(node, &all[i].value, arg);
		else
			all[i] = operate(node, all);
		all[i].there = all[i].there && isfinite(all[i].value);
	}
}

bool formula_value(const struct formula *formula, formula_name name, void *arg,
		   double *value)
{
	struct computed all[FORMULA_NODES_MAX];

	compute(formula, name, arg, all);
	*value = all[formula->count - 1].value;
	return all[formula->count - 1].there;
}

void formula_needs(const struct formula *formula, formula_name name, void *arg,
		   bool needed[FORMULA_NODES_MAX])
{
	struct computed all[FORMULA_NODES_MAX];

	compute(formula, name, arg, all);
	for (int i = 0; i < formula->count; i++)
		needed[i] = i == formula->count - 1;
	for (int i = formula->count - 1; i >= 0; i--) {
		const struct formula_node *node = &formula->nodes[i];
		bool is_if = node->op == FORMULA_IF;
		bool known = is_if && all[node->a].there;

		if (!needed[i] || node->name || node->op == FORMULA_NUMBER)
			continue;
		needed[node->a] = true;
		if (known)
			needed[all[node->a].value != 0 ? node->b : node->c] =
				true;
		else if (node->op != FORMULA_NEGATE)
			needed[node->b] = true;
		if (is_if && !known)
			needed[node->c] = true;
	}
}

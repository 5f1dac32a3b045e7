// SPDX-License-Identifier: GPL-2.0-only
/*
 * C++: a member of a class template, a lambda that a template calls, and now and then
 * an exception that leaves four functions: while it does, and where it is caught, there
 * is work as well.
 */
#include <stdexcept>

#include "truth.h"

namespace parser {

template <typename Count> class Reader {
      public:
	FUNCTION void read(Count passes) const
	{
		FRAME;
		SPIN(passes);
	}
};

template <typename Visitor> FUNCTION void visit(Visitor visitor)
{
	visitor();
	__asm__ volatile("");
}

/* Its end is all the work that it does. */
class Scope {
      public:
	FUNCTION ~Scope()
	{
		FRAME;
		SPIN(80000);
	}
};

FUNCTION static void nested(int left)
{
	Scope scope;

	if (!left)
		throw std::runtime_error("too deep");
	nested(left - 1);
}

FUNCTION static void recover()
{
	FRAME;
	SPIN(180000);
}

FUNCTION static void attempt()
{
	try {
		nested(3);
	} catch (const std::exception &) {
		recover();
	}
}

} // namespace parser

int main()
{
	const parser::Reader<long> reader;
	unsigned long sum = 0;

	for (int i = 0; i < 10; i++) {
		reader.read(300000);
		parser::visit([&sum]() FUNCTION {
			FRAME;
			SPIN(200000);
			sum++;
		});
		parser::attempt();
	}
	return sum != 10;
}

// SPDX-License-Identifier: MIT
/*
 * A C++ program counts pieces of itself, see counters.hh.
 *
 *	c++ -std=c++17 -O2 -o counters counters.cc $(pkg-config --cflags --libs libpfm)
 *	./counters [PASSES]
 *
 * The piece is a loop of PASSES passes (default 1000), each of two instructions. The
 * reads themselves have a few, the same ones each time.
 */
#include "counters.hh"

#include <cstdlib>
#include <exception>
#include <iostream>

static __attribute__((noipa)) void work(unsigned long passes)
{
	__asm__ volatile("0:\n\t"
			 "dec %0\n\t"
			 "jnz 0b"
			 : "+r"(passes)
			 :
			 : "cc");
}

static void count(unsigned long passes)
{
	const Counters counters;

	if (!counters.is_direct())
		std::cout << "with system calls\n";
	for (int run = 0; run < 5; run++) {
		auto before = counters.read();
		work(passes);
		auto after = counters.read();
		auto instructions = after.instructions - before.instructions;

		std::cout << instructions << " instructions, " << 2 * passes
			  << " of them in the loop; "
			  << after.cycles - before.cycles << " cycles\n";
		if (instructions < 2 * passes)
			throw std::runtime_error("wrong count");
	}
}

int main(int argc, char **argv)
{
	unsigned long passes = argc > 1 ? std::strtoul(argv[1], nullptr, 0) :
					  1000;

	if (!passes) {
		std::cerr << "usage: counters [PASSES], at least 1 pass\n";
		return 1;
	}
	try {
		count(passes);
	} catch (const std::exception &problem) {
		std::cerr << "counters: " << problem.what() << '\n';
		return 1;
	}
	return 0;
}

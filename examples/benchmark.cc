// SPDX-License-Identifier: MIT
/*
 * Google Benchmark tells the instructions and cycles of each iteration, see counters.hh.
 *
 *	c++ -std=c++17 -O2 -o benchmark benchmark.cc -lbenchmark -lpthread \
 *		$(pkg-config --cflags --libs libpfm)
 *	./benchmark
 *
 * A benchmark has a Count beside its loop. Each of its threads has counters of its own.
 */
#include "counters.hh"

#include <benchmark/benchmark.h>
#include <exception>
#include <iostream>

/* The counts of the loop of a benchmark, for each iteration. */
class Count {
      public:
	explicit Count(benchmark::State &of)
	    : state(of), before(counters().read())
	{
	}

	~Count()
	{
		auto after = counters().read();

		add("instructions", after.instructions - before.instructions);
		add("cycles", after.cycles - before.cycles);
	}

	Count(const Count &) = delete;
	Count &operator=(const Count &) = delete;

      private:
	static const Counters &counters()
	{
		static thread_local const Counters own;

		return own;
	}

	void add(const char *name, std::uint64_t count)
	{
		state.counters[name] =
			benchmark::Counter(static_cast<double>(count),
					   benchmark::Counter::kAvgIterations);
	}

	benchmark::State &state;
	Counters::Values before;
};

static __attribute__((noipa)) void work(unsigned long passes)
{
	__asm__ volatile("0:\n\t"
			 "dec %0\n\t"
			 "jnz 0b"
			 : "+r"(passes)
			 :
			 : "cc");
}

static void loop(benchmark::State &state)
{
	Count count(state);

	for (auto _ : state)
		work(static_cast<unsigned long>(state.range(0)));
}
BENCHMARK(loop)->Arg(100)->Arg(10000);
BENCHMARK(loop)->Arg(10000)->Threads(2);

int main(int argc, char **argv)
{
	try {
		Counters try_them;
	} catch (const std::exception &problem) {
		std::cerr << "benchmark: " << problem.what() << '\n';
		return 1;
	}
	benchmark::Initialize(&argc, argv);
	if (benchmark::ReportUnrecognizedArguments(argc, argv))
		return 1;
	benchmark::RunSpecifiedBenchmarks();
	benchmark::Shutdown();
	return 0;
}

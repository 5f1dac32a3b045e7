// SPDX-License-Identifier: MIT
/*
 * Counters of the thread that makes them, for C++17: instructions and cycles at user
 * level, from the constructor to the destructor. Reading them takes no system call where
 * the processor and the administrator let programs read counters.
 */
#ifndef COUNTERS_HH
#define COUNTERS_HH

#include <perfmon/pfm_state.h>
#include <perfmon/pfmlib.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <system_error>
#include <unistd.h>

class Counters {
      public:
	struct Values {
		std::uint64_t instructions, cycles;
	};

	/* std::system_error or std::runtime_error where nothing can be counted. */
	Counters()
	{
		try {
			begin();
		} catch (...) {
			end();
			throw;
		}
	}

	~Counters()
	{
		end();
	}

	Counters(const Counters &) = delete;
	Counters &operator=(const Counters &) = delete;

	Values read() const
	{
		return { value(index[0]), value(index[1]) };
	}

	/* No system call is needed. */
	bool is_direct() const
	{
		return pfm_state_usable(state);
	}

      private:
	static void check(bool good, const char *what)
	{
		if (!good)
			throw std::system_error(errno, std::generic_category(),
						what);
	}

	/* Programs the registers; returns the two counters. */
	std::array<unsigned int, 2> program() const
	{
		/* Too large for the stacks of some threads. */
		auto in = std::make_unique<pfmlib_input_param_t>();
		auto out = std::make_unique<pfmlib_output_param_t>();
		std::array<pfarg_pmr_t, PFM_MAX_PMCS> pmcs{};
		std::array<pfarg_pmr_t, 2> pmds{};

		in->pfp_event_count = 2;
		in->pfp_dfl_plm = PFM_PLM3;
		if (pfm_initialize() != PFMLIB_SUCCESS ||
		    pfm_get_inst_retired_event(&in->pfp_events[0]) !=
			    PFMLIB_SUCCESS ||
		    pfm_get_cycle_event(&in->pfp_events[1]) != PFMLIB_SUCCESS ||
		    pfm_dispatch_events(in.get(), nullptr, out.get(),
					nullptr) != PFMLIB_SUCCESS)
			throw std::runtime_error(
				"no counters for instructions and cycles");
		for (unsigned int i = 0; i < out->pfp_pmc_count; i++) {
			pmcs[i].reg_num = static_cast<std::uint16_t>(
				out->pfp_pmcs[i].reg_num);
			pmcs[i].reg_value = out->pfp_pmcs[i].reg_value;
		}
		for (unsigned int i = 0; i < 2; i++)
			pmds[i].reg_num = static_cast<std::uint16_t>(
				out->pfp_pmds[i].reg_num);
		check(!pfm_write_pmrs(fd, PFM_RWFL_PMC, pmcs.data(),
				      static_cast<int>(out->pfp_pmc_count)) &&
			      !pfm_write_pmrs(fd, PFM_RWFL_PMD, pmds.data(), 2),
		      "cannot program the counters");
		return { pmds[0].reg_num, pmds[1].reg_num };
	}

	void begin()
	{
		fd = pfm_create_session(PFM_FL_CLOEXEC);
		check(fd >= 0, "cannot create a session");
		auto pmds = program();

		state = pfm_map_state(fd);
		check(state != nullptr, "cannot map the state page");
		check(!pfm_attach_session(fd, 0, gettid()) &&
			      !pfm_start_session(fd, 0),
		      "cannot count this thread (has it a session?)");
		for (unsigned int i = 0; i < 2; i++) {
			int at = pfm_state_index(state, pmds[i], 0);

			if (at < 0)
				throw std::runtime_error(
					"the state page does not show a counter");
			index[i] = static_cast<unsigned int>(at);
		}
	}

	void end()
	{
		if (state)
			pfm_unmap_state(state);
		if (fd >= 0)
			close(fd);
	}

	std::uint64_t value(unsigned int at) const
	{
		return is_direct() ? pfm_state_read(state, at) :
				     pfm_read_counter(fd, state, at);
	}

	int fd = -1;
	const struct pfm_state *state = nullptr;
	std::array<unsigned int, 2> index{};
};

#endif // COUNTERS_HH

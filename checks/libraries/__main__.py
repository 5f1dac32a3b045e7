# SPDX-License-Identifier: GPL-2.0-only
"""Tests PAPI, Google Benchmark and others over perfmon: `make check-libraries`.

usage: python3 -m checks.libraries BUILD CPU

In the guest, where counters are exact, with PAPI of Debian and the component of
examples/papi/:

- PAPI's programs list perfmon and its events, and say what keeps it out
- tests/libraries/papi_counts counts loops of known length in all ways that PAPI has, on
  CPU and on a processor of the other manufacturer
- a PAPI_read() of the component beside one of PAPI's own, in instructions
- PAPI's own tests with perfmon's events, as tests/libraries/ctests expects it
- the examples in C++ and Rust and for Google Benchmark

BUILD/libraries/log has what they said. Ends in "N passed, N failed".
"""

import sys

from checks.libraries import ctests
from checks.libraries.stand import Stand

OTHER = {"zen1": "skylake"}


def main():
    """Runs all tests; the exit status tells whether they passed."""
    if len(sys.argv) != 3 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    build, cpu = sys.argv[1:]
    with Stand(build) as stand:
        stand.take_over(cpu, "/papi/libraries_in_guest")
        for processor in (cpu, OTHER.get(cpu, "zen1")):
            stand.take_over(processor, "/papi/papi_counts")
        ctests.test(stand, cpu)
        return stand.finish()


if __name__ == "__main__":
    sys.exit(main())

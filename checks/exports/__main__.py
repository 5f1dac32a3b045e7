# SPDX-License-Identifier: GPL-2.0-only
"""Tests what pfmon export writes with the programs that read it: `make check-exports`.

usage: python3 -m checks.exports BUILD [PICTURES]

- pprof of Debian's Go, perf, callgrind_annotate and speedscope have each function's
  samples, as they were recorded, and those of what it called
- a headless Chromium opens the page and the flame graph, and uses them; PICTURES is a
  folder for pictures of them
- the file for the Firefox Profiler has the fields of its version
- valgrind has no complaint about what reads a file of samples

Nothing is measured: checks/exports/recording.py writes what is read. Ends in
"N passed, N failed".
"""

import sys
import tempfile

from checks.exports import (callgrind, firefox, folded, graph, itself, memory, page,
                            perf, pprof, speedscope)
from checks.exports.browser import Browser, BrowserError
from checks.exports.stand import Stand


def test_browser(stand):
    """What a browser opens. One that hangs is a failure."""
    try:
        with Browser() as browser:
            for record in stand.recordings:
                for shown in speedscope, graph, page:
                    shown.test(stand, record, browser)
    except BrowserError as error:
        stand.result("a browser shows what was exported", False, error)


def main():
    """Runs all tests; the exit status tells whether they passed."""
    if len(sys.argv) not in (2, 3) or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory(prefix="check-exports-") as folder:
        stand = Stand(sys.argv[1], folder, *sys.argv[2:])
        for record in stand.recordings:
            for reader in itself, pprof, perf, callgrind, folded, firefox, \
                    memory:
                reader.test(stand, record)
        test_browser(stand)
        return stand.finish()


if __name__ == "__main__":
    sys.exit(main())

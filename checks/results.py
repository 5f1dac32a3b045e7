# SPDX-License-Identifier: GPL-2.0-only
"""Adds up the results of test suites; the end of each `make check*`.

usage: python3 -m checks.results DIRECTORY SUITE...

Reads DIRECTORY/SUITE/*.tap, names what failed and closes with one line of
counts. The status is 1 if anything failed, no test ran, or results are missing:
those of a file that DIRECTORY/SUITE/expected names, which whoever runs the suite
writes first, or results that the plan of a file promises.
"""

import sys
from pathlib import Path

from checks import tap


def read(directory, suite):
    """Returns the results of a suite, named by suite and file."""
    results = []
    for path in sorted(Path(directory, suite).glob("*.tap")):
        lines = path.read_text(encoding="utf-8").splitlines()
        found, planned = tap.parse(lines)
        if not planned or len(found) != planned:
            found.append(tap.Result(
                f"{planned} results planned, {len(found)} found", tap.FAILED))
        for result in found:
            result.name = f"{suite} {path.stem}: {result.name}"
        results += found
    if not results:
        results.append(tap.Result(f"{suite}: no test ran", tap.FAILED))
    return results + missing(Path(directory, suite), suite)


def missing(directory, suite):
    """Returns a failure for each file that was expected and is not there."""
    try:
        expected = tap.expected(directory)
    except FileNotFoundError:
        return [tap.Result(f"{suite}: nobody says what was to run", tap.FAILED)]
    return [tap.Result(f"{suite} {name}: no results", tap.FAILED)
            for name in expected if not (directory / f"{name}.tap").exists()]


def main():
    """Prints the sum of the suites."""
    if len(sys.argv) < 3:
        sys.exit("usage: python3 -m checks.results DIRECTORY SUITE...")
    results = [r for s in sys.argv[2:] for r in read(sys.argv[1], s)]
    failed = [r for r in results if r.outcome == tap.FAILED]

    if failed:
        print("failed:")
    for result in failed:
        print(f"  {result.describe()}")
    print(tap.tally(results))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

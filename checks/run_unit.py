# SPDX-License-Identifier: GPL-2.0-only
"""Runs the unit test programs and writes their results for checks.results.

usage: python3 -m checks.run_unit [-v] RESULTS-DIRECTORY PROGRAM...

Each PROGRAM is a cmocka program, or any that prints TAP; as many run at a time
as the host has processors. The whole output of one is shown if it fails, or
always with -v. There is nothing that a host may lack: a skip is a failure.
"""

import concurrent.futures
import os
import shutil
import sys
from pathlib import Path

from checks import tap


# Programs that take longest are begun first.
SLOW = "/fast/"


def name_of(program):
    """The name of a program's results."""
    return "-".join(Path(program).parts[-2:])


def judge(program, directory):
    """Runs a program and writes its results; returns them and its output."""
    output, status = tap.execute(program)
    results = tap.judge_program(name_of(program), output.splitlines(), status)
    for result in results:
        if result.outcome == tap.SKIPPED:
            result.outcome = tap.FAILED
            result.reason = f"skipped: {result.reason}"
    tap.write(f"{directory}/{name_of(program)}.tap", results)
    return results, output


def main():
    """Runs all programs; shows their results in the order of the arguments."""
    words = sys.argv[1:]
    verbose = words[:1] == ["-v"]
    if verbose:
        words = words[1:]
    if len(words) < 2:
        sys.exit("usage: python3 -m checks.run_unit [-v] RESULTS-DIRECTORY "
                 "PROGRAM...")
    directory, programs = words[0], words[1:]

    shutil.rmtree(directory, ignore_errors=True)
    tap.expect(directory, map(name_of, programs))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = {program: pool.submit(judge, program, directory) for program
                in sorted(programs, key=lambda program: SLOW not in program)}
        for program in programs:
            results, output = runs[program].result()
            print(f"  unit {name_of(program)}: {tap.tally(results)}",
                  flush=True)
            if verbose or any(r.outcome == tap.FAILED for r in results):
                print(output, end="", flush=True)


if __name__ == "__main__":
    main()

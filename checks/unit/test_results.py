# SPDX-License-Identifier: GPL-2.0-only
"""Tests of what is made of results: results and run_unit; TAP.

Each case is a directory of TAP files, the list of those that were expected, and
what results says of it; or a program, and what run_unit says.
Run by check-unit.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from checks import ROOT
from checks.unit import tell

GOOD = "1..1\nok 1 - x\n"

# name, {file: text}, what was expected, a line of the output, status
RESULTS = (
    ("all results are there", {"a": GOOD, "b": GOOD}, ["a", "b"],
     "2 passed, 0 failed, 0 skipped", 0),
    ("a file is missing", {"a": GOOD}, ["a", "b"], "  suite b: no results", 1),
    ("all files are missing", {}, ["a"], "  suite a: no results", 1),
    ("a file is in a directory below", {"a": GOOD, "b/c": GOOD}, ["a", "b-c"],
     "  suite b-c: no results", 1),
    ("nobody says what was to run", {"a": GOOD}, None,
     "  suite: nobody says what was to run", 1),
    ("nothing was to run", {}, [], "  suite: no test ran", 1),
    ("an empty file", {"a": ""}, ["a"],
     "  suite a: 0 results planned, 0 found", 1),
    ("a file that was cut", {"a": "1..3\nok 1 - x\n"}, ["a"],
     "  suite a: 3 results planned, 1 found", 1),
    ("a failure", {"a": "1..1\nnot ok 1 - x # why\n"}, ["a"],
     "  suite a: x (why)", 1),
    ("a comparison that failed",
     {"a": "1..2\n# t.c:3:f.y:Expected 0 (0) == n (1)\nok 1 - y\n"
           "# t.c:7:f.x:Expected 2 (2) == n (1)\n# t.c:8:f.x:Expected 4 (4) == m (1)\n"
           "not ok 2 - f.x\n"}, ["a"],
     "  suite a: f.x (t.c:7: Expected 2 (2) == n (1))", 1),
    ("a file that nobody expected counts", {"a": GOOD, "b": GOOD}, ["a"],
     "2 passed, 0 failed, 0 skipped", 0),
)

# name, shell program, the counts of run_unit
PROGRAMS = (
    ("a program that passes", "echo 1..1; echo ok 1 - x",
     "1 passed, 0 failed, 0 skipped"),
    ("a program that skips a test", "echo 1..1; echo 'ok 1 - x # SKIP no y'",
     "0 passed, 1 failed, 0 skipped"),
    ("a program that is skipped", "echo no y; exit 4",
     "0 passed, 1 failed, 0 skipped"),
    ("a program with a plan that is skipped", "echo 1..2; exit 4",
     "0 passed, 1 failed, 0 skipped"),
    ("a program without a test", "exit 0", "0 passed, 1 failed, 0 skipped"),
    ("a program that is missing", None, "0 passed, 1 failed, 0 skipped"),
    ("a program that is killed", "echo 1..1; echo ok 1 - x; kill -SEGV $$",
     "1 passed, 1 failed, 0 skipped"),
)


def results_case(files, expected, line, status):
    """What was wrong with the judgement of results; "" if nothing."""
    with tempfile.TemporaryDirectory() as name:
        suite = Path(name, "suite")
        suite.mkdir()
        for file, text in files.items():
            (suite / file).parent.mkdir(exist_ok=True)
            (suite / f"{file}.tap").write_text(text)
        if expected is not None:
            (suite / "expected").write_text(
                "".join(f"{file}\n" for file in expected))
        done = subprocess.run([sys.executable, "-m", "checks.results", name, "suite"], cwd=ROOT,
                              capture_output=True, text=True, check=False)
    good = line in done.stdout.splitlines() and done.returncode == status
    return "" if good else f"status {done.returncode}: {done.stdout}"


def unit_case(text, counts):
    """What was wrong with the judgement of a program; "" if nothing."""
    with tempfile.TemporaryDirectory() as name:
        program = Path(name, "test")
        if text is not None:
            program.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
            os.chmod(program, 0o755)
        done = subprocess.run(
            [sys.executable, "-m", "checks.run_unit", Path(name, "results"),
             program], cwd=ROOT,
            capture_output=True, text=True, check=False)
    return "" if f": {counts}" in done.stdout else done.stdout + done.stderr


def main():
    """Runs the cases."""
    verdicts = [(case[0], results_case(*case[1:])) for case in RESULTS]
    verdicts += [(case[0], unit_case(*case[1:])) for case in PROGRAMS]
    tell(verdicts)


if __name__ == "__main__":
    main()

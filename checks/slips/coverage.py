# SPDX-License-Identifier: GPL-2.0-only
"""Makes tests/mutants/covering from coverage; `make covering`.

usage: python3 -m checks.slips.coverage BUILD PROGRAM...

Each PROGRAM is a unit test that was compiled for gcov, BUILD/unit/coverage/NAME or
BUILD/unit/perfctr/coverage/NAME. The guest's programs come from GUEST, if
BUILD/kernel/x86_64-gcov is there: see guest_coverage.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from checks import ROOT, mutants, tap
from checks.slips import choose, covering, gcov, guest_coverage


def run(program, directory):
    """Runs a program; returns its time and {source: lines}."""
    environment = {"GCOV_PREFIX": directory}
    before = dict(os.environ)
    os.environ.update(environment)
    started = time.monotonic()
    try:
        tap.execute(Path(program).resolve(), cwd=ROOT)
    finally:
        os.environ.clear()
        os.environ.update(before)
    seconds = time.monotonic() - started
    data = sorted(Path(directory).rglob("*.gcda"))
    for path in data:
        notes = Path("/", path.relative_to(directory)).with_suffix(".gcno")
        path.with_suffix(".gcno").symlink_to(notes)
    return seconds, gcov.lines_of(data, ROOT)


def unit_name(program, build):
    """The name of the same program for the tests themselves."""
    name = str(Path(program).relative_to(build))
    return name.replace("unit/coverage/", "unit/lib/").replace("/coverage/", "/")


def units(build, programs):
    """{program: {source: lines}} and {program: seconds} of the unit tests."""
    covered, seconds = {}, {}
    for program in programs:
        name = unit_name(program, build)
        with tempfile.TemporaryDirectory() as directory:
            seconds[name], covered[name] = run(program, directory)
    return covered, seconds


def main():
    """Writes the table."""
    if len(sys.argv) < 3:
        sys.exit("usage: python3 -m checks.slips.coverage BUILD PROGRAM...")
    build, programs = sys.argv[1], sys.argv[2:]
    names = [name for name in choose.files(ROOT) if covering.has_functions(ROOT, name)]
    of_units = gcov.rows(*units(build, programs))
    table = {}
    for name in names:
        row = [mutants.Test("unit", program) for program in of_units.get(name, ())]
        table[name] = ([row] if row else [])
    guest_coverage.add(table, Path(build))
    covering.write(table)
    for text in covering.trouble(table):
        print(f"covering: {text}", file=sys.stderr)


if __name__ == "__main__":
    subprocess.run(["gcov", "--version"], check=True, stdout=subprocess.DEVNULL)
    main()

# SPDX-License-Identifier: GPL-2.0-only
"""Tests ledger.py: what a long suite remembers; writes TAP."""

import os
import sys
import tempfile
from pathlib import Path

from checks import boot, ledger, rows


def a_row(cpu="zen1", seed=1, kind="debug"):
    """A boot of the fuzzer."""
    guest = boot.Guest(build=Path("build"), name=f"fuzz/{cpu}", cpu=cpu,
                       arch="x86_64", kind=kind)
    return rows.Row(guest, [f"fuzz,100000,{seed}"], [60])


def remembers(directory):
    """A boot that has passed is known, by a later run too."""
    ledger.Ledger(directory).add(a_row())
    return ledger.Ledger(directory).has(a_row())


def knows_nothing(directory):
    """In the beginning nothing has passed."""
    return not ledger.Ledger(directory).has(a_row())


def asks_for_the_programs(directory):
    """Another seed is another boot."""
    ledger.Ledger(directory).add(a_row())
    return not ledger.Ledger(directory).has(a_row(seed=2))


def asks_for_the_boot(directory):
    """The same on another processor is another boot."""
    ledger.Ledger(directory).add(a_row())
    return not ledger.Ledger(directory).has(a_row(cpu="skylake"))


def asks_for_the_kernel(directory):
    """What the plain kernel stands is not what the debug kernel stands."""
    ledger.Ledger(directory).add(a_row(kind=""))
    return not ledger.Ledger(directory).has(a_row())


def keeps_results_of_what_has_passed(directory):
    """And only those."""
    book = ledger.Ledger(directory)
    book.add(a_row())
    for name in ("zen1.tap", "skylake.tap"):
        Path(directory, name).touch()
    left = book.remaining([a_row(), a_row(cpu="skylake")])
    return ([row.guest.cpu for row in left] == ["skylake"] and
            [path.name for path in Path(directory).glob("*.tap")]
            == ["zen1.tap"])


def gives_each_boot_a_seed(_):
    """Processors take turns, no seed is used twice."""
    os.environ["PFM_FUZZ_SEED"] = "5"
    template = [a_row(), a_row(cpu="skylake")]
    for row in template:
        row.programs = ["fuzz,%calls,%seed"]
    boots = ledger.split(template, 3 * ledger.CALLS - 1)
    return ([row.guest.name for row in boots] ==
            ["fuzz/zen1-seed5", "fuzz/skylake-seed6", "fuzz/zen1-seed7"] and
            boots[2].programs == [f"fuzz,{ledger.CALLS},7"])


def forgets_with_the_sources(directory):
    """What has passed with other sources has not passed."""
    roots = ledger.ROOT
    try:
        ledger.Ledger(directory).add(a_row())
        ledger.ROOT = Path(directory)
        source = Path(directory, "kernel", "a.c")
        source.parent.mkdir()
        source.write_text("1", encoding="utf-8")
        first = ledger.Ledger(directory)
        first.add(a_row())
        same = ledger.Ledger(directory).has(a_row())
        source.write_text("2", encoding="utf-8")
        return same and not ledger.Ledger(directory).has(a_row())
    finally:
        ledger.ROOT = roots


TESTS = (remembers, knows_nothing, asks_for_the_programs, asks_for_the_boot,
         asks_for_the_kernel, keeps_results_of_what_has_passed,
         gives_each_boot_a_seed, forgets_with_the_sources)


def main():
    """Runs the tests, each with a directory of its own."""
    print(f"1..{len(TESTS)}")
    failed = 0
    for number, test in enumerate(TESTS, 1):
        with tempfile.TemporaryDirectory() as directory:
            passed = test(directory)
        failed += not passed
        print(f"{'ok' if passed else 'not ok'} {number} - {test.__name__}")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()

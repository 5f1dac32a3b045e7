# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the table of conformance cases; prints TAP.

Each test is what guests have reported, the line of the table that it makes of
the case C001, and what has to be missing. Run by check-unit.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from checks import ROOT

CASES = """# two processors have to run the first
run ANY zen1
run CNT,PT k8
C001 ANY,PT the first
C002 CNT the second
C004 MP the third
"""

# The others are passed wherever they have to be.
REST = "ok - b: C002_y\n"
REST_MP = "ok - b: C004_y\n"

# name, {boot: TAP}, the marks of C001 on k8 and zen1, names of what is missing
TESTS = (
    ("passed everywhere",
     {"k8-smp1": "ok - a: C001_x", "zen1-smp1": "ok - a: s.C001_x"},
     "+ +", []),
    ("skipped on one of them",
     {"k8-smp1": "ok - a: C001_x # SKIP old", "zen1-smp1": "ok - a: C001_x"},
     "a +", []),
    ("skipped in one boot of two",
     {"k8-smp1": "ok - a: C001_x # SKIP one", "k8-smp2": "ok - a: C001_x",
      "zen1-smp1": "ok - a: C001_x"}, "+ +", []),
    ("one of two tests failed",
     {"k8-smp1": "ok - a: C001_x\nnot ok - a: C001_y\nok - a: C001_z",
      "zen1-smp1": "ok - a: C001_x"}, "! +", []),
    ("skipped everywhere",
     {"k8-smp1": "ok - a: C001_x # SKIP old",
      "zen1-smp1": "ok - a: C001_x # SKIP new"}, "a b", ["C001 the first"]),
    ("not run on one of them",
     {"k8-smp1": "ok - a: C001_x", "zen1-smp1": "ok - a: other"},
     "+", ["C001 the first"]),
    ("a number that no case has",
     {"k8-smp1": "ok - a: C001_x\nok - a: C003_x",
      "zen1-smp1": "ok - a: C001_x"}, "+ +", ["a: C003_x"]),
    ("a test that has a number elsewhere in its name",
     {"k8-smp1": "ok - a: C001_x\nok - a: not_C003_x\nok - a: C0031_x",
      "zen1-smp1": "ok - a: C001_x"}, "+ +", []),
    ("failed through the other interface",
     {"k8-smp1": "ok - a: C001_x\nnot ok - 32/a_v281: C001_x",
      "zen1-smp1": "ok - a: C001_x\nok - a_v281: C001_x"}, "+ + !", []),
    ("skipped through the other interface",
     {"k8-smp1": "ok - a: C001_x\nok - a_v281: C001_x # SKIP no form",
      "zen1-smp1": "ok - a: C001_x"}, "+ + a", []),
    ("passed only through the other interface",
     {"k8-smp1": "ok - a: C001_x # SKIP old\nok - a_v281: C001_x",
      "zen1-smp1": "ok - a: C001_x # SKIP old"}, "a a +", ["C001 the first"]),
    ("what two processors have to run passed on one",
     {"k8-smp1": "ok - a: C001_x", "zen1-smp1": "ok - a: C001_x\nok - a: C004_x",
      "--alone": ""}, "+ +", ["C004 the third"]),
    ("a part of the plan", {"k8-smp1": "ok - a: C001_x", "--partial": ""},
     "+", []),
)


def tabulate(taps):
    """Runs the script; returns its output and the tests that failed."""
    taps = dict(taps)
    if taps.pop("--alone", None) is None:
        taps["k8-smp2"] = REST_MP + taps.get("k8-smp2", "")
    options = [word for word in taps if word.startswith("--")]
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        for boot, text in taps.items():
            if boot not in options:
                rest = REST if boot == "k8-smp1" else ""
                (directory / f"{boot}.tap").write_text(f"{text}\n{rest}")
        cases = directory / "cases"
        cases.write_text(CASES)
        words = [sys.executable, "-m", "checks.conformance", "--cases", cases, *options, directory]
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True,
                              check=True)
        lines = (directory / "conformance.tap").read_text().splitlines()
    failed = [line.partition(" - ")[2].partition(" # ")[0]
              for line in lines if line.startswith("not ok")]
    return done.stdout.splitlines(), failed


def main():
    """Runs all."""
    print(f"1..{len(TESTS)}")
    status = 0
    for number, (name, taps, marks, missing) in enumerate(TESTS, 1):
        output, failed = tabulate(taps)
        line = f"  C001  {marks}  the first"
        good = line in output and failed == missing
        print(f"{'' if good else 'not '}ok {number} - {name}")
        if not good:
            print(f"# missing: {failed}, output:")
            for line in output:
                print(f"# {line}")
        status |= not good
    sys.exit(status)


if __name__ == "__main__":
    main()

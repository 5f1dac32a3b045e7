# SPDX-License-Identifier: GPL-2.0-only
"""Tests circles.py with compiled files; writes TAP."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from checks.unit import compare

ROOT = Path(__file__).resolve().parents[2]


def linted(sources, *arguments):
    """What lint says of {path: C source}: its status and its lines."""
    with tempfile.TemporaryDirectory() as name:
        for path, source in sources.items():
            target = Path(name, path).with_suffix(".o")
            target.parent.mkdir(exist_ok=True)
            subprocess.run(["cc", "-xc", "-c", "-o", target, "-"], check=True,
                           input=source, text=True)
        run = subprocess.run(
            [sys.executable, "-m", "checks.circles", *(arguments or ["."])],
            cwd=name, check=False, capture_output=True, text=True,
            env=os.environ | {"PYTHONPATH": str(ROOT),
                              "PYTHONDONTWRITEBYTECODE": "1"})
        return [run.returncode, *run.stderr.splitlines()]


CHAIN = {"a.c": "int b(void); int a(void) { return b(); }",
         "b.c": "int c(void); int b(void) { return c(); }",
         "c.c": "int c(void) { return 0; }"}
CLOSED = {**CHAIN, "c.c": "int a(void); int c(void) { return a(); }"}
PAIR = {"a.c": "extern int y; int a(void) { return y; }",
        "b.c": "int a(void); int z(void) { return a(); } int y;"}
ROOMS = {"top/a.c": "int b(void); int a(void) { return b(); }",
         "low/b.c": "int b(void) { return 0; }",
         "low/c.c": "int d(void); int c(void) { return d(); }",
         "top/d.c": "int d(void) { return 0; }"}

TESTS = (
    ("a chain is no circle", linted(CHAIN), [0]),
    ("a circle of three is printed with its symbols", linted(CLOSED),
     [1, "a circle of 3:", "  a uses b: b", "  b uses c: c", "  c uses a: a"]),
    ("data makes a circle as functions do", linted(PAIR),
     [1, "a circle of 2:", "  a uses b: y", "  b uses a: a"]),
    ("a file that is not named closes no circle",
     linted(CLOSED, "a.o", "b.o"), [0]),
    ("two circles are two findings",
     len(linted({**CLOSED, "d.c": "int e(void); int d(void) { return e(); }",
                 "e.c": "int d(void); int e(void) { return d(); }"})), 8),
    ("static names lead nowhere",
     linted({"a.c": "static int b(void) { return 0; } int a(void)"
                    "{ return b(); }",
             "b.c": "int a(void); int b(void) { return a(); }"}), [0]),
    ("a weak definition gives way",
     linted({"a.c": "int b(void); int a(void) { return b(); } "
                    "__attribute__((weak)) int c(void) { return 0; }",
             "b.c": "int c(void); int b(void) { return c(); }",
             "c.c": "int c(void) { return 0; }"}), [0]),
    ("folders make a circle where files make none",
     linted(ROOMS) + linted(ROOMS, "--folders", ".")[:2],
     [0, 1, "a circle of 2:"]),
    ("objects of two builds are refused",
     linted({"a.c": "int a;", "old/a.c": "int a;"})[0], 1),
    ("no objects are an error", linted({})[0], 1),
)


if __name__ == "__main__":
    compare(TESTS)

# SPDX-License-Identifier: GPL-2.0-only
"""Splits a long suite into boots with seeds of their own, and goes on with it.

Used by run_guest for `make fuzz`. A boot that has passed counts as long as the
kernel's part of the project is the same and the boot would run the same programs
on the same kind of kernel. The ledger is the file "passed" beside the results, a
line for each boot; whoever has the lock of the results writes it.
"""

import dataclasses
import hashlib
import os
from pathlib import Path

from checks import ROOT

# What the kernel under test is made of.
SOURCES = ("kernel", "arch", "include", "patches")

# System calls of one boot.
CALLS = 200000


def fingerprint():
    """Returns what identifies the state of the kernel's sources."""
    digest = hashlib.sha256()
    for directory in SOURCES:
        for path in sorted((ROOT / directory).rglob("*")):
            if path.is_file():
                digest.update(f"{path.relative_to(ROOT)}\0".encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def split(rows, calls):
    """The boots that make so many CALLS together; ROWS take turns."""
    first = int(os.environ["PFM_FUZZ_SEED"])
    boots = []
    for number in range(-(-calls // CALLS)):
        row = rows[number % len(rows)]
        seed = str(first + number)
        boots.append(dataclasses.replace(
            row,
            guest=dataclasses.replace(row.guest,
                                      name=f"{row.guest.name}-seed{seed}"),
            programs=[p.replace("%calls", str(CALLS)).replace("%seed", seed)
                      for p in row.programs]))
    return boots


class Ledger:
    """The boots of a suite that have passed with these sources."""

    def __init__(self, directory):
        self.directory = Path(directory)
        self.path = self.directory / "passed"
        self.state = fingerprint()
        self.lines = set()
        if self.path.exists():
            self.lines = set(self.path.read_text(encoding="utf-8").splitlines())

    def _line(self, row):
        return " ".join([self.state, row.guest.kernel, row.guest.name,
                         *row.programs])

    def has(self, row):
        """Whether this boot has passed."""
        return self._line(row) in self.lines

    def add(self, row):
        """Notes that it has."""
        line = self._line(row)
        self.lines.add(line)
        with open(self.path, "a", encoding="utf-8") as stream:
            stream.write(line + "\n")

    def remaining(self, rows):
        """The ROWS that have yet to pass; removes the results of all others."""
        passed = [row for row in rows if self.has(row)]
        kept = {Path(row.guest.name).name for row in passed}
        for path in self.directory.glob("*.tap"):
            if path.stem not in kept:
                path.unlink()
        if passed:
            print(f"  {len(passed)} of {len(rows)} boots have passed before with "
                  "this kernel", flush=True)
        return [row for row in rows if row not in passed]

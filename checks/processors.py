# SPDX-License-Identifier: GPL-2.0-only
"""The table of processors: under which names each was detected, and how many
of its counters counted exactly.

The rows come from the program `counters` (tests/selftests/nolibc/counters.c).
Used by run_guest, which prints and stores the table, and by tested_on,
which puts it into Documentation/project/.
"""

from dataclasses import dataclass, astuple, fields
from pathlib import Path

# How a row begins in the output of the program; then fields between tabs.
MARK = "# processor\t"

FILE = "processors.tsv"


@dataclass
class Row:
    """A processor as the guest saw it."""

    cpu: str  # its name in machine/cpus
    linux: str  # what Linux calls it
    driver: str  # what perfmon calls it
    model: str  # the register map
    counters: str  # their number
    exact: str  # how many of them counted exactly
    smp: str = ""  # the numbers of processors that were booted


def rows_of(sections):
    """The rows in the output of programs (report.Section)."""
    lines = [line for section in sections for line in section.lines]
    return [Row(*line[len(MARK):].split("\t"))
            for line in lines if line.startswith(MARK)]


def as_text(rows):
    """The lines of a table for a terminal."""
    head = ("processor", "Linux's name", "perfmon's name", "register map",
            "counters", "exact", "smp")
    table = [head] + [astuple(row) for row in rows]
    widths = [max(len(line[i]) for line in table) for i in range(len(head))]
    return ["  ".join(word.ljust(width) for word, width in zip(line, widths))
            .rstrip() for line in table]


def write(directory, rows):
    """Stores the table."""
    lines = ["\t".join(astuple(row)) for row in rows]
    Path(directory).mkdir(parents=True, exist_ok=True)
    Path(directory, FILE).write_text("".join(line + "\n" for line in lines),
                                     encoding="utf-8")


def read(path):
    """The rows of a stored table."""
    rows = []
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        words = line.split("\t")
        if len(words) != len(fields(Row)):
            raise ValueError(f"{path}: {line}: not a row")
        rows.append(Row(*words))
    return rows

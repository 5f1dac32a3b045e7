# SPDX-License-Identifier: GPL-2.0-only
"""Reads what gcov counted, and chooses among the programs that it was counted for."""

import json
import subprocess
from pathlib import Path

# A row has so many programs for each line: all.
ALL = 1 << 20

# Seconds of a program's start, beside what it takes itself.
START = 0.3

# Files for one gcov at a time.
BATCH = 60


def _counted(document):
    """{source: numbers of the lines that were executed} of one JSON document."""
    found = {}
    for file in json.loads(document)["files"]:
        name = file["file"].removeprefix("../")
        lines = {line["line_number"] for line in file["lines"] if line["count"]}
        found.setdefault(name, set()).update(lines)
    return found


def lines_of(data, root):
    """The same of data files of gcov, with notes beside them; names are below ROOT."""
    found = {}
    for first in range(0, len(data), BATCH):
        done = subprocess.run(
            ["gcov", "--json-format", "--stdout", *map(str, data[first:first + BATCH])],
            check=True, capture_output=True, text=True)
        for document in done.stdout.splitlines():
            if not document.startswith("{"):
                continue
            for name, lines in _counted(document).items():
                path = Path(name)
                if path.is_absolute():
                    if not path.is_relative_to(root):
                        continue
                    name = str(path.relative_to(root))
                if lines:
                    found.setdefault(name, set()).update(lines)
    return found


def ranked(lines, seconds, witnesses=ALL):
    """The programs of a row, the one that is worth most first.

    LINES: {program: lines of the source that it executes}, SECONDS: {program: time}.
    A program is worth the lines that have too few witnesses, by the time that it takes.
    """
    missing = {}
    for its in lines.values():
        for line in its:
            missing[line] = min(missing.get(line, 0) + 1, witnesses)
    left, chosen = dict(lines), []
    while left:
        def worth(program):
            return (sum(1 for line in left[program] if missing[line])
                    / (seconds[program] + START))
        best = max(sorted(left), key=worth)
        if not worth(best):
            break
        for line in left.pop(best):
            missing[line] = max(missing[line] - 1, 0)
        chosen.append(best)
    return chosen


def rows(covered, seconds, witnesses=ALL):
    """{source: programs in the order of ranked()}.

    COVERED: {program: {source: lines}}.
    """
    found = {}
    for program, its in covered.items():
        for name, lines in its.items():
            if lines:
                found.setdefault(name, {})[program] = lines
    return {name: ranked(lines, seconds, witnesses) for name, lines in found.items()}

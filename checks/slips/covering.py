# SPDX-License-Identifier: GPL-2.0-only
"""The table of the programs that execute each source, tests/mutants/covering.

A row is the name of a source and, in lines of their own, what executes it, the
cheapest first:

    lib/calls/state_v3.c
    	unit unit/lib/test_state_v3
    	guest zen1 1 map regs

The first word is the kind of mutants.Test. `python3 -m checks.slips.covering` fails
if a source has no row, or a row no source or a program that there is not.
"""

import sys
from pathlib import Path

from checks import MUTANTS, ROOT, mutants
from checks.slips import choose, source

TABLE = MUTANTS / "covering"
HEAD = """\
# SPDX-License-Identifier: GPL-2.0-only
#
# Which programs execute each source, the cheapest first; made by `make covering`. See
# README.md, "Slips at random".
"""


class TableError(Exception):
    """The table, or what it says of the tree, is wrong."""


def tests_of(words):
    """The tests of one line of a row."""
    kind, *rest = words
    if kind == "unit" and rest:
        return [mutants.Test("unit", program) for program in rest]
    if mutants.is_guest(kind) and len(rest) > 2 and rest[1].isdigit():
        cpu, smp, *programs = rest
        return [mutants.Test(kind, program, cpu, int(smp)) for program in programs]
    raise TableError(f"{' '.join(words)}: not understood")


def parse(lines):
    """{source: [tests of a line, ...]}."""
    found, row = {}, None
    for line in lines:
        if not line.strip() or line.startswith("#"):
            continue
        if not line[0].isspace():
            name = line.strip()
            if name in found:
                raise TableError(f"{name}: there are two")
            row = found[name] = []
        elif row is None:
            raise TableError(f"{line.strip()}: belongs to no source")
        else:
            row.append(tests_of(line.split()))
    return found


def read(path=TABLE):
    """The same of the file."""
    return parse(path.read_text(encoding="utf-8").splitlines())


def _words(tests):
    """A line of a row, for people."""
    first = tests[0]
    where = [first.cpu, str(first.smp)] if first.cpu else []
    return " ".join([first.kind, *where, *(test.program for test in tests)])


def write(table, path=TABLE):
    """Writes the table."""
    lines = [HEAD]
    for name, row in sorted(table.items()):
        lines.append(f"{name}\n")
        lines += [f"\t{_words(tests)}\n" for tests in row]
    path.write_text("".join(lines), encoding="utf-8")


def has_functions(tree, name):
    """Whether slips can be in a source."""
    return bool(source.read(tree, name).functions)


def _programs(tree):
    """The names of the unit tests' sources, without the suffix."""
    return {path.stem for path in Path(tree, "tests/unit").rglob("test_*.c")}


def trouble(table, tree=ROOT):
    """The faults of a table, a line each."""
    wanted = {name for name in choose.files(tree) if has_functions(tree, name)}
    wrong = [f"{name}: no row of tests/mutants/covering" for name in sorted(wanted - set(table))]
    wrong += [f"{name}: has a row, and is no source with functions"
              for name in sorted(set(table) - wanted)]
    known = _programs(tree)
    for name, row in table.items():
        wrong += [f"{name}: there is no {test.program}" for tests in row for test in tests
                  if test.kind == "unit" and Path(test.program).name not in known]
        if not row:
            wrong.append(f"{name}: no program executes it")
    return wrong


def main():
    """Names each row that is missing or wrong."""
    try:
        wrong = trouble(read())
    except TableError as error:
        wrong = [str(error)]
    for text in wrong:
        print(f"covering: {text}", file=sys.stderr)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()

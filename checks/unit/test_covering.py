# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the table of what covers each source, and of verdicts on slips; TAP."""

import base64
import tempfile
from pathlib import Path

from checks import mutants, tap
from checks.unit import compare
from checks.slips import covering, gcov, guest_coverage, trial

ROWS = ("# head", "", "lib/a.c", "\tunit unit/lib/test_a unit/lib/test_b",
        "\tguest zen1 2 one two", "lib/b.c", "\tstock6.12 zen1 1 one")


def error_of(*lines):
    """The error of a table, "" if there is none."""
    try:
        covering.parse(lines)
    except covering.TableError as error:
        return str(error)
    return ""


def names(table):
    """The faults of a table in a tree of three sources."""
    with tempfile.TemporaryDirectory() as tree:
        for name in ("lib/a.c", "lib/new.c", "lib/data.c"):
            path = Path(tree, name)
            path.parent.mkdir(exist_ok=True)
            path.write_text("int x;\n" if "data" in name else
                            "int f(int n)\n{\n\treturn n;\n}\n", encoding="utf-8")
        path = Path(tree, "tests/unit/lib/test_a.c")
        path.parent.mkdir(parents=True)
        path.write_text("", encoding="utf-8")
        return covering.trouble(covering.parse(table), tree)


def written():
    """Whether a table is read as it was written."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, "covering")
        covering.write(covering.parse(ROWS), path)
        return covering.read(path) == covering.parse(ROWS)


def results(**outcomes):
    """Results by name."""
    return [tap.Result(name, outcome) for name, outcome in outcomes.items()]


def known_after(*boots):
    """The lines of each boot that the boots before have not."""
    known, left = {}, []
    for covered in boots:
        left.append(guest_coverage.without(covered, known))
    return left


TWO = [mutants.Test("guest", name, "zen1", 1) for name in "abcde"]
REPORT = ["# klog", "covered one 3", base64.b64encode(b"archive").decode()[:4],
          base64.b64encode(b"archive").decode()[4:], "end one",
          "covered two 1", "YQ==", "covered three 0", "Yg==", "end three"]

# name, what came, what has to
TESTS = (
    ("a row has tests of each kind",
     [[str(test) for test in tests] for tests in covering.parse(ROWS)["lib/a.c"]],
     [["unit/lib/test_a", "unit/lib/test_b"], ["zen1-smp2 one", "zen1-smp2 two"]]),
    ("a table is read as it was written", written(), True),
    ("a source has one row", error_of("lib/a.c", "lib/a.c"), "lib/a.c: there are two"),
    ("tests belong to a source", error_of("\tunit u"), "unit u: belongs to no source"),
    ("an unknown kind of test is an error", error_of("a.c", "\tunits u"),
     "units u: not understood"),
    ("a guest needs a number of processors", error_of("a.c", "\tguest zen1 one two"),
     "guest zen1 one two: not understood"),
    ("sources without a row, rows without a source, tests that are not there",
     names(ROWS),
     ["lib/new.c: no row of tests/mutants/covering",
      "lib/b.c: has a row, and is no source with functions",
      "lib/a.c: there is no unit/lib/test_b"]),
    ("a row without tests is an error", names(("lib/a.c", "lib/new.c", "\tguest p3 1 x")),
     ["lib/a.c: no program executes it"]),
    ("the program with most lines for its time is first",
     gcov.ranked({"a": {1, 2, 3}, "b": {1, 2, 3, 4}, "c": {5}},
                 {"a": 0, "b": 9, "c": 0}), ["a", "c", "b"]),
    ("lines have so many witnesses and no more",
     gcov.ranked({name: {1} for name in "abcd"}, dict.fromkeys("abcd", 0), 2), ["a", "b"]),
    ("rows are of sources that were executed",
     gcov.rows({"a": {"x.c": {1}, "y.c": set()}}, {"a": 0}), {"x.c": ["a"]}),
    ("later boots have the lines that no boot before has executed",
     known_after({"a": {"x.c": {1, 2}}}, {"a": {"x.c": {2, 3}}, "b": {"x.c": {3}}},
                 {"b": {"x.c": {1, 3}}}),
     [{"a": {"x.c": {1, 2}}}, {"a": {"x.c": {3}}, "b": {"x.c": {3}}}, {"b": {"x.c": set()}}]),
    ("reports of programs that ended are taken apart",
     list(guest_coverage.sections(REPORT)), [("one", 3, b"archive"), ("three", 0, b"b")]),
    ("unit tests run one by one, programs of a guest together",
     [len(piece) for piece in trial.pieces(
         [[mutants.Test("unit", "u"), mutants.Test("unit", "v")], TWO], 2)],
     [1, 1, 2, 2, 1]),
    ("a test that fails with a slip only has noticed it",
     trial.noticed(results(a=tap.PASSED, b=tap.FAILED, c=tap.FAILED), ["b"]), "c"),
    ("a test that fails anyway has not",
     trial.noticed(results(a=tap.PASSED, b=tap.FAILED), ["b"]), ""),
)


if __name__ == "__main__":
    compare(TESTS)

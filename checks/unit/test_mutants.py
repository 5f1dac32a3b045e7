# SPDX-License-Identifier: GPL-2.0-only
"""Tests of how lists of mutants are read and applied; TAP. Run by check-unit."""

import tempfile
from pathlib import Path

from checks.unit import compare
from checks import mutants, run_mutants, tap


TEXT = "one\n\ttwo\nthree\n\ttwo\nfour\n"


def edited(*lines):
    """What an edit makes of TEXT, or the error."""
    with tempfile.TemporaryDirectory() as name:
        Path(name, "a.c").write_text(TEXT, encoding="utf-8")
        (mutant,) = mutants.parse(
            ["mutant: m", "what: w", "test: unit u", "file: a.c", *lines])
        try:
            before = mutant.apply(name)
        except mutants.ListError as error:
            same = Path(name, "a.c").read_text(encoding="utf-8") == TEXT
            return str(error) if same else "changed"
        text = Path(name, "a.c").read_text(encoding="utf-8")
        mutants.restore(name, before)
        return text if Path(name, "a.c").read_text(encoding="utf-8") == TEXT else "not restored"


def error_of(*lines):
    """The error of a list, "" if there is none."""
    try:
        mutants.parse(lines)
    except mutants.ListError as error:
        return str(error)
    return ""


def grouped(*tests, size=8):
    """The names of the mutants in each group; TESTS: test, file."""
    lines = []
    for number, (test, file) in enumerate(tests):
        lines += [f"mutant: {number}", "what: w", f"test: {test}",
                  f"file: {file}", "-a", "+b"]
    return ["".join(mutant.name for mutant in group)
            for group in mutants.groups(mutants.parse(lines), size)]


def judged(*outcomes):
    """What is said of mutants of one boot whose programs ended so, and who is tried
    again; "kernel" for a program that passed in a boot that failed."""
    lines, found = [], {}
    for number, _ in enumerate(outcomes):
        lines += [f"mutant: {number}", "what: w", f"test: guest zen1 1 p{number}",
                  "file: a.c", "-a", "+b"]
    group = mutants.parse(lines)
    for mutant, outcome in zip(group, outcomes):
        kernel = tap.FAILED if outcome == "kernel" else tap.PASSED
        own = tap.PASSED if outcome == "kernel" else outcome
        found[mutant.test] = [
            tap.Result(f"{mutant.test.program}: does", own, ""),
            tap.Result("kernel log", kernel, "")]
    verdicts, again = run_mutants.judge_group(group, found)
    return ({name: outcome for name, (outcome, _) in verdicts.items()},
            "".join(mutant.name for mutant in again))


HEAD = ("mutant: m", "what: w")
EDIT = ("file: a.c", "-one", "+1")

# name, what came, what has to
TESTS = (
    ("lines are replaced", edited("-one", "+1", "+11"),
     TEXT.replace("one", "1\n11")),
    ("lines are removed", edited("-three"), TEXT.replace("three\n", "")),
    ("lines around tell which is meant", edited("-three", "-\ttwo", "+three"),
     "one\n\ttwo\nthree\nfour\n"),
    ("a text that is found twice is an error", edited("-\ttwo"),
     "m: a.c: the old text is found 2 times"),
    ("a text that is not found is an error", edited("-five"),
     "m: a.c: the old text is found 0 times"),
    ("a part of a line is not found", edited("-two"),
     "m: a.c: the old text is found 0 times"),
    ("a file that is missing is an error, and nothing is changed",
     edited("-one", "+1", "file: b.c", "-x"), "m: there is no b.c"),
    ("a mutant without a test is an error", error_of(*HEAD, *EDIT),
     "m: needs one of test and equivalent"),
    ("an equivalent mutant has no test",
     error_of(*HEAD, "test: unit u", "equivalent: e", *EDIT),
     "m: needs one of test and equivalent"),
    ("an edit that changes nothing is an error",
     error_of(*HEAD, "test: unit u", "file: a.c", "-one", "+one"),
     "m: a.c is not changed"),
    ("a mutant without an edit is an error", error_of(*HEAD, "test: unit u"),
     "m: what or file is missing"),
    ("an unknown word is an error", error_of(*HEAD, "tets: unit u"),
     "m: tets: unit u: not understood"),
    ("an unknown kind of test is an error", error_of(*HEAD, "test: guest zen1"),
     "test: guest zen1: not understood"),
    ("comments and empty lines are none of it",
     error_of("# c", "", *HEAD, "test: unit u", *EDIT), ""),
    ("a test of a guest",
     str(mutants.parse([*HEAD, "test: guest zen1 2 a,b C001 x", *EDIT])[0].test),
     "zen1-smp2 a,b: C001 x"),
    ("mutants of one processor share a kernel",
     grouped(("guest zen1 1 a", "a.c"), ("guest zen1 2 b", "b.c")), ["01"]),
    ("two that one program has to notice do not",
     grouped(("guest zen1 1 a", "a.c"), ("guest zen1 2 a", "b.c")), ["0", "1"]),
    ("two in one file do not",
     grouped(("guest zen1 1 a", "a.c"), ("guest zen1 1 b", "a.c")), ["0", "1"]),
    ("kinds of tests and processors do not mix",
     grouped(("guest zen1 1 a", "a.c"), ("debug zen1 1 b", "b.c"),
             ("unit u", "c.c"), ("guest p3 1 c", "d.c")), ["0", "1", "2", "3"]),
    ("groups have a size",
     grouped(("unit a", "a.c"), ("unit b", "b.c"), ("unit c", "c.c"), size=2),
     ["01", "2"]),
    ("one that is noticed is killed, whoever is with it",
     judged(tap.FAILED, tap.FAILED), ({"0": tap.PASSED, "1": tap.PASSED}, "")),
    ("one that is not noticed beside others is tried alone",
     judged(tap.FAILED, tap.PASSED), ({"0": tap.PASSED}, "1")),
    ("one whose boot failed beside others is tried alone",
     judged(tap.FAILED, "kernel"), ({"0": tap.PASSED}, "1")),
    ("one that is not noticed alone survives",
     judged(tap.PASSED), ({"0": tap.FAILED}, "")),
    ("one whose boot fails alone is killed",
     judged("kernel"), ({"0": tap.PASSED}, "")),
)


if __name__ == "__main__":
    compare(TESTS)

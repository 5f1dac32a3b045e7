# SPDX-License-Identifier: GPL-2.0-only
"""Tries a slip with the programs that execute its file, until one of them fails.

run_mutants has the copy of the tree, its build and its guests.
"""

import time
from dataclasses import dataclass

from checks import mutants, run_mutants, tap
from checks.slips import guarded

KILLED, LIVED, EQUIVALENT, BROKEN = "killed", "lived", "equivalent", "does not compile"

# Programs in one boot, and the real seconds that it may take.
TOGETHER, BOOT = 8, 300

# Pieces of a row that are run without a slip before all others, and programs in a boot
# for them.
FIRST, MANY = 3, 24


@dataclass
class Verdict:
    """What became of a slip, and why: the test that noticed it, or what was short."""

    word: str
    reason: str = ""


def failures(results):
    """The names of the results that failed."""
    return [r.name for r in results if r.outcome == tap.FAILED]


def noticed(results, known):
    """The first failure that is not among those KNOWN without a slip; "" if none."""
    return next((name for name in failures(results) if name not in known), "")


def pieces(row, together=TOGETHER):
    """The lines of a row in pieces that run together."""
    for tests in row:
        size = 1 if tests[0].kind == "unit" else together
        for first in range(0, len(tests), size):
            yield tests[first:first + size]


class Trial:
    """Tries slips in a tree; BUDGET: seconds for each."""

    def __init__(self, tree, table, budget):
        self.tree, self.table, self.budget = tree, table, budget
        self.known = {}

    def _build(self, tests):
        """Builds what tests need; returns make's errors."""
        goals = [run_mutants.target(test) for test in tests]
        return run_mutants.build_all(self.tree, goals)

    def _run(self, tests):
        """Runs tests of one piece, which are built; returns the results."""
        first = tests[0]
        if first.kind == "unit":
            return guarded.results(self.tree.path, first.program)
        key = (first.kind, first.cpu, first.smp, first.arguments)
        return run_mutants.run_guest(self.tree, key, [test.program for test in tests],
                                     BOOT * -(-len(tests) // TOGETHER))

    def learn(self, tests):
        """Notes what fails without a slip; TESTS are of one piece."""
        tests = [test for test in tests if test not in self.known]
        if not tests:
            return
        wrong = self._build(tests)
        if wrong:
            raise mutants.ListError(wrong)
        failed = failures(self._run(tests))
        self.known.update({test: failed for test in tests})
        for name in failed:
            print(f"  fails without a slip: {name}", flush=True)

    def learn_first(self, slips):
        """Learns what guests run first for SLIPS: their kernel is built for no slip."""
        wanted = {}
        for slip in slips:
            for piece in list(pieces(self.table.get(slip.file, [])))[:FIRST]:
                if piece[0].kind != "unit":
                    wanted.setdefault((piece[0].kind, piece[0].cpu, piece[0].smp),
                                      {}).update(dict.fromkeys(piece))
        for piece in pieces([list(tests) for tests in wanted.values()], MANY):
            self.learn(piece)

    def _images(self, piece, slip):
        """The files of the guest that a slip outside the kernel is in."""
        if piece[0].kind == "unit":
            return []
        return [f"guest/{run_mutants.variant(piece[0])}.cpio"] * (
            not slip.file.startswith(run_mutants.KERNEL))

    def _try_piece(self, piece, slip):
        """The verdict of some programs on a slip that is made; None if it lives."""
        wrong = self._build(piece) or run_mutants.build_all(
            self.tree, self._images(piece, slip))
        if wrong:
            return Verdict(BROKEN, wrong.strip().splitlines()[-1])
        known = [name for test in piece for name in self.known[test]]
        name = noticed(self._run(piece), known)
        return Verdict(KILLED, f"by {name}") if name else None

    def judge(self, slip):
        """The verdict on a slip that compiles."""
        row = list(pieces(self.table.get(slip.file, [])))
        if not row:
            return Verdict(LIVED, "no program executes the file")
        started = time.monotonic()
        for number, piece in enumerate(row):
            if time.monotonic() - started > self.budget:
                return Verdict(LIVED, f"after {number} of {len(row)} runs, no time left")
            self.learn(piece)
            before = slip.apply(self.tree.path)
            try:
                verdict = self._try_piece(piece, slip)
            finally:
                mutants.restore(self.tree.path, before)
            if verdict:
                return verdict
        return Verdict(LIVED)

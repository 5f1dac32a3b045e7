# SPDX-License-Identifier: GPL-2.0-only
"""The conformance cases and the processors on which they were passed.

usage: python3 -m checks.conformance [--partial] [--cases FILE] DIRECTORY

Reads what run_guest has written to DIRECTORY, prints a table of the cases of
the file cases by processor, and why any was skipped. What is missing - a case
that was passed nowhere, or was not run where cases wants it - is a failed
test in DIRECTORY/conformance.tap, which checks.results counts with the rest.
With --partial only a part of the plan was run, and nothing is missing.
"""

import argparse
import re
import string
from dataclasses import dataclass, field
from pathlib import Path

from checks import GUEST, boot, tap


CASES = GUEST / "cases"
OWN = "conformance.tap"

NUMBER = re.compile(r"\b(C\d{3})_")
BOOT = re.compile(r"(.+)-smp(\d+)")

# Programs that are the others, through another interface of the library: a column
# of their own, whatever the processor.
OTHERS = re.compile(r"\S+_v281: ")
OTHER = "v2.81"

# What the table shows; a letter stands for the reason of a skip.
MARKS = {tap.PASSED: "+", tap.FAILED: "!", None: "."}

# Of several tests of a case on a processor the gravest tells.
GRAVITY = (tap.FAILED, tap.PASSED, tap.SKIPPED)


@dataclass
class Case:
    """A conformance case and what became of it."""

    number: str
    tags: set
    text: str
    wanted: list = field(default_factory=list)  # processors
    results: dict = field(default_factory=dict)  # {processor: tap.Result}

    def add(self, cpu, result, smp):
        """Another test of this case, in a guest with SMP processors."""
        if "MP" in self.tags and smp < 2 and result.outcome == tap.PASSED:
            result = tap.Result(result.name, tap.SKIPPED,
                                "one processor proves nothing")
        old = self.results.get(cpu)
        if not old or (GRAVITY.index(result.outcome)
                       < GRAVITY.index(old.outcome)):
            self.results[cpu] = result

    def trouble(self):
        """What is missing; "" if nothing."""
        if not any(r.outcome == tap.PASSED
                   for cpu, r in self.results.items() if cpu != OTHER):
            return "passed nowhere"
        missing = [cpu for cpu in self.wanted if cpu not in self.results]
        return f"not run on {', '.join(missing)}" if missing else ""


def read_cases(path):
    """The file as {number: Case}."""
    cases, runs = {}, []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        first, second, rest = line.split(None, 2)
        if first == "run":
            runs.append((set(second.split(",")), rest.split(",")))
        else:
            cases[first] = Case(first, set(second.split(",")), rest)
    for case in cases.values():
        for tags, cpus in runs:
            if tags & case.tags:
                case.wanted += cpus
    return cases


def read_results(directory, cases):
    """Adds the results to CASES; returns the names of tests of no case."""
    strange = []
    for path in sorted(directory.glob("*.tap")):
        match = BOOT.match(path.stem)
        if not match:
            continue
        lines = path.read_text(encoding="utf-8").splitlines()
        for result in tap.parse(lines)[0]:
            number = NUMBER.search(result.name)
            column = OTHER if OTHERS.match(result.name) else match.group(1)
            if number and number.group(1) in cases:
                cases[number.group(1)].add(column, result,
                                            int(match.group(2)))
            elif number:
                strange.append(result.name)
    return strange


class Reasons:
    """Why cases were skipped, and the letters that stand for it."""

    def __init__(self):
        self.letters = {}

    def mark(self, result):
        """The character for a result, or for None."""
        if not result or result.outcome != tap.SKIPPED:
            return MARKS[result.outcome if result else None]
        letters = string.ascii_lowercase + string.ascii_uppercase
        number = len(self.letters)
        return self.letters.setdefault(result.reason, letters[number])


def table(cases):
    """The lines of the table."""
    cpus = [cpu for cpu in (*boot.processors(), OTHER)
            if any(cpu in case.results for case in cases.values())]
    height = max(map(len, cpus), default=0)
    reasons = Reasons()
    lines = [" " * 6 + " ".join(cpu.rjust(height)[row] for cpu in cpus)
             for row in range(height)]
    for case in cases.values():
        marks = [reasons.mark(case.results.get(cpu)) for cpu in cpus]
        lines.append(f"{case.number}  {' '.join(marks)}  {case.text}")
    lines.append("+ passed, ! failed, . not in the plan; skipped because of:")
    lines += [f"{letter} {reason}"
              for reason, letter in reasons.letters.items()]
    return [line.rstrip() for line in lines]


def judge(cases, strange, partial):
    """The results that are more than those of the single tests."""
    results = [tap.Result(name, tap.FAILED, "tests/guest/cases lacks it")
               for name in strange]
    for case in cases.values():
        trouble = "" if partial else case.trouble()
        if trouble:
            results.append(tap.Result(f"{case.number} {case.text}",
                                      tap.FAILED, trouble))
    return results or [tap.Result("no conformance case is missing",
                                  tap.PASSED)]


def main():
    """Prints the table and writes what is missing."""
    parser = argparse.ArgumentParser()
    parser.add_argument("directory", type=Path)
    parser.add_argument("--partial", action="store_true")
    parser.add_argument("--cases", default=CASES, type=Path)
    args = parser.parse_args()
    cases = read_cases(args.cases)
    strange = read_results(args.directory, cases)
    print()
    for line in table(cases):
        print(f"  {line}")
    passed = sum(any(r.outcome == tap.PASSED for r in case.results.values())
                 for case in cases.values())
    print(f"\n  {passed} of {len(cases)} conformance cases passed\n")
    tap.write(args.directory / OWN, judge(cases, strange, args.partial))


if __name__ == "__main__":
    main()

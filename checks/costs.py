# SPDX-License-Identifier: GPL-2.0-only
"""Whether the table of Documentation/project/costs.md is one of bench_report's.

usage: python3 -m checks.costs

Its rows were copied from what make bench printed. Their limits have to be those of
bench/limits, their ratios those of their numbers, and none may be over its limit.
"""

import re
import sys

from checks import ROOT, bench_report


PAGE = "Documentation/project/costs.md"
ACCESSES = r"(\d+)/(\d+)/(\d+)"
ROW = re.compile(rf"(\S.*?) +(\d+) +(\d+) +{ACCESSES} +(\d+) +{ACCESSES} +"
                 r"(\d+\.\d+) +(\d+\.\d+) +(\S+)")


def judge(match, limits):
    """Returns what is wrong with a row."""
    operation, counters, *numbers = match.groups()
    costs = [int(number) for number in numbers[:8]]
    ours, theirs, said = costs[:4], costs[4:], numbers[8:10]
    limit, no_wrmsr = limits.get((operation, counters), ("-", False))
    ratios = (bench_report.ratio(ours[0], theirs[0]),
              bench_report.ratio(bench_report.cycles(ours),
                                 bench_report.cycles(theirs)))
    wrong = []
    if numbers[10] != limit:
        wrong.append(f"the limit is {limit} in bench/limits")
    if said != [f"{ratio:.3f}" for ratio in ratios]:
        wrong.append(f"the ratios are {ratios[0]:.3f} and {ratios[1]:.3f}")
    if bench_report.is_over(limit, no_wrmsr, ours, ratios):
        wrong.append(f"over its limit of {limit}" +
                     (", without a WRMSR" if no_wrmsr else ""))
    return [f"{PAGE}: {operation}, {counters}: {text}" for text in wrong]


def main():
    """Prints what is wrong; the status says whether something is."""
    limits = bench_report.read_limits()
    lines = (ROOT / PAGE).read_text(encoding="utf-8").splitlines()
    rows = [match for match in map(ROW.fullmatch, lines) if match]
    found = [text for row in rows for text in judge(row, limits)]
    if not rows:
        found = [f"{PAGE}: no table of costs"]
    if found:
        sys.exit("\n".join(found))


if __name__ == "__main__":
    main()

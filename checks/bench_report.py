# SPDX-License-Identifier: GPL-2.0-only
"""Makes a table of what bench/sessions printed, and holds it against the limits.

usage: python3 -m checks.bench_report CPU LIMITS RESULTS_TSV < output of bench/sessions

Writes RESULTS_TSV with all rows: operation, counters, mode, limit, then
instructions, wrmsr, rdmsr and rdpmc of perfmon and of perf_event, then the two
ratios perfmon/perf_event of instructions and of estimated cycles. The status is
1 if a row is over its limit or one that has a limit is missing.
"""

import sys
from pathlib import Path

from checks import ROOT

# Estimated cycles of one instruction and of each access to the PMU.
CYCLES = (1, 150, 100, 30)
COLUMNS = ("operation counters mode limit "
           "instructions wrmsr rdmsr rdpmc "
           "perf_instructions perf_wrmsr perf_rdmsr perf_rdpmc "
           "ratio_instructions ratio_cycles").split()


def read_limits(path=ROOT / "bench/limits"):
    """(operation, counters) -> (limit, whether MSR writes are forbidden)."""
    limits = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            fields = line.split("\t")
            limits[fields[0], fields[1]] = (fields[2], len(fields) > 3)
    return limits


def ratio(ours, theirs):
    """As a number; nothing is free beside nothing."""
    if theirs:
        return ours / theirs
    return 0.0 if not ours else float("inf")


def cycles(cost):
    """Estimated cycles of instructions, wrmsr, rdmsr, rdpmc."""
    return sum(n * each for n, each in zip(cost, CYCLES))


def is_over(limit, no_wrmsr, ours, ratios):
    """Whether our cost, or its ratios, are more than bench/limits allows."""
    if no_wrmsr and ours[1]:
        return True
    if limit.startswith("="):
        return ours[0] > int(limit[1:])
    return limit != "-" and max(ratios) > float(limit)


def read_rows(stream, limits):
    """The lines of bench/sessions with limits and ratios."""
    rows = []
    for line in stream:
        fields = line.rstrip("\n").split("\t")
        if len(fields) != 11:
            continue
        ours = [int(field) for field in fields[3:7]]
        theirs = [int(field) for field in fields[7:11]]
        limit, no_wrmsr = limits.get((fields[0], fields[1]), ("-", False))
        ratios = (ratio(ours[0], theirs[0]),
                  ratio(cycles(ours), cycles(theirs)))
        rows.append((fields, limit, ratios,
                     is_over(limit, no_wrmsr, ours, ratios)))
    return rows


def print_table(cpu, rows):
    """For people."""
    print(f"\n{cpu}: instructions and wrmsr/rdmsr/rdpmc per operation")
    print(f"{'operation':38} {'n':>2} {'perfmon':>8} {'w/r/p':>8} "
          f"{'perf_event':>10} {'w/r/p':>9} {'ratio':>6} {'cycles':>6} limit")
    for fields, limit, ratios, over in rows:
        print(f"{fields[0]:38} {fields[1]:>2} {fields[3]:>8} "
              f"{'/'.join(fields[4:7]):>8} {fields[7]:>10} "
              f"{'/'.join(fields[8:11]):>9} {ratios[0]:6.3f} "
              f"{ratios[1]:6.3f} {limit:>5}{'  OVER' if over else ''}")


def main():
    """Reads, writes, judges."""
    cpu, limits, results = sys.argv[1:]
    limits = read_limits(Path(limits))
    rows = read_rows(sys.stdin, limits)
    path = Path(results)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="ascii") as stream:
        print("\t".join(COLUMNS), file=stream)
        for fields, limit, ratios, _ in rows:
            print("\t".join([*fields[:3], limit, *fields[3:],
                             f"{ratios[0]:.4f}", f"{ratios[1]:.4f}"]),
                  file=stream)
    print_table(cpu, rows)
    measured = {tuple(fields[:2]) for fields, *_ in rows}
    missing = [name for name in limits if name not in measured]
    for operation, counters in missing:
        print(f"not measured: {operation}, {counters}")
    sys.exit(any(over for *_, over in rows) or bool(missing))


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: GPL-2.0-only
"""Tests what perf_beside.py makes of the guest's lines; writes TAP."""

from checks import perf_beside
from checks.unit import compare


def shares(*samples):
    """Those of one function, by all four recordings."""
    return perf_beside.shares([["step", "hot50", "49.9", tool, how, number, "1000"] for
                               (tool, how), number in zip(perf_beside.SHARES, samples)])


def chains(*samples):
    """Rows of a program that has 800 samples if one is exact."""
    whole = "800" if any(number != "0" for number in samples) else "0"
    return list(perf_beside.chain_rows(
        ["tail", tool, how, number, whole] for (tool, how), number in
        zip(perf_beside.CHAINS, samples)))


FOUND = shares("494", "400", "499", "0")
TOLD = [["step", "pfmon", "0", "0"], ["step", "perf", "0", "0"],
        ["vanishes", "pfmon", "0", "0"], ["vanishes", "perf", "0", "1000"]]

TESTS = (
    ("a share has its error beside it", list(perf_beside.share_rows(FOUND)),
     [["step: `hot50`", "49.9", "49.4 (-0.5)", "40.0 (-9.9)", "49.9 (+0.0)",
       "0.0 (-49.9)"]]),
    ("each column has its errors", list(perf_beside.mean_rows(FOUND)),
     [["mean", "0.50", "9.90", "0.00", "49.90"],
      ["greatest", "0.5", "9.9", "0.0", "49.9"]]),
    ("one sample without its callers is not all of them",
     chains("800", "0", "799", "400", "800"),
     [["tail", "100", "0", "99.88", "50", "100"]]),
    ("no samples have no callers", chains(*"00000"), [["tail", *"00000"]]),
    ("a program is listed if a tool has unknown samples",
     list(perf_beside.told_rows(TOLD)), [["vanishes", "0", "0", "0", "1000"]]),
)


if __name__ == "__main__":
    compare(TESTS)

# SPDX-License-Identifier: GPL-2.0-only
"""Folded lines, by adding them up; speedscope is beside it."""

from checks.exports import truth


def frame(function):
    """How a line names a function."""
    return function.name + ("_[k]" if function.kernel else "")


def stack(row):
    """Names of a line: those that end a frame in it are replaced."""
    return (truth.NAMES[row.tid].replace(";", ":"),
            *(frame(function) for function in row.functions))


def test(stand, record):
    """Each stack of each event."""
    for event in truth.SAMPLED:
        file = stand.export(record, "folded", "-e", truth.EVENTS[event])
        if not file:
            continue
        found = {}
        for line in file.read_text(encoding="utf-8").splitlines():
            names, _, samples = line.rpartition(" ")
            # A line that is there twice is not folded.
            key = tuple(names.split(";"))
            found[key] = None if key in found else int(samples)
        stand.same(record, f"folded lines have {truth.EVENTS[event]}", found,
                   record.truth.sums(event, stack))

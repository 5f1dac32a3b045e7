# SPDX-License-Identifier: GPL-2.0-only
"""callgrind_annotate, as valgrind brings it."""

import collections
import re

from checks.exports import truth

# Costs, perhaps a mark of a tree, and FILE:FUNCTION [OBJECT].
ROW = re.compile(r"^\s*([\d,.]+)\s+([\d,.]+)\s+([*<>] +)?(\S+?):(.*) \[(.*)\]$")
CALLS = re.compile(r" \([\d,]+x\)$")
SOURCE_ROW = re.compile(r"^\s*([\d,.]+)\s+([\d,.]+)\s+function (\S+)$|"
                        r"^\s*([\d,.]+)\s+([\d,.]+)\s+function (\S+?),")


def annotate(stand, file, *words):
    """Runs it; no row is left out."""
    return stand.run("callgrind_annotate", "--show-percs=no", "--threshold=100",
                     "--auto=no", *words, file)


def number(text):
    """Of a column."""
    return 0 if text == "." else int(text.replace(",", ""))


def rows_of(text):
    """Mark, function and the costs of each row, in order; [root] is nobody's."""
    for line in text.splitlines():
        row = ROW.match(line)
        if row:
            name = CALLS.sub("", row.group(5))
            file = row.group(6).replace("???", "")
            yield ((row.group(3) or "").strip(), truth.Function(name, file),
                   (number(row.group(1)), number(row.group(2))))


def both(sums_of):
    """Function -> the sums of both events."""
    first, second = (sums_of(event) for event in truth.SAMPLED)
    return {one: (first.get(one, 0), second.get(one, 0))
            for one in {**first, **second}}


def test_functions(stand, record, file):
    """Costs of functions themselves."""
    done = annotate(stand, file)
    found = {function: costs for _, function, costs in rows_of(done.stdout)
             if any(costs)}
    stand.same(record, "callgrind_annotate has each function's own costs",
               found, both(record.truth.flat))
    totals = "  ".join(f"{record.truth.total(event):,}"
                       for event in truth.SAMPLED)
    stand.result(f"{record.title}: callgrind_annotate has the sums",
                 re.search(r"^ *" + totals.replace("  ", " +") +
                           r" +PROGRAM TOTALS$", done.stdout, re.MULTILINE) and
                 not done.stderr, done.stdout[:300] + done.stderr)


def edges(what, event):
    """Caller and callee -> samples in which they are; recursion is no call."""
    def pairs(row):
        callers = [truth.Function("[root]", ""), *row.functions]
        return {(caller, callee) for caller, callee in
                zip(callers, row.functions) if caller != callee}
    return what.sums(event, pairs)


def test_calls(stand, record, file):
    """Inclusive costs, and who called whom."""
    done = annotate(stand, file, "--inclusive=yes", "--tree=calling")
    found, called, caller, callees = {}, collections.Counter(), None, []
    for mark, function, costs in rows_of(done.stdout):
        if mark == "*":
            caller = function
            found[function] = costs
            callees = []
        if mark == ">" and caller:
            callees.append(function)
            called[caller, function] = costs
    root = truth.Function("[root]", "")
    wanted = both(record.truth.inclusive)
    wanted[root] = tuple(record.truth.total(event) for event in truth.SAMPLED)
    stand.same(record, "callgrind_annotate has inclusive costs", found, wanted)
    stand.same(record, "callgrind_annotate has the costs of calls", called,
               both(lambda event: edges(record.truth, event)))


def test_lines(stand, record, file):
    """Costs of lines: a function of the program is one."""
    done = annotate(stand, file, "--auto=yes")
    found = {}
    for line in done.stdout.splitlines():
        row = SOURCE_ROW.match(line)
        if row:
            name = row.group(3) or row.group(6)
            found[truth.MANGLED.get(name, name)] = (
                number(row.group(1) or row.group(4)),
                number(row.group(2) or row.group(5)))
    program = record.truth.files[0]
    wanted = both(record.truth.flat)
    stand.same(record, "callgrind_annotate has the costs of lines",
               {name: costs for name, costs in found.items() if any(costs)},
               {one.name: costs for one, costs in wanted.items()
                if one.file == program and not one.name.startswith("[")})


def test(stand, record):
    """All of it."""
    file = stand.export(record, "callgrind")
    if not file:
        return
    test_functions(stand, record, file)
    test_lines(stand, record, file)
    if record.truth.chains:
        test_calls(stand, record, file)

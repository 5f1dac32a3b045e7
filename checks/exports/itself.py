# SPDX-License-Identifier: GPL-2.0-only
"""pfmon's own report and script, which the programs of others are held against."""

import collections
import re

from checks.exports import truth

TABLE = re.compile(r"^# (\S+) \(.*\): (\d+) samples, (\d+) events$")
# What nothing was mapped for has no file.
HEAD = re.compile(r"^(.*) (\d+)/\d+ \[\d+\] (\d+\.\d{9}): (\d+) (\S+): "
                  r"[0-9a-f]+ (.*?)(?: \(([^()]*)\))?$")
CALLER = re.compile(r"^\t[0-9a-f]+ (.*?)(?: \(([^()]*)\))?$")
OFFSET = re.compile(r"\+0x[0-9a-f]+$")


def reported(text, chains):
    """Event, name and file -> its samples, and with chains those in total."""
    rows, event = {}, None
    for line in text.splitlines():
        table = TABLE.match(line)
        if table:
            event = table.group(1)
        fields = line.split()
        if not fields or not fields[0].isdigit():
            continue
        count = 5 if chains else 3
        name = " ".join(fields[count:-1])
        numbers = (int(fields[0]), int(fields[3])) if chains else \
            (int(fields[0]),)
        rows[event, name, fields[-1].replace("-", "", fields[-1] == "-")] = \
            numbers
    return rows


def expected(what):
    """The same by the truth."""
    rows = {}
    for event in truth.SAMPLED:
        flat = what.flat(event)
        for function, total in what.inclusive(event).items():
            own = flat.get(function, 0)
            rows[truth.EVENTS[event], function.name, function.file] = \
                (own, total) if what.chains else (own,)
    return rows


def place(name, file):
    """Name and file of what a script calls NAME+0xOFFSET."""
    return name if name.startswith("[") else OFFSET.sub("", name), file or ""


def scripted(text):
    """Event, thread, name, functions and period -> samples, and the times."""
    rows, stacks = collections.Counter(), []
    for line in text.splitlines():
        head, caller = HEAD.match(line), CALLER.match(line)
        if head:
            stacks.append((head, [place(*head.group(6, 7))]))
        elif caller:
            stacks[-1][1].append(place(*caller.groups()))
    for head, functions in stacks:
        comm, tid, _, period, event = head.groups()[:5]
        rows[event, int(tid), comm, tuple(reversed(functions)),
             int(period)] += 1
    return dict(rows), [head.group(3) for head, _ in stacks]


def recorded(what):
    """The same by the truth."""
    return {(truth.EVENTS[row.event], row.tid, truth.NAMES[row.tid],
             tuple((one.name, one.file) for one in row.functions),
             row.period): row.count for row in what.rows}


def test(stand, record):
    """Both verbs."""
    done = stand.profile("report", record.file)
    stand.same(record, "pfmon report has each function's samples",
               reported(done.stdout, record.truth.chains),
               expected(record.truth))
    done = stand.profile("script", record.file)
    found, times = scripted(done.stdout)
    stand.same(record, "pfmon script has each sample", found,
               recorded(record.truth))
    stand.result(f"{record.title}: pfmon script has them at their times",
                 times == record.truth.times(), times[:3])

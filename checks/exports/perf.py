# SPDX-License-Identifier: GPL-2.0-only
"""perf of Debian: report, script and annotate of a perf.data."""

import collections
import re

from checks.exports import truth

EVENT = re.compile(r"^# Samples: \S+ +of event '(.*)'$")
SAMPLE = re.compile(r"^(.*?) +(\d+)/(\d+) +([\d.]+): +(\d+) +(\S+): *(.*)$")
FRAME = re.compile(r"^\s*([0-9a-f]+) (.+) \((.*)\)$")
OFFSET = re.compile(r"\+0x[0-9a-f]+$")
HEAD = re.compile(r"disassembly of \S+ for (\S+) \((\d+) samples", re.IGNORECASE)
INSTRUCTION = re.compile(r"^\s*(\d+) :\s+([0-9a-f]+):")

# What the kernel moves by when it boots anew is a multiple of it.
MOVED = 0x2000000

# Percents have two places behind the point.
ROUNDED = 0.00501


def write_kernel(stand, moved=0):
    """What perf knows of the kernel: symbols where the recording has them, or moved."""
    rows = {"_text": 0, "_stext": 0, **truth.KERNEL, "_etext": truth.SIZE}
    file = stand.folder / f"kallsyms-{moved:x}"
    file.write_text("".join(f"{truth.KERNEL_BEGIN + moved + begin:x} T {name}\n"
                            for name, begin in rows.items()),
                    encoding="ascii")
    return f"--kallsyms={file}"


def short(function):
    """How perf names a function and its file: C++ without parameters, and bare numbers
    where there is no symbol."""
    name = function.name.partition("(")[0]
    if name.startswith("["):
        name = f"0x{int(name.rpartition('0x')[2].rstrip(']'), 16):016x}"
    file = function.file.rpartition("/")[2] or "[unknown]"
    return name, "[kernel.kallsyms]" if function.kernel else file


def report(stand, file, *words):
    """Runs perf report; returns the columns of its rows by event."""
    done = stand.run("perf", "report", "--stdio", "-g", "none", "-t", "|",
                     "-i", file, *words)
    tables, event = collections.defaultdict(list), None
    for line in done.stdout.splitlines():
        head = EVENT.match(line)
        if head:
            event = head.group(1)
        elif line.strip() and not line.startswith("#"):
            tables[event].append([column.strip() for column in line.split("|")])
    return tables, done.stderr


def named(columns):
    """Function and file of the last two columns of a row."""
    return columns[-2].split("] ", 1)[1], columns[-1]


def test_functions(stand, record, file, kernel):
    """Samples and periods of functions."""
    tables, complaint = report(stand, file, "--no-children", "-F",
                               "sample,period,sym,dso", kernel)
    stand.result(f"{record.title}: perf report has no complaint",
                 tables and not complaint, complaint)
    for event in truth.SAMPLED:
        name = truth.EVENTS[event]
        found = {named(row): (int(row[0]), int(row[1])) for row in tables[name]}
        flat = record.truth.flat(event, short)
        periods = record.truth.flat(event, short, weight=truth.events_of)
        stand.same(record, f"perf report has {name}: samples and periods", found,
                   {one: (flat[one], periods[one]) for one in flat})
    stand.result(f"{record.title}: perf report has no other event with samples",
                 sorted(name for name, rows in tables.items() if rows) ==
                 sorted(truth.EVENTS[event] for event in truth.SAMPLED),
                 list(tables))


def test_moved_kernel(stand, record, file):
    """The kernel lies elsewhere since another boot: its symbols have moved."""
    tables, _ = report(stand, file, "--no-children", "-F", "sample,sym,dso",
                       write_kernel(stand, MOVED))
    for event in truth.SAMPLED:
        found = {named(row): int(row[0]) for row in tables[truth.EVENTS[event]]}
        stand.same(record, f"perf report has {truth.EVENTS[event]} of a kernel that "
                   "has moved", found, record.truth.flat(event, short))


def test_threads(stand, record, file):
    """Samples by the names of threads."""
    tables, _ = report(stand, file, "--no-children", "-F", "sample,comm")
    for event in truth.SAMPLED:
        stand.same(record, f"perf report has {truth.EVENTS[event]} of threads",
                   {row[1]: int(row[0]) for row in tables[truth.EVENTS[event]]},
                   record.truth.sums(event, lambda row: truth.NAMES[row.tid]))


def test_children(stand, record, file, kernel):
    """Shares of functions with what they called."""
    tables, _ = report(stand, file, "--children", "-F",
                       "overhead_children,sample,sym,dso", kernel)
    for event in truth.SAMPLED:
        name = truth.EVENTS[event]
        total = sum(truth.events_of(row) for row in record.truth.rows
                    if row.event == event)
        wanted = record.truth.inclusive(event, short, weight=truth.events_of)
        # Bare numbers of callers are addresses, of samples places in the file.
        found = {named(row): float(row[0].rstrip("%")) for row in tables[name]
                 if not named(row)[0].startswith("0x")}
        shares = {one: found[one] if one in found and
                  abs(found[one] - 100 * events / total) <= ROUNDED else
                  100 * events / total for one, events in wanted.items()
                  if not one[0].startswith("0x")}
        stand.same(record, f"perf report has {name} with those of callees",
                   found, shares)


def frame(row):
    """Function and file of a frame of perf script."""
    address, name, file = row.groups()
    name = OFFSET.sub("", name)
    if name == "[unknown]":
        # As the report has them: those of the program are places in its file.
        place = int(address, 16)
        if truth.PROGRAM_BEGIN <= place < truth.PROGRAM_BEGIN + truth.SIZE:
            place += truth.FIRST_PLACE - truth.PROGRAM_BEGIN
        name = f"0x{place:016x}"
    return name, file.rpartition("/")[2] if file.startswith("/") else file


def scripted(text):
    """Event, process, thread, name, functions and period -> samples, and the times."""
    rows, times, stacks = collections.Counter(), [], []
    for line in text.splitlines():
        head, row = SAMPLE.match(line), FRAME.match(line)
        if head:
            stacks.append((head, []))
            row = FRAME.match(head.group(7))
        if row:
            stacks[-1][1].append(frame(row))
    for head, functions in stacks:
        comm, tgid, tid, time, period, event = head.groups()[:6]
        times.append(time)
        rows[event, int(tgid), int(tid), comm.strip(),
             tuple(reversed(functions)), int(period)] += 1
    return dict(rows), times


def test_script(stand, record, file, kernel):
    """Each sample with its call chain."""
    done = stand.run("perf", "script", "--ns", "-i", file, kernel, "-F",
                     "comm,pid,tid,time,period,event,ip,sym,symoff,dso")
    found, times = scripted(done.stdout)
    wanted = {(truth.EVENTS[row.event], row.tgid, row.tid, truth.NAMES[row.tid],
               tuple(short(one) for one in row.functions), row.period): row.count
              for row in record.truth.rows}
    stand.same(record, "perf script has each sample", found, wanted)
    stand.result(f"{record.title}: perf script has them at their times",
                 times == record.truth.times(), times[:3])


def test_instructions(stand, record, file):
    """Samples of each instruction of a function."""
    done = stand.run("perf", "annotate", "--stdio", "--show-nr-samples", "-i",
                     file, "-s", "walk")
    found, event = {}, None
    for line in done.stdout.splitlines():
        head, row = HEAD.search(line), INSTRUCTION.match(line)
        if head:
            event = head.group(1)
        elif row and int(row.group(1)):
            found[event, int(row.group(2), 16)] = int(row.group(1))
    begin = truth.PROGRAM_BEGIN + truth.PROGRAM["walk"]
    wanted = {(truth.EVENTS[event], ip): count for event in truth.SAMPLED
              for ip, count in record.truth.sums(
                  event, lambda row: row.frames[-1].address).items()
              if begin <= ip < begin + truth.FUNCTION_SIZE}
    stand.same(record, "perf annotate has the samples of instructions", found,
               wanted)


def test(stand, record):
    """All of it."""
    file = stand.export(record, "perfdata")
    if not file:
        return
    kernel = write_kernel(stand)
    test_functions(stand, record, file, kernel)
    test_moved_kernel(stand, record, file)
    test_threads(stand, record, file)
    test_script(stand, record, file, kernel)
    test_instructions(stand, record, file)
    if record.truth.chains:
        test_children(stand, record, file, kernel)

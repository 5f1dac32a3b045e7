# SPDX-License-Identifier: GPL-2.0-only
"""pprof, as Debian's Go brings it."""

import re

from checks.exports import truth

# Flat and cumulative with their shares, the name, and for functions of a file that.
ROW = re.compile(r"^\s*(\d+)\s+[\d.]+%\s+[\d.]+%\s+(\d+)\s+[\d.]+%\s+(.*)$")
TAG = re.compile(r"^\s*([\d.]+) \([^)]*\): (.*)$")
INSTRUCTION = re.compile(r"^\s*(\d+|\.)\s+(\d+|\.)\s+([0-9a-f]+):")


def pprof(stand, file, *words):
    """Runs it on a file; small rows are not left out."""
    return stand.run("go", "tool", "pprof", "-nodecount=10000",
                     "-nodefraction=0", "-symbolize=none", *words, file)


def label(function):
    """How it names a function and its file."""
    return f"{function.name} {function.file}".strip()


def values(what):
    """What each of its values is: name, event and weight."""
    for event in truth.SAMPLED:
        name = truth.EVENTS[event]
        yield f"samples of {name}", event, lambda row: row.count
        yield name, event, truth.events_of
    assert what.total(truth.SAMPLED[0])


def test_functions(stand, record, file):
    """Each value of each function, of its own and with what it called."""
    for value, event, weight in values(record.truth):
        done = pprof(stand, file, "-top", "-filefunctions",
                     f"-sample_index={value}")
        rows = [ROW.match(line) for line in done.stdout.splitlines()]
        found = {row.group(3): (int(row.group(1)), int(row.group(2)))
                 for row in rows if row}
        flat = record.truth.flat(event, label, weight=weight)
        total = record.truth.inclusive(event, label, weight=weight)
        stand.same(record, f"pprof has {value}, flat and cumulative", found,
                   {name: (flat.get(name, 0), total[name]) for name in total})


def test_threads(stand, record, file):
    """Its tags: names and numbers of threads."""
    event = truth.SAMPLED[0]
    done = pprof(stand, file, "-tags",
                 f"-sample_index=samples of {truth.EVENTS[event]}")
    found, tag = {}, None
    for line in done.stdout.splitlines():
        row = TAG.match(line)
        if row:
            found[tag, row.group(2)] = float(row.group(1))
        elif ": Total " in line:
            tag = line.partition(":")[0].strip()
    wanted = {("host", "elsewhere"): record.truth.total(event),
              ("rank", str(truth.RANK)): record.truth.total(event)}
    for name, key in (("comm", lambda row: truth.NAMES[row.tid]),
                      ("tid", lambda row: str(row.tid)),
                      ("pid", lambda row: str(row.tgid))):
        for value, samples in record.truth.sums(event, key).items():
            wanted[name, value] = samples
    stand.same(record, "pprof has the samples of each thread and process",
               found, wanted)


def test_program(stand, record, file):
    """It takes the first mapping for the program, and finds the code of addresses."""
    program = record.truth.files[0]
    done = stand.run("go", "tool", "pprof", "-top", file)
    stand.result(f"{record.title}: pprof knows the program, and has no complaint",
                 f"File: {program.rsplit('/', 1)[1]}\n" in done.stdout and
                 not done.stderr, done.stdout[:200] + done.stderr)
    event = truth.SAMPLED[0]
    done = stand.run("go", "tool", "pprof", "-disasm=walk", "-symbolize=none",
                     f"-sample_index=samples of {truth.EVENTS[event]}", file)
    rows = [INSTRUCTION.match(line) for line in done.stdout.splitlines()]
    found = {int(row.group(3), 16): int(row.group(1)) for row in rows
             if row and row.group(1) != "."}
    wanted = record.truth.sums(event, lambda row: row.frames[-1].address)
    walk = truth.PROGRAM_BEGIN + truth.PROGRAM["walk"]
    stand.same(record, "pprof has the samples of each instruction", found,
               {ip: count for ip, count in wanted.items()
                if walk <= ip < walk + truth.FUNCTION_SIZE})


def test(stand, record):
    """All of it."""
    file = stand.export(record, "pprof")
    if file:
        test_functions(stand, record, file)
        test_threads(stand, record, file)
        test_program(stand, record, file)

# SPDX-License-Identifier: GPL-2.0-only
"""What was sampled, and what must follow of it.

Nobody ran the program (tests/exports/program.S): each row below is a call chain and
how many samples have it. No two sums of rows that are compared are equal by chance, so
that numbers that change places are noticed.
"""

import collections
import random
from dataclasses import dataclass

EVENTS = ("instructions", "cycles", "DATA_CACHE_ACCESSES")
# The second is counted, not sampled.
PERIODS = (997, 0, 1009)
SAMPLED = (0, 2)
RANK = 3  # of the program among those of its job

# Threads, each with its process and its name.
MAIN, WORKER, CHILD = 71, 72, 80
PROCESS = {MAIN: MAIN, WORKER: MAIN, CHILD: CHILD}
NAMES = {MAIN: "program", WORKER: "pool 1", CHILD: "sub;<b>"}

# A return address is behind the first or the second call of a function.
FIRST, SECOND = "5", "10"

KERNEL_BEGIN = 0xffffffff81000000
PROGRAM_BEGIN = 0x401000
LIBRARY_BEGIN = {MAIN: 0x7f0000001000, CHILD: 0x7f1100005000}
SIZE = 0x1000  # of each mapping
FIRST_PLACE = 0x1000  # of the code in the files
NOWHERE = 0xdead000

# In nanoseconds: the mappings are there, then samples come.
BEGIN, STEP = 1_000_000_000, 1_001

PUT = "box<int>::put(int const&)"
MANGLED = {"_ZN3boxIiE3putERKi": PUT}

# Begin of each function from that of its file's code.
PROGRAM = {"_start": 0, "run": 0x40, "walk": 0x80, "worker": 0xc0, "mix": 0x100,
           PUT: 0x140}
LIBRARY = {"mix": 0, "more": 0x40}
KERNEL = {"entry": 0, "do_work": 0x40, "copy": 0x80}
FUNCTION_SIZE = 0x30
# Where the program has code without a symbol.
NAMELESS = 0x180


def chain(text):
    """Frames of a text, the outermost first: "FILE:FUNCTION+OFFSET" each."""
    return tuple(tuple(word.rsplit("+", 1)) for word in text.split())


# Event, thread, chain, samples.
ROWS = (
    (0, MAIN, chain("p:_start+17"), 3),
    (0, MAIN, chain("p:_start+5 p:run+16"), 11),
    (0, MAIN, chain("p:_start+5 p:run+5 p:walk+13"), 101),
    (0, MAIN, chain("p:_start+5 p:run+5 p:walk+5 p:walk+13"), 57),
    (0, MAIN, chain("p:_start+5 p:run+5 p:walk+5 p:walk+5 p:walk+19"), 29),
    (0, MAIN, chain("p:_start+5 p:run+5 p:walk+5 p:walk+10 p:mix+6"), 131),
    (0, MAIN, chain("p:_start+5 p:run+10 p:mix+3"), 211),
    (0, MAIN, chain("p:_start+5 p:run+10 l:more+5 l:mix+9"), 83),
    (0, MAIN, chain("p:_start+5 p:run+10 l:more+12"), 19),
    (0, MAIN, chain("p:_start+5 p:run+10 k:entry+5 k:do_work+5 k:copy+12"), 47),
    (0, MAIN, chain("p:_start+5 n:+6"), 7),
    (0, MAIN, chain("p:_start+5 u:+0"), 5),
    (0, WORKER, chain("p:worker+5 p:walk+5 p:walk+16"), 61),
    (0, WORKER, chain("p:worker+10") + (("p:" + PUT, "12"),), 151),
    (0, WORKER, chain("p:worker+10") + (("p:" + PUT, "6"),), 17),
    (0, CHILD, chain("p:_start+10 p:worker+5 l:more+9"), 37),
    (0, CHILD, chain("p:_start+10 p:worker+5 l:more+5 l:mix+3"), 13),
    (0, CHILD, chain("p:_start+10 p:worker+13"), 307),
    (2, MAIN, chain("p:_start+5 p:run+5 p:walk+5 p:walk+13"), 71),
    (2, MAIN, chain("p:_start+5 p:run+10 p:mix+6"), 43),
    (2, MAIN, chain("p:_start+5 k:entry+5 k:do_work+9"), 23),
    (2, WORKER, chain("p:worker+10") + (("p:" + PUT, "9"),), 89),
    (2, CHILD, chain("p:_start+10 p:worker+16"), 2),
)


@dataclass(frozen=True)
class Function:
    """By name and file; `kernel` functions are of no file."""

    name: str
    file: str

    @property
    def kernel(self):
        """Whether it is one of the kernel."""
        return self.file == "[kernel]"


class Frame:
    """A place in a call chain."""

    def __init__(self, word, offset, tgid, files):
        kind, _, name = word.partition(":")
        program, library = files
        begin, file, functions = {
            "p": (PROGRAM_BEGIN, program, PROGRAM),
            "l": (LIBRARY_BEGIN[tgid], library, LIBRARY),
            "k": (KERNEL_BEGIN, "[kernel]", KERNEL),
            "n": (PROGRAM_BEGIN, program, {"": NAMELESS}),
            "u": (NOWHERE, "", {"": 0}),
        }[kind]
        self.offset = int(offset)
        self.address = begin + functions[name] + self.offset
        if kind == "n":
            place = self.address - PROGRAM_BEGIN + FIRST_PLACE
            name = f"[{program.rsplit('/', 1)[1]}+0x{place:x}]"
        if kind == "u":
            name = f"[unknown 0x{self.address:x}]"
        self.function = Function(name, file)


@dataclass(frozen=True)
class Row:
    """Samples that are alike in all but their times."""

    event: int
    tid: int
    frames: tuple  # the outermost first
    count: int
    period: int

    @property
    def tgid(self):
        """Its process."""
        return PROCESS[self.tid]

    @property
    def functions(self):
        """The functions of its chain, the outermost first."""
        return tuple(frame.function for frame in self.frames)


class Truth:
    """All rows, and their sums. Without chains only the innermost frames are known."""

    def __init__(self, files, chains):
        self.chains = chains
        self.files = files
        self.rows = []
        for number, (event, tid, frames, count) in enumerate(ROWS):
            places = tuple(Frame(word, offset, PROCESS[tid], files)
                           for word, offset in frames)
            self.rows.append(Row(event, tid, places if chains else places[-1:],
                                 count, PERIODS[event] + number))
        # Samples in the order of time: the rows take turns.
        self.order = [row for row in self.rows for _ in range(row.count)]
        random.Random(1).shuffle(self.order)

    def nanoseconds(self):
        """The time of each sample."""
        return [BEGIN + STEP * (number + 1) for number in range(len(self.order))]

    def times(self):
        """The same as text: seconds with all places."""
        return [f"{time // 10**9}.{time % 10**9:09}" for time in
                self.nanoseconds()]

    def sums(self, event, key, weight=lambda row: row.count):
        """Sums of an event by what KEY says of a row, one or several in a set."""
        sums = collections.Counter()
        for row in self.rows:
            if row.event != event:
                continue
            keys = key(row)
            for one in keys if isinstance(keys, (set, frozenset)) else {keys}:
                sums[one] += weight(row)
        return dict(sums)

    def flat(self, event, name=lambda function: function, **weight):
        """Samples of each function, by what NAME says of it."""
        return self.sums(event, lambda row: name(row.functions[-1]), **weight)

    def inclusive(self, event, name=lambda function: function, **weight):
        """The same with what it has called; a sample counts once."""
        return self.sums(event, lambda row: {name(function) for function in
                                             row.functions}, **weight)

    def total(self, event):
        """All samples of an event."""
        return sum(row.count for row in self.rows if row.event == event)


def events_of(row):
    """What the samples of a row stand for."""
    return row.count * row.period

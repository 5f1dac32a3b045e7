# SPDX-License-Identifier: GPL-2.0-only
"""Reads the plan: which guests are booted and what runs in each of them.

Used by run_guest, and by allow.py for the names of groups of processors.
"""

import functools
import itertools
import os
import re
import sys
from dataclasses import dataclass

from checks import GUEST, boot

PLAN = GUEST / "plan"
DURATIONS = GUEST / "durations"

# Arguments in the plan that are the machine's and not the kernel's.
FAULT, LEND, THREADS, SHIFT = "pmu-fault=", "lend=", "threads=", "shift="
SOCKETS = "sockets="

# Real seconds of a boot that nobody has measured yet.
UNMEASURED = 60

# Real seconds until a boot is taken to hang: as many in any case, and times
# what it takes on an idle host, and no more than that. The programs have limits of
# their own, by the guest's clock (init.c), so this is for a kernel that hangs.
LEAST_LIMIT, SLACK, MOST_LIMIT = 300, 5, 900


@dataclass
class Row:
    """One boot of the plan: the guest and the programs that it runs."""

    guest: boot.Guest
    programs: list
    limits: list  # guest seconds of each program
    duration: int = UNMEASURED

    def words(self):
        """What init is told: the programs, and their limits where they change."""
        words, before = ["test"], None
        for number, program in enumerate(self.programs):
            begun = len(words)
            if self.limits[number] != before:
                before = self.limits[number]
                words.append(f"@{before * self.guest.slowness}")
            words += program.split(",")
            if number:
                words[begun] = "+" + words[begun]
        return words

    def add(self, other):
        """Adds programs of another line, unless they are there already."""
        for program, limit in zip(other.programs, other.limits):
            if program not in self.programs:
                self.programs.append(program)
                self.limits.append(limit)

    def set_limit(self):
        """Sets the real seconds that the whole boot may take."""
        limit = min(LEAST_LIMIT + SLACK * self.duration, MOST_LIMIT)
        self.guest.timeout = max(limit, *self.limits)


def fail(text):
    """Ends the program with one line."""
    sys.exit(f"plan: {text}")


class Groups:
    """Which processors a word of the plan means."""

    def __init__(self):
        self.known = boot.processors()
        self.groups = {
            "all": list(self.known),
            "i586": [c.name for c in self.known.values() if not c.has_cmov],
        }
        for arch in ("x86_64", "i386"):
            self.groups[arch] = [c.name for c in self.known.values()
                                 if c.arch == arch]

    def select(self, field):
        """The names that a field means; "-word" takes some away."""
        cpus = []
        for word in field.split(","):
            name = word.lstrip("-")
            if name not in self.groups and name not in self.known:
                fail(f"{name}: no processor of machine/cpus")
            named = self.groups.get(name, [name])
            if word != name:
                cpus = [cpu for cpu in cpus if cpu not in named]
            else:
                cpus += [cpu for cpu in named if cpu not in cpus]
        return cpus

    def add(self, name, field):
        """A group of the plan."""
        self.groups[name] = self.select(field)

    def words(self):
        """All words for processors."""
        return set(self.groups) | set(self.known)

    def words_for(self, cpu):
        """The words that mean this processor, among others."""
        return {cpu} | {name for name, cpus in self.groups.items()
                        if cpu in cpus}


def plan_lines(path=PLAN):
    """The words of each line of the plan, one for each kind of kernel."""
    for line in path.read_text(encoding="utf-8").splitlines():
        words = line.split()
        if not words or line.startswith("#"):
            continue
        suite, slash, kinds = words[0].partition("/")
        for kind in kinds.split(","):
            yield [suite + slash + kind] + words[1:]


@functools.cache
def groups():
    """The groups of processors that the plan knows."""
    found = Groups()
    for words in plan_lines():
        if words[0] == "group":
            found.add(*words[1:])
    return found


def durations(path=DURATIONS):
    """{name of a boot: real seconds}, as measured on an idle host."""
    if not path.exists():
        return {}
    rows = [line.split() for line in
            path.read_text(encoding="utf-8").splitlines()
            if line and not line.startswith("#")]
    return {name: int(seconds) for name, seconds in rows}


def boot_name(suite, cpu, smp, kernel_args, kind):
    """Names a boot, and the files of its results."""
    parts = [f"{suite}/{cpu}-smp{smp}", kernel_args.replace("/", "_"), kind]
    return "-".join(part for part in parts if part)


def is_chosen(kind, args):
    """Whether lines of the plan for a KIND of kernel are to be done."""
    if args.kind:
        return kind in ("", args.kind)
    return not args.only or (kind or "plain") in args.only.split(",")


def expand(program):
    """A program with the variables of the environment that it names."""
    expanded = os.path.expandvars(program)
    if "$" in expanded:
        fail(f"{program}: not in the environment")
    return expanded


def seeds_of(found):
    """The variables of the environment that the plan has for these boots."""
    suites = {row.guest.name.partition("/")[0] for row in found}
    names = {name for words in plan_lines()
             if words[0].partition("/")[0] in suites
             for name in re.findall(r"\$(\w+)", " ".join(words))}
    return [f"{name}={os.environ[name]}" for name in sorted(names)
            if name in os.environ]


def split_arguments(guest, text):
    """Gives the guest the arguments of its kernel and of its machine."""
    words = text.split(",")

    def values(prefix):
        return [word[len(prefix):] for word in words if word.startswith(prefix)]

    guest.fault = "+".join(values(FAULT))
    guest.lend = ",".join(values(LEND))
    guest.threads = "".join(values(THREADS))
    guest.shift = "".join(values(SHIFT))
    guest.sockets = "".join(values(SOCKETS))
    guest.kernel_args = " ".join(
        word for word in words
        if not word.startswith((FAULT, LEND, THREADS, SHIFT, SOCKETS)))


@functools.cache
def tools():
    """The programs that look at a tool and not at the kernel."""
    return {name for words in plan_lines() if words[0] == "tools"
            for name in words[1:]}


def wanted_programs(programs, kind):
    """Those that a KIND of kernel executes, with what they are told."""
    return [expand(program) for program in programs
            if kind != "debug" or program.partition(",")[0] not in tools()]


def rows_of_line(words, args, debug_cpus):
    """The boots that one line of the plan asks for."""
    if len(words) < 6:
        fail(f"{' '.join(words)}: too few words")
    suite, cpus, smps, kernel_args, limit, *programs = words
    suite, _, kind = suite.partition("/")
    if suite != args.suite or not is_chosen(kind, args):
        return
    programs = wanted_programs(programs, args.kind)
    if not programs:
        return
    kernel_args = "" if kernel_args == "-" else kernel_args
    known = groups()
    for cpu, smp in itertools.product(known.select(cpus), smps.split(",")):
        if cpu not in (args.cpu or cpu).split(",") or \
                args.smp not in (None, smp):
            continue
        arch = args.arch or known.known[cpu].arch
        if args.kind == "debug" and (arch != "x86_64" or cpu not in debug_cpus):
            continue
        guest = boot.Guest(
            build=args.build, name=boot_name(suite, cpu, smp, kernel_args,
                                             "" if args.kind or kind == suite
                                             else kind),
            cpu=cpu, arch=arch, smp=int(smp), kind=args.kind or kind,
            accel=args.accel)
        split_arguments(guest, kernel_args)
        yield Row(guest, [p.replace("%cpu", cpu) for p in programs],
                  [int(limit)] * len(programs))


def read(args):
    """The boots to do, the longest first."""
    debug_cpus, long_cpus, boots, rows = [], [], [], {}
    for words in plan_lines():
        if words[0] == "debug":
            debug_cpus += groups().select(words[1])
        elif words[0] == "long":
            long_cpus += groups().select(words[1])
        elif words[0] not in ("group", "tools"):
            boots.append(words)
    if args.cpu:
        debug_cpus = args.cpu.split(",")
    for words in boots:
        for row in rows_of_line(words, args, debug_cpus):
            same = rows.setdefault(row.guest.name, row)
            if same.guest != row.guest:
                fail(f"two boots are called {row.guest.name}")
            if same is not row:
                same.add(row)
    if not rows:
        fail(f"there are no {args.suite} tests for this choice")
    measured = durations()
    for row in rows.values():
        row.duration = measured.get(row.guest.name, UNMEASURED)
        row.guest.short = row.guest.cpu not in long_cpus
        row.set_limit()
    return sorted(rows.values(), key=lambda row: -row.duration)

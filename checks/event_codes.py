# SPDX-License-Identifier: GPL-2.0-only
"""Judges the library's events of new processors by the event files of Linux.

usage: python3 -m checks.event_codes PROGRAM LINUX

PROGRAM (tests/unit/lib/event_codes.c) says what registers the library gives to the
events of the files, all of them, by name. The codes must be those of the file, and the
counters those that file and driver allow. Where libpfm4 has names for the processor,
events that it does not name are left out. Prints TAP. Part of `make check-unit`.
"""

import os
import pathlib
import subprocess
import sys

from checks.lib_constraint_sources import IntelDriver
from checks.lib_events import FIRST_FIXED, allowed, rows_of

FEWEST = 40
FEWEST_OF_KIND = 20
NOTSUPP = -1
UNKNOWN = (-4, -22)

# LIBPFM_FORCE_PMU, folder of event files and kind of core, driver, who has the names:
# libpfm4, the file, or the file with the kind in front.
PROCESSORS = (
    ("47,6,167,0", "rocketlake", None, "icl", "libpfm4"),
    ("47,6,106,6", "icelakex", None, "icl", "libpfm4"),
    ("48,6,143,0", "sapphirerapids", None, "glc", "libpfm4"),
    ("48,6,207,0", "emeraldrapids", None, "glc", "libpfm4"),
    ("51,6,134,0", "snowridgex", None, "slm", "libpfm4"),
    ("60,6,151,0", "alderlake", "cpu_core", "glc", "file"),
    ("61,6,151,0", "alderlake", "cpu_atom", "grt", "file"),
    ("61,6,190,0", "alderlaken", None, "grt", "file"),
    ("62,6,173,0", "graniterapids", None, "glc", "file"),
    ("62,6,170,0", "meteorlake", "cpu_core", "glc", "file"),
    ("79,6,170,0", "meteorlake", "cpu_atom", "grt", "file"),
    ("79,6,175,0", "sierraforest", None, "grt", "file"),
    ("79,6,182,0", "grandridge", None, "grt", "file"),
    ("80,6,189,0", "lunarlake", "cpu_core", "lnc", "file"),
    ("80,6,198,0", "lunarlake", "cpu_core", "lnc", "file"),
    ("81,6,189,0", "lunarlake", "cpu_atom", "skt", "file"),
    ("16,26,2,0", "amdzen5", None, None, "file"),
    ("82,6,151,0", "alderlake", "cpu_core", "glc", "kind"),
    ("82,6,151,0", "alderlake", "cpu_atom", "grt", "kind"),
    ("82,6,170,0", "meteorlake", "cpu_core", "glc", "kind"),
    ("82,6,170,0", "meteorlake", "cpu_atom", "grt", "kind"),
    ("82,6,198,0", "lunarlake", "cpu_core", "lnc", "kind"),
    ("82,6,198,0", "lunarlake", "cpu_atom", "skt", "kind"),
)

# Events of one kind of core of a hybrid processor: the bit of their selectors, that
# of the registers that qualify them, and the counters of both kinds.
KIND_BIT = {"cpu_core": 1 << 62, "cpu_atom": 1 << 63}
EXTRA_KIND_BIT = {"cpu_core": 1 << 60, "cpu_atom": 1 << 61}
OF_BOTH_KINDS = 0x3f

# A selector that counts at user level and interrupts; a field of fixed counters.
USER = 1 << 16 | 1 << 20 | 1 << 22
FIXED_FIELD = 0xa
FIXED_CONTROL = 16
EXTRA_PMC = {"OFFCORE": 19, "OFFCORE_0": 19, "FRONTEND": 32}
FLAGS = {"PFMLIB_FILE_EDGE": 1 << 18, "PFMLIB_FILE_INV": 1 << 23}

# AMD's events of more than 15 a cycle have an even counter, and the next one.
MERGING = 0x003
EVEN = 0x15


def name_of(row, kind=None):
    """In libpfm's spelling."""
    name = f"{row.event}:{row.mask}" if row.mask else row.event
    return f"{kind}/{name}" if kind else name


def registers(row, counters, kind=None):
    """The PMCs of an event that is alone, {number: value}."""
    pmcs = {}
    if counters >> FIRST_FIXED:
        place = (counters >> FIRST_FIXED).bit_length() - 1
        pmcs[FIXED_CONTROL] = FIXED_FIELD << 4 * place
    else:
        first = (counters & -counters).bit_length() - 1
        pmcs[first] = row.select & 0xff | row.umask << 8 | row.cmask << 24 | \
            (row.select >> 8) << 32 | USER | \
            sum(bit for flag, bit in FLAGS.items() if flag in row.flags)
        pmcs[first] |= KIND_BIT.get(kind, 0)
    if row.extra in EXTRA_PMC:
        pmcs[EXTRA_PMC[row.extra]] = row.value | EXTRA_KIND_BIT.get(kind, 0)
    return pmcs


def complaint(row, driver, words, kind=None):
    """What is wrong with the line of an event, None if it is right."""
    error, where, said = (int(word, 0) for word in words[1:4])
    pmcs = {int(number): int(value, 0) for number, value in
            (word.split("=") for word in words[4:])}
    if row.extra == "LATENCY":
        return None if error == NOTSUPP else "load latency is not refused"
    counters = allowed(row, driver) & (OF_BOTH_KINDS if kind else ~0)
    if driver is None and row.select == MERGING:
        counters &= EVEN
        pmcs.pop(1, None)
    if error:
        return f"error {error}"
    if where != counters:
        return f"is counted on {where:#x}, not {counters:#x}"
    if where & ~said:
        return f"pfm_get_event_counters() says {said:#x}"
    expected = registers(row, counters, kind)
    if pmcs != expected:
        return f"registers {pmcs}, not {expected}"
    return None


def answers(program, pmu, rows, kind):
    """The words of the program's lines."""
    text = subprocess.run([program], check=True, capture_output=True, text=True,
                          input="".join(name_of(row, kind) + "\n" for row in rows),
                          env=os.environ | {"LIBPFM_FORCE_PMU": pmu}).stdout
    return [line.split() for line in text.splitlines()]


def judge(program, tree, processor):
    """How many events there were, and complaints."""
    pmu, folder, unit, driver, names = processor
    driver = driver and IntelDriver(tree, driver)
    rows = [row for row in rows_of(tree, folder, unit) if row.counters]
    kind = unit if names == "kind" else None
    if kind:
        rows = [row for row in rows if row.extra != "LATENCY" and
                row.counters & OF_BOTH_KINDS]
    wrong, judged = [], 0
    for row, words in zip(rows, answers(program, pmu, rows, kind)):
        # It has no names for fixed counters alone.
        if names == "libpfm4" and (int(words[1]) in UNKNOWN or
                                   row.counters >> FIRST_FIXED):
            continue
        judged += 1
        what = complaint(row, driver, words, kind)
        if what:
            wrong.append(f"{name_of(row, kind)}: {what}")
    if judged < (FEWEST_OF_KIND if kind else FEWEST):
        wrong.append("too few of its events have a name")
    return judged, wrong


def main():
    """Judges all; whether one is wrong."""
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    failed = False
    print(f"1..{len(PROCESSORS)}")
    for number, processor in enumerate(PROCESSORS, 1):
        judged, wrong = judge(sys.argv[1], pathlib.Path(sys.argv[2]), processor)
        for text in wrong:
            print("#", text)
        failed |= bool(wrong)
        print("not ok" if wrong else "ok", number, "-",
              f"{judged} events of {processor[1]} by name, {processor[0]}")
    return failed


if __name__ == "__main__":
    sys.exit(main())

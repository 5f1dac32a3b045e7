# SPDX-License-Identifier: GPL-2.0-only
"""Judges the events that pfmon takes by the manufacturers' names, all of all files.

usage: python3 -m checks.makers_codes PROGRAM LINUX

PROGRAM (tests/unit/pfmon/parsed_events.c) says what pfmon makes of an event. Each name of
each event file (tools/perf/pmu-events/arch/x86) has to be taken on each processor that
has the file: as the file writes it, in capitals, in small letters with a modifier, and
with a colon. What counts it has to be what the file says, unless libpfm has the name:
checks/event_codes.py judges that. Events of precise samples, and of fixed counters that
perfmon lacks, have to be refused. Prints TAP. Part of `make check-unit`.
"""

import pathlib
import subprocess
import sys

from checks.lib_events import events_of, number

FEWEST = 40

# LIBPFM_FORCE_PMU, folder of event files, kind of core.
PROCESSORS = (
    ("60,6,151,0", "alderlake", "cpu_core"), ("61,6,151,0", "alderlake", "cpu_atom"),
    ("61,6,190,0", "alderlaken", None), ("39,6,28,0", "bonnell", None),
    ("39,6,54,0", "bonnell", None), ("45,6,61,0", "broadwell", None),
    ("45,6,71,0", "broadwell", None), ("45,6,86,0", "broadwellde", None),
    ("45,6,79,0", "broadwellx", None), ("46,6,85,7", "cascadelakex", None),
    ("51,6,150,0", "elkhartlake", None), ("48,6,207,0", "emeraldrapids", None),
    ("50,6,92,0", "goldmont", None), ("50,6,95,0", "goldmont", None),
    ("79,6,182,0", "grandridge", None), ("62,6,173,0", "graniterapids", None),
    ("44,6,60,0", "haswell", None), ("44,6,69,0", "haswell", None),
    ("44,6,63,0", "haswellx", None), ("47,6,125,0", "icelake", None),
    ("47,6,126,0", "icelake", None), ("47,6,106,0", "icelakex", None),
    ("47,6,108,0", "icelakex", None), ("43,6,58,0", "ivybridge", None),
    ("43,6,62,0", "ivytown", None), ("42,6,45,0", "jaketown", None),
    ("52,6,87,0", "knightslanding", None), ("52,6,133,0", "knightslanding", None),
    ("80,6,189,0", "lunarlake", "cpu_core"), ("81,6,189,0", "lunarlake", "cpu_atom"),
    ("62,6,170,0", "meteorlake", "cpu_core"), ("79,6,170,0", "meteorlake", "cpu_atom"),
    ("40,6,26,0", "nehalemep", None), ("40,6,30,0", "nehalemep", None),
    ("40,6,46,0", "nehalemex", None), ("47,6,167,0", "rocketlake", None),
    ("42,6,42,0", "sandybridge", None), ("48,6,143,0", "sapphirerapids", None),
    ("79,6,175,0", "sierraforest", None), ("49,6,55,0", "silvermont", None),
    ("49,6,77,0", "silvermont", None), ("46,6,94,0", "skylake", None),
    ("46,6,158,0", "skylake", None), ("46,6,165,0", "skylake", None),
    ("46,6,85,4", "skylakex", None), ("51,6,134,0", "snowridgex", None),
    ("47,6,140,0", "tigerlake", None), ("41,6,44,0", "westmereep-dp", None),
    ("41,6,37,0", "westmereep-sp", None), ("41,6,47,0", "westmereex", None),
    ("16,23,1,0", "amdzen1", None), ("16,23,49,0", "amdzen2", None),
    ("16,25,1,0", "amdzen3", None), ("16,25,97,0", "amdzen4", None),
    ("16,26,2,0", "amdzen5", None),
)

# The library has no model for it.
WITHOUT_MODEL = {"goldmontplus"}

LATENCY = "0x3f6"


def spellings(name):
    """What a user may write."""
    return (name, name.upper(), name.lower() + ":k", name.replace(".", ":", 1))


def is_refused(event):
    """Whether no counter can count it."""
    fixed = event.get("Counter", "")
    return event.get("MSRIndex", "").lower() == LATENCY or \
        (fixed.isdigit() and int(fixed) > 35)


def selector(event):
    """The bits that the file has for it."""
    code = number(event.get("EventCode"))
    return code & 0xff | (code >> 8) << 32 | number(event.get("UMask")) << 8 | \
        number(event.get("CounterMask")) << 24 | number(event.get("EdgeDetect")) << 18 | \
        number(event.get("AnyThread")) << 21 | number(event.get("Invert")) << 23


def complaint(event, text, words):
    """What is wrong with a line of the program, None if it is right."""
    if (words[0] == "refused") != is_refused(event):
        # What the library has by its own name it refuses later.
        return None if is_refused(event) and ":" in text else f"is {words[0]}"
    return wrong_code(event, words) if words[0] == "value" else None


def wrong_code(event, words):
    """The same of an event that the library has no name for."""
    said, _, value, fixed = (int(word, 0) for word in words[1:])
    if event.get("Counter", "").startswith("Fixed"):
        # The counter of old files begins with 1; its name says which it is.
        return None if fixed or event["EventName"].endswith("_ANY") else \
            "is not on a fixed counter"
    expected = selector(event)
    if event.get("MSRIndex", "").strip() in ("0x1a7", "0x1A7"):
        expected ^= 0x300
    if said != expected:
        return f"is {said:#x}, not {expected:#x}"
    if value != number(event.get("MSRValue")):
        return f"has {value:#x} in its register"
    return None


def judge(program, tree, processor):
    """How many events there were, and complaints."""
    pmu, folder, unit = processor
    events = list(events_of(tree, folder, unit))
    texts = [(event, text) for event in events for text in spellings(event["EventName"])]
    lines = subprocess.run(
        [program, pmu], check=True, capture_output=True, text=True,
        input="".join(text + "\n" for _, text in texts)).stdout.splitlines()
    wrong = [f"{text}: {what}" for (event, text), line in zip(texts, lines)
             if (what := complaint(event, text, line.split()))]
    if len(lines) != len(texts) or len(events) < FEWEST:
        wrong.append(f"{len(events)} events, {len(lines)} lines")
    return len(events), wrong


def missing(tree):
    """Folders that no processor above has."""
    folders = {path.name for path in (tree / "tools/perf/pmu-events/arch/x86").iterdir()
               if path.is_dir()}
    return sorted(folders - {processor[1] for processor in PROCESSORS} - WITHOUT_MODEL)


def main():
    """Judges all; whether one is wrong."""
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    tree = pathlib.Path(sys.argv[2])
    failed = bool(missing(tree))
    print(f"1..{len(PROCESSORS) + 1}")
    print("not ok" if failed else "ok", "1 - each event file has a processor",
          *[f"# {folder}" for folder in missing(tree)])
    for place, processor in enumerate(PROCESSORS, 2):
        events, wrong = judge(sys.argv[1], tree, processor)
        for text in wrong[:20]:
            print("#", text)
        failed |= bool(wrong)
        print("not ok" if wrong else "ok", place, "-",
              f"{events} names of {processor[1]} are taken, {processor[0]}")
    return failed


if __name__ == "__main__":
    sys.exit(main())

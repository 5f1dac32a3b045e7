# SPDX-License-Identifier: GPL-2.0-only
"""Compares the groups of pfmon with the groups of LIKWID that have their names.

usage: python3 -m checks.likwid_groups --pfmon PROGRAM --likwid DIR [--page FILE]

DIR is share/likwid/perfgroups of LIKWID. Prints the rows of the table at the end of
Documentation/pfmon-for-likwid-users.rst; with --page it fails if the page has others.
Run by hand: `make likwid-groups` fetches the package.
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

GROUPS = Path("tools/pfmon/groups/all")
HEAD = "     - Events\n"

# The folders of LIKWID, and what pfmon --pmu calls the processor.
PROCESSORS = {
    "core2": "36", "nehalem": "40", "westmere": "41", "sandybridge": "42",
    "ivybridge": "43", "haswell": "44", "broadwell": "45", "skylake": "46",
    "skylakeX": "46", "ICL": "47", "SPR": "48", "GNR": "62", "SRF": "79",
    "silvermont": "49", "goldmont": "50", "k8": "16,15,5,1",
    "k10": "16,16,4,2", "interlagos": "16,21,1,2", "zen": "16,23,1,2",
    "zen2": "16,23,49,0", "zen3": "16,25,1,0", "zen4": "16,25,17,1",
    "zen5": "16,26,2,1",
}

# Counters that are not the core's, clocks, and what makes two counters one.
OTHER_COUNTERS = re.compile(r"(FIXC|PWR|TMP|MBOX|CBOX|UPMC|CPMC|DFC|VTG|TMA)")
CLOCKS = {"MERGE", "RETIRED_INSTRUCTIONS", "INSTRUCTIONS_RETIRED", "CPU_CLOCKS_UNHALTED"}
# By portable names, or counted by other PMUs.
ALIKE = {"BRANCH", "CLOCK", "ENERGY", "MEM"}
PORTABLE = {"instructions", "cycles", "branches", "branch-misses"}


def known_events(pfmon, model):
    """The names of a model's events, with a unit mask each."""
    listed = subprocess.run([pfmon, "list", "--pmu", model], check=True,
                            capture_output=True, text=True).stdout
    return {line.split()[0] for line in listed.splitlines() if line.strip()}


def has(known, event):
    """Whether a model has an event, with all of its unit masks."""
    name, *masks = event.split(":")
    return event in PORTABLE or (
        all(f"{name}:{mask}" in known for mask in masks) if masks else
        event in known or f"{name}:ANY" in known)


def own_events(group, known):
    """The events that pfmon takes for a group; None: it takes none."""
    for line in (GROUPS / group).read_text(encoding="utf-8").splitlines():
        if line.startswith("events "):
            events = line.split()[1].split(",")
            if all(has(known, event) for event in events):
                return set(events) - PORTABLE
        if line.startswith("formulas "):
            return {"the manufacturer's formulas"}
    return None


def likwid_events(path):
    """The events of the cores' counters of a group of LIKWID."""
    text = path.read_text(encoding="utf-8")
    lines = text.partition("EVENTSET")[2].partition("METRICS")[0].split("\n")
    words = [line.split() for line in lines if line.strip()]
    return {word[1] for word in words
            if not OTHER_COUNTERS.match(word[0])} - CLOCKS


def verdict(theirs, ours):
    """What one processor's row says."""
    if ours is None:
        return "not in pfmon"
    if {event.replace(":", "_") for event in ours} == theirs:
        return "the same events"
    return (f"pfmon: {', '.join(sorted(ours)) or 'portable events'}; "
            f"LIKWID: {', '.join(sorted(theirs)) or 'other counters'}")


def rows(pfmon, likwid):
    """The rows: group, processors, verdict."""
    known = {name: known_events(pfmon, model)
             for name, model in PROCESSORS.items()}
    for group in sorted(path.name for path in GROUPS.iterdir()):
        found = {}
        for name in PROCESSORS:
            path = likwid / name / f"{group}.txt"
            if path.exists() and group not in ALIKE:
                found.setdefault(
                    verdict(likwid_events(path), own_events(group, known[name])),
                    []).append(name)
        for text, names in found.items():
            yield f"   * - {group}", f"     - {', '.join(names)}", f"     - {text}"


def main():
    """Prints the rows, or compares them with a page."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--pfmon", required=True)
    parser.add_argument("--likwid", required=True, type=Path)
    parser.add_argument("--page", type=Path)
    args = parser.parse_args()
    table = "\n".join(line for row in rows(args.pfmon, args.likwid)
                      for line in row)
    if not args.page:
        print(table)
        return 0
    page = args.page.read_text(encoding="utf-8")
    if page.partition(HEAD)[2] == table + "\n":
        return 0
    print(f"{args.page}: its rows are not the present ones", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: GPL-2.0-only
"""Reads which counters can count which events, for checks.lib_constraints.

There are two sources, both in the source of Linux: the event files that the
vendor publishes (tools/perf/pmu-events/arch/x86), and Linux' own driver
(arch/x86/events/{intel,amd}/core.c).  A code is the low 16 bits of a selector:
unit mask and event select; AMD's event selects have 12 bits and come apart.
"""

import csv
import json
import re
import sys

EVENTS = "tools/perf/pmu-events/arch/x86"
INTEL = "arch/x86/events/intel/core.c"
AMD = "arch/x86/events/amd/core.c"

UMASKS = range(256)


def linux_version(tree):
    """For example "6.12.1"."""
    text = (tree / "Makefile").read_text()
    return ".".join(re.search(rf"^{name} = (\d+)$", text, re.M)[1]
                    for name in ("VERSION", "PATCHLEVEL", "SUBLEVEL"))


class EventFile:
    """The events of one folder that generic counters count.

    counters: code -> masks of counters, one if all uses of the code agree.
    names: code -> name of an event.
    memory: codes whose samples carry a data address.
    models: of family 6.
    """

    def __init__(self, tree, folder):
        self.folder = folder
        self.counters = {}
        self.names = {}
        self.memory = set()
        precise = {}
        self.version, pattern = self._of_map(tree / EVENTS / "mapfile.csv")
        self.models = [model for model in range(256)
                       if re.fullmatch(pattern, f"GenuineIntel-6-{model:02X}")
                       or re.fullmatch(pattern, f"GenuineIntel-6-{model:02X}-5")
                       or re.fullmatch(pattern, f"GenuineIntel-6-{model:02X}-0")]
        for path in sorted((tree / EVENTS / folder).glob("*.json")):
            entries = json.loads(path.read_text())
            # The list of groups of metrics is no list.
            for event in entries if isinstance(entries, list) else ():
                self._add(event, precise)
        # Counters of sampling matter where nobody counts otherwise.
        for code, masks in precise.items():
            self.counters.setdefault(code, masks)
        if not self.counters:
            sys.exit(f"constraints: {folder}: no events")

    def _of_map(self, path):
        for row in csv.DictReader(path.read_text().splitlines()):
            if row["Filename"] == self.folder:
                return row["Version"], row["Family-model"]
        sys.exit(f"constraints: {self.folder} is not in {path}")

    def _add(self, event, precise):
        counter = event.get("Counter", "Fixed")
        # Uncore events have a unit, metrics no code.
        if "Unit" in event or "EventCode" not in event or \
           counter.startswith("Fixed"):
            return
        mask = sum(1 << int(number) for number in counter.split(","))
        umask = int(event.get("UMask", "0").split(",")[0], 0)
        for select in event["EventCode"].split(","):
            code = umask << 8 | int(select, 0)
            found = precise if event.get("PEBS", "0") != "0" else self.counters
            found.setdefault(code, set()).add(mask)
            self.names.setdefault(code, event["EventName"])
            if event.get("Data_LA") == "1":
                self.memory.add(code)


# What a macro of the driver's tables compares, beside the event select.
_EVENT = {"INTEL_EVENT_CONSTRAINT", "INTEL_EXCLEVT_CONSTRAINT",
          "INTEL_EVENT_CONSTRAINT_RANGE"}
_UMASK = {"INTEL_UEVENT_CONSTRAINT"}
_UMASK_BITS = {"INTEL_UBIT_EVENT_CONSTRAINT"}
# Fixed counters and topdown metrics are no matter of generic counters.
_OTHER = {"FIXED_EVENT_CONSTRAINT", "METRIC_EVENT_CONSTRAINT"}


class IntelDriver:
    """One of the tables intel_*_event_constraints, where the first row is right."""

    def __init__(self, tree, name):
        text = (tree / INTEL).read_text()
        table = re.search(rf"event_constraint intel_{name}_event_constraints\[\]"
                          r"[^=]*=\s*\{(.*?)EVENT_CONSTRAINT_END", text, re.S)
        if not table:
            sys.exit(f"constraints: {INTEL} has no table {name}")
        self.rows = []
        rows = re.sub(r"/\*.*?\*/", "", table[1], flags=re.S)
        for macro, words in re.findall(r"(\w+)\(([^)]*)\)", rows):
            if macro in _OTHER:
                continue
            if macro not in _EVENT | _UMASK | _UMASK_BITS:
                sys.exit(f"constraints: {INTEL}: unknown {macro}")
            numbers = [int(word, 0) for word in words.split(",")]
            self.rows.append((macro, numbers[0], numbers[-2], numbers[-1]))

    def counters(self, code):
        """The mask of a code, None if any counter will do."""
        for macro, first, last, counters in self.rows:
            if macro in _EVENT and first <= code & 0xff <= last:
                return counters
            if macro in _UMASK and code == first:
                return counters
            if macro in _UMASK_BITS and code & (0xff | first) == first:
                return counters
        return None

    def named(self):
        """The codes that have a row with a unit mask of their own."""
        return {first for macro, first, _, _ in self.rows
                if macro not in _EVENT}


class Family15h:
    """The function amd_get_event_constraints_f15h(), as a tree of statements."""

    def __init__(self, tree):
        self._text = (tree / AMD).read_text()
        body = re.search(r"^amd_get_event_constraints_f15h\(.*?\n\{(.*?)\n\}",
                         self._text, re.S | re.M)
        if not body:
            sys.exit(f"constraints: {AMD} has no family 15h")
        self._lines = [line.strip() for line in body[1].splitlines()]
        self._asks = False
        self._masks = {"emptyconstraint": 0}
        for name, mask in re.findall(
                r"(amd_f15_\w+)\s*= EVENT_CONSTRAINT\w*\(0, (0x\w+),",
                self._text):
            self._masks[name] = int(mask, 0)
        start = next(number for number, line in enumerate(self._lines)
                     if line.startswith("switch"))
        self._tree, _ = self._switch(start)

    def _switch(self, at):
        """(expression, [(labels, statements)]) and the line behind."""
        expression = self._lines[at]
        groups, labels = [], []
        at += 1
        while self._lines[at] != "}":
            line = self._lines[at]
            if line.startswith(("case ", "default:")):
                labels.append(self._label(line))
                at += 1
                continue
            if labels:
                groups.append((labels, []))
                labels = []
            if line.startswith("switch"):
                statement, at = self._switch(at)
                groups[-1][1].append(statement)
            elif not line or line.startswith("/*"):
                at += 1
            else:
                groups[-1][1].append(line)
                at += 1
        return (expression, groups), at + 1

    def _number(self, word):
        if not word.startswith("0x"):
            sys.exit(f"constraints: {AMD}: unknown number {word}")
        return int(word.removesuffix("ULL"), 0)

    def _label(self, line):
        """First and last value, None for all others."""
        word = line.removeprefix("case ").removesuffix(":")
        if word == "default":
            return None
        if word.startswith("AMD_EVENT_"):
            word = re.search(rf"#define {word}\s+(.*)", self._text)[1].strip()
        ends = [self._number(end) for end in word.split(" ... ")]
        return ends[0], ends[-1]

    def _condition(self, line, umask):
        self._asks = True
        if "hweight_long(hwc->config & ARCH_PERFMON_EVENTSEL_UMASK) <= 1" in line:
            return umask.bit_count() <= 1
        bits = re.fullmatch(r"if \(!\(hwc->config & (0x\w+)\)\)", line)
        if not bits:
            sys.exit(f"constraints: {AMD}: unknown condition {line}")
        return not umask << 8 & self._number(bits[1])

    def _run(self, tree, select, umask):
        """The name of what the function returns, None behind a break."""
        expression, groups = tree
        value = select & 0xf0 if "TYPE_MASK" in expression else select
        chosen = [group for labels, group in groups
                  if any(label and label[0] <= value <= label[1]
                         for label in labels)] or \
                 [group for labels, group in groups if None in labels]
        skip = False
        for statement in chosen[0] if chosen else ():
            if isinstance(statement, tuple):
                result = self._run(statement, select, umask)
                if result:
                    return result
            elif skip:
                skip = False
            elif statement.startswith("if "):
                skip = not self._condition(statement, umask)
            elif statement == "break;":
                return None
            else:
                return re.fullmatch(r"return &(\w+);", statement)[1]
        return None

    def counters(self, select):
        """The masks of an event by unit mask; 0 if no core counter counts it."""
        self._asks = False
        first = self._masks[self._run(self._tree, select, 0)]
        if not self._asks:
            return [first] * len(UMASKS)
        return [self._masks[self._run(self._tree, select, umask)]
                for umask in UMASKS]

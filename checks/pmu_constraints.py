# SPDX-License-Identifier: GPL-2.0-only
"""Which counters of a processor can count which events, as Linux' driver has it.

usage: python3 -m checks.pmu_constraints write LINUX
           make machine/pmu/constraint_table.c from the sources in LINUX
       python3 -m checks.pmu_constraints check LINUX
           would it be the same? (line numbers and the kernel's version aside)

Intel's tables are read as text. AMD's family 15h has a function instead: it is
compiled and asked for each event, and its answers are made rows again.
"""

import re
import subprocess
import sys
import tempfile
from collections import Counter, namedtuple
from pathlib import Path

from checks import ROOT

TABLE = ROOT / "machine/pmu/constraint_table.c"
EVENTS = "arch/x86/events/"
INTEL, P6, AMD = EVENTS + "intel/core.c", EVENTS + "intel/p6.c", EVENTS + "amd/core.c"

# Our name of a table, and Linux' name and file.
INTEL_TABLES = (
    ("p6", P6, "p6"),
    ("core_duo", INTEL, "intel_core"),
    ("core2", INTEL, "intel_core2"),
    ("nehalem", INTEL, "intel_nehalem"),
    ("westmere", INTEL, "intel_westmere"),
    ("sandy_bridge", INTEL, "intel_snb"),
    ("ivy_bridge", INTEL, "intel_ivb"),
    ("haswell", INTEL, "intel_hsw"),
    ("broadwell", INTEL, "intel_bdw"),
    ("skylake", INTEL, "intel_skl"),
    ("ice_lake", INTEL, "intel_icl"),
    ("golden_cove", INTEL, "intel_glc"),
    ("lion_cove", INTEL, "intel_lnc"),
)

# Events first to last, as far as event_care looks at them, with a unit mask of
# which umask_care bits matter: on these counters. From this line of the source.
Row = namedtuple("Row", "first last event_care umask umask_care counters line")

HEAD = """\
// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which programmable counters can count which events. The first row that matches
 * an event holds; an event without a row can be counted by all. Used by models.c.
 *
 * Made by checks/pmu_constraints.py from the sources of Linux {version}: change
 * that script, not this file. The comments name the line of the source.
 */

#include "constraint.h"
"""

# What amd_get_event_constraints_f15h() needs to run in a program.
SHIM = """\
#include <stdint.h>
#include <stdio.h>

typedef uint64_t u64;
#define ARCH_PERFMON_EVENTSEL_UMASK 0xff00ull
#define hweight_long(x) __builtin_popcountll(x)
#define EVENT_CONSTRAINT(c, n, m) { n }
#define EVENT_CONSTRAINT_OVERLAP(c, n, m) { n }

struct event_constraint { u64 counters; };
struct cpu_hw_events;
struct hw_perf_event { u64 config; };
struct perf_event { struct hw_perf_event hw; };
static struct event_constraint emptyconstraint;
static int line;
#define return return line = __LINE__,

"""

ASK_ALL = """
#undef return
int main(void)
{
	struct event_constraint *found;
	struct perf_event event;
	u64 code, umask;

	for (code = 0; code <= 0xfff; code++)
		for (umask = 0; umask <= 0xff; umask++) {
			event.hw.config = (code & 0xf00) << 24 | umask << 8 |
					  (code & 0xff);
			found = amd_get_event_constraints_f15h(NULL, 0, &event);
			printf("%llu %d\\n", (unsigned long long)found->counters,
			       line);
		}
	return 0;
}
"""


def fail(text):
    """Ends the script."""
    sys.exit(f"pmu-constraints: {text}")


def find(pattern, text, where):
    """The match of PATTERN, which has to be in TEXT."""
    match = re.search(pattern, text, re.MULTILINE | re.DOTALL)
    return match or fail(f"{where} has no {pattern}")


def line_of(text, position):
    """The number of the line at POSITION."""
    return text.count("\n", 0, position) + 1


# The macros of perf_event.h that say what an event needs: how each selects
# events, as a function of its arguments before the counters.
def one_event(code):
    """INTEL_EVENT_CONSTRAINT: an event with each unit mask."""
    return code, code, 0xff, 0, 0


def event_range(first, last):
    """INTEL_EVENT_CONSTRAINT_RANGE."""
    return first, last, 0xff, 0, 0


def event_and_umask(code):
    """INTEL_UEVENT_CONSTRAINT: an event with one unit mask."""
    return code & 0xff, code & 0xff, 0xff, code >> 8, 0xff


def event_and_bit(code):
    """INTEL_UBIT_EVENT_CONSTRAINT: an event with these bits in the unit mask."""
    return code & 0xff, code & 0xff, 0xff, code >> 8, code >> 8


MACROS = {
    "INTEL_EVENT_CONSTRAINT": one_event,
    "INTEL_EXCLEVT_CONSTRAINT": one_event,
    "INTEL_EVENT_CONSTRAINT_RANGE": event_range,
    "INTEL_UEVENT_CONSTRAINT": event_and_umask,
    "INTEL_UBIT_EVENT_CONSTRAINT": event_and_bit,
}


def fixed_row(code, line):
    """A fixed counter's event: programmable ones can have it too, all of them
    (a row that comes first), unless it is one of the codes that Linux made up
    to choose a fixed counter, which start with event 0."""
    counters = 0 if code & 0xff == 0 else 0xffff
    return Row(*event_and_umask(code), counters, line)


def intel_row(macro, arguments, line):
    """The row that one line of a table of Linux' makes."""
    numbers = []
    for word in arguments.split(","):
        try:
            numbers.append(int(word.strip(), 0))
        except ValueError:
            if macro != "METRIC_EVENT_CONSTRAINT":
                fail(f"line {line}: no number: {word}")
    if macro == "METRIC_EVENT_CONSTRAINT":  # made-up codes of event 0, too
        return Row(0, 0, 0xff, 0x80, 0x80, 0, line)
    if macro == "FIXED_EVENT_CONSTRAINT":
        return fixed_row(numbers[0], line)
    if macro not in MACROS:
        fail(f"line {line}: what is {macro}?")
    return Row(*MACROS[macro](*numbers[:-1]), numbers[-1], line)


def is_needed(row, later):
    """Whether leaving out a ROW that restricts nothing would change anything."""
    return row.counters != 0xffff or any(
        other.first <= row.first <= other.last and other.counters != 0xffff and
        not (row.umask ^ other.umask) & other.umask_care for other in later)


def intel_rows(text, name, where):
    """The rows of the table NAME_event_constraints."""
    table = find(rf"^static struct event_constraint {name}_event_constraints\[\]"
                 r"[^{]*\{(.*?)\n\};", text, where)
    body = re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m[0]),
                  table[1], flags=re.DOTALL)
    rows = []
    for entry in re.finditer(r"(\w+)\(([^)]*)\)|\bEVENT_CONSTRAINT_END\b", body):
        if entry[1]:
            line = line_of(text, table.start(1) + entry.start())
            rows.append(intel_row(entry[1], entry[2], line))
    rows = [row for at, row in enumerate(rows) if is_needed(row, rows[at + 1:])]
    # One row is enough for all metrics.
    return [row for at, row in enumerate(rows)
            if row[:6] not in [other[:6] for other in rows[:at]]]


def ask_fam15h(text):
    """A list of 4096 lists of 256 pairs (counters, line), by event and umask."""
    code = find(r"^static inline unsigned int amd_get_event_code\(.*?^\}\n", text, AMD)
    rules = find(r"^#define AMD_EVENT_TYPE_MASK.*?^amd_get_event_constraints_f15h"
                 r".*?^\}\n", text, AMD)
    program = (SHIM + code[0] + f'#line {line_of(text, rules.start())} "core.c"\n' +
               rules[0] + ASK_ALL)
    with tempfile.TemporaryDirectory() as directory:
        source, binary = Path(directory, "fam15h.c"), Path(directory, "fam15h")
        source.write_text(program, encoding="utf-8")
        subprocess.run(["cc", "-w", "-o", binary, source], check=True)
        output = subprocess.run([binary], check=True, capture_output=True, text=True)
    answers = [tuple(int(word) for word in line.split())
               for line in output.stdout.splitlines()]
    return [answers[at:at + 256] for at in range(0, len(answers), 256)]


def most_common(answers):
    """The most frequent of these."""
    return Counter(answers).most_common(1)[0][0]


def event_rows(event, answers):
    """Rows of one event: those of rarer ANSWERS by unit mask, then of all."""
    usual = most_common(answers)
    rows, left = [], {umask for umask in range(256) if answers[umask] != usual}
    # The fewer bits a row looks at, the more unit masks it is for.
    for care in sorted(range(256), key=lambda bits: bits.bit_count()):
        for umask in sorted(left):
            alike = [other for other in range(256) if not (umask ^ other) & care]
            if umask in left and len({answers[other] for other in alike}) == 1:
                rows.append(Row(event, event, 0xfff, umask & care, care, *answers[umask]))
                left -= set(alike)
    return rows + [Row(event, event, 0xfff, 0, 0, *usual)]


def fam15h_rows(text):
    """The rows of family 15h: events that differ from their type, then types."""
    answers = ask_fam15h(text)
    special, types = [], []
    for kind in range(0, 0x100, 0x10):
        members = [event for event in range(0x1000) if event & 0xf0 == kind]
        usual = most_common(answer for event in members for answer in answers[event])
        for event in members:
            if set(answers[event]) != {usual}:
                special += event_rows(event, answers[event])
        if types and types[-1][5:] == usual:
            types[-1] = types[-1]._replace(last=kind)
        else:
            types.append(Row(kind, kind, 0xf0, 0, 0, *usual))
    return special + types


def zen_rows(text):
    """Events that need two counters: an even one, and the next for the merge
    event."""
    find(r"^\t\tfor \(i = 0; [^;]*; i \+= 2\)\n\t\t\teven_ctr_mask \|= BIT_ULL\(i\);",
         text, AMD)
    pairs = find(r"^static inline bool amd_is_pair_event_code\(.*?^\}\n", text, AMD)
    rows = []
    for case in re.finditer(r"case (0x[0-9A-Fa-f]+):\s*return true;", pairs[0]):
        code = int(case[1], 16)
        rows.append(Row(code, code, 0xfff, 0, 0, 0x5555,
                        line_of(text, pairs.start() + case.start())))
    merge = find(r"^#define AMD_MERGE_EVENT \(\(0xFULL << 32\) \| 0xFFULL\)", text, AMD)
    return rows + [Row(0xfff, 0xfff, 0xfff, 0, 0, 0xaaaa, line_of(text, merge.start()))]


def render(name, path, rows):
    """One table in C."""
    lines = [f"\n/* {path} */",
             f"const struct pmu_constraint pmu_constraints_{name}[] = {{"]
    for row in rows:
        lines.append(f"\t{{ {row.first:#05x}, {row.last:#05x}, {row.event_care:#05x}, "
                     f"{row.umask:#04x}, {row.umask_care:#04x}, {row.counters:#06x} }}, "
                     f"/* {Path(path).name}:{row.line} */")
    return "\n".join(lines + ["\tPMU_CONSTRAINTS_END,", "};", ""])


def make(linux):
    """The text of TABLE."""
    text = {path: (linux / path).read_text(encoding="utf-8")
            for path in (INTEL, P6, AMD, "Makefile")}
    version = ".".join(find(rf"^{word} = (\w+)$", text["Makefile"], "Makefile")[1]
                       for word in ("VERSION", "PATCHLEVEL", "SUBLEVEL"))
    tables = [render(ours, path, intel_rows(text[path], theirs, path))
              for ours, path, theirs in INTEL_TABLES]
    tables.append(render("fam15h", AMD, fam15h_rows(text[AMD])))
    tables.append(render("zen", AMD, zen_rows(text[AMD])))
    return HEAD.format(version=version) + "".join(tables)


def facts(text):
    """TEXT without what changes with each release of Linux."""
    return re.sub(r"(?<=\.[ch]:)\d+|(?<=Linux )[\d.]+", "", text)


def main():
    """Does what the first word says."""
    if len(sys.argv) != 3 or sys.argv[1] not in ("write", "check"):
        sys.exit(__doc__)
    text = make(Path(sys.argv[2]))
    if sys.argv[1] == "write":
        TABLE.write_text(text, encoding="utf-8")
    elif facts(text) != facts(TABLE.read_text(encoding="utf-8")):
        fail(f"{TABLE.relative_to(ROOT)} is not what Linux says: make pmu-constraints")


if __name__ == "__main__":
    main()

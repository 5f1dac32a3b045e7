# SPDX-License-Identifier: GPL-2.0-only
"""Turns what a guest reported (see init.c) and logged into test results.

Used by run_guest and run_mutants.
"""

import re
from dataclasses import dataclass, field

from checks import GUEST, allow, tap

ALLOWED = GUEST / "log-allow"
SKIPS_ALLOWED = GUEST / "skip-allow"

# Trouble in the kernel log that has no level of its own to be found by, or
# that init cannot pass on because the kernel has died.
TROUBLE = re.compile(
    r"BUG:|WARNING:|Oops|KASAN|UBSAN|INFO: |hung task|blocked for"
    r"|soft lockup|hard LOCKUP|general protection|segfault at|trap invalid"
    r"|unchecked MSR|unknown NMI|NMI received|Unhandled|Call Trace"
    r"|Kernel panic|suspected memory leak|scheduling while atomic")


@dataclass
class Section:
    """What one program printed; STATUS is None if it did not end by itself."""

    name: str
    lines: list = field(default_factory=list)
    status: int = None
    hung: bool = False


@dataclass
class Report:
    """The report of one boot, taken apart."""

    sections: list = field(default_factory=list)
    klog: list = field(default_factory=list)
    leaks: list = field(default_factory=list)
    done: bool = False


def read(lines):
    """Takes the lines of a report apart."""
    report, section = Report(), None
    for line in lines:
        line = line.rstrip()
        word, _, rest = line.partition(" ")
        key, _, value = rest.partition(" ")
        if word != "#":
            key = None
        if key == "begin":
            section = Section(value)
            report.sections.append(section)
        elif key == "hung" and section:
            section.hung = True
        elif key == "end" and section and " status " in value:
            if not section.hung:
                section.status = int(value.rpartition(" ")[2])
            section = None
        elif key == "leave" and section:
            section.status = 0
            section = None
        elif key == "klog":
            report.klog.append(value.partition(" ")[2])
        elif key == "kmemleak":
            report.leaks.append(value)
        elif key == "done":
            report.done = True
        elif section:
            section.lines.append(line)
    return report


def suspicious(report, log_lines, boot):
    """The kernel messages that somebody has to look at.

    BOOT are the conditions that the boot fulfils (allow.conditions()).
    """
    allowed = allow.read(ALLOWED, boot)
    console = [re.sub(r"^\[ *\d+\.\d+\] ", "", line) for line in log_lines]
    found = report.klog + [line for line in console if TROUBLE.search(line)]
    found = list(dict.fromkeys(found))
    return [l for l in found if not any(a.search(l) for a in allowed)]


def fail_skips(results, allowed):
    """Turns the skips that no expression in ALLOWED matches into failures."""
    for result in results:
        if result.outcome == tap.SKIPPED and not any(
                a.search(result.line()) for a in allowed):
            result.outcome = tap.FAILED
            result.reason = f"skipped against skip-allow: {result.reason}"


def judge(report, wanted, log_lines, trouble, boot):
    """Returns the results of a boot that was to run the programs WANTED.

    BOOT are the conditions that the boot fulfils (allow.conditions()). TROUBLE
    says what was wrong with the machine itself, or is empty.
    """
    results = []
    for section in report.sections:
        results += tap.judge_program(section.name, section.lines,
                                     section.status)
    fail_skips(results, allow.read(SKIPS_ALLOWED, boot))
    missing = wanted[len(report.sections):]
    if missing and not trouble:
        trouble = "the guest ended early"
    if missing:
        trouble += "; not run: " + " ".join(missing)
    elif not report.done and not trouble:
        trouble = "init did not finish"

    messages = suspicious(report, log_lines, boot)
    # Reports begin with an empty line or a ruler.
    telling = [m for m in messages if m.strip("-= ")]
    for name, reason in (
            ("boot", trouble),
            ("kernel log", telling[0] if telling else ""),
            ("kernel memory leaks", report.leaks[0] if report.leaks else "")):
        outcome = tap.FAILED if reason else tap.PASSED
        results.append(tap.Result(name, outcome, reason))
    return results, messages

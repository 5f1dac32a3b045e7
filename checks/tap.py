# SPDX-License-Identifier: GPL-2.0-only
"""Reads and writes TAP: the results of test programs.

Used by run_unit, run_guest and run_mutants, which run programs, and by results,
which adds up what they wrote.
"""

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

# Exit statuses of a kselftest or cmocka program that mean more than pass/fail.
EXIT_SKIP = 4

# Seconds after which a program of the host is taken to hang.
TIMEOUT = 300

# The file that lists which TAP files of its directory there have to be.
EXPECTED = "expected"

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"

_RESULT = re.compile(r"(not )?ok\b(?:\s+(\d+))?\s*(.*)")
_PLAN = re.compile(r"1\.\.(\d+)")
# What a test of the kernel's harness says of a comparison that failed, before its result.
_EXPECTATION = re.compile(r"# (\S+\.[ch]:\d+):[^:]*:(Expected .*)")
_SKIP = re.compile(r"\s*#\s*skip\S*\s*(.*)", re.IGNORECASE)


@dataclass
class Result:
    """One test: its name, PASSED, FAILED or SKIPPED, and the reason."""

    name: str
    outcome: str
    reason: str = ""

    def line(self):
        """The TAP line that says it."""
        word = "not ok" if self.outcome == FAILED else "ok"
        tail = f" # SKIP {self.reason}" if self.outcome == SKIPPED else ""
        if self.outcome == FAILED and self.reason:
            tail = f" # {self.reason}"
        return f"{word} - {self.name}{tail}"

    def describe(self):
        """Name and reason for people."""
        return self.name + (f" ({self.reason})" if self.reason else "")


def _result(match, count):
    number, text = match.group(2) or str(count), match.group(3)
    skip = _SKIP.search(text)
    name, _, reason = text.partition(" # ")
    name = name.lstrip("- ").split("#")[0].strip() or f"test {number}"
    if match.group(1):
        return Result(name, FAILED, reason.strip())
    if skip:
        return Result(name, SKIPPED, skip.group(1).strip())
    return Result(name, PASSED)


def parse(lines):
    """Returns the results in LINES and the number that the plans promise.

    A failure without a reason has the first comparison that failed as its reason.
    """
    results, planned, comparison = [], 0, ""
    for line in lines:
        match = _RESULT.match(line)
        if match:
            result = _result(match, len(results) + 1)
            if result.outcome == FAILED:
                result.reason = result.reason or comparison
            results.append(result)
            comparison = ""
            continue
        match = _EXPECTATION.match(line)
        if match:
            comparison = comparison or f"{match.group(1)}: {match.group(2)}"
            continue
        match = _PLAN.match(line)
        if match:
            planned += int(match.group(1))
        elif line.startswith("Bail out!"):
            results.append(Result(line.strip(), FAILED))
    return results, planned


def judge_program(name, lines, status):
    """Returns the results of a test program that printed LINES and ended.

    STATUS is its exit status, None if it did not end. A program that fails
    without naming a test, that ends before its last test or that executes
    no test is a failure of its own.
    """
    results, planned = parse(lines)
    for result in results:
        result.name = f"{name}: {result.name}"
    failed = any(r.outcome == FAILED for r in results)

    if status is None:
        reason = "did not end"
    elif status == EXIT_SKIP and not results and not planned:
        why = next((l.strip("# \n") for l in lines if l.strip()), "no reason")
        return [Result(name, SKIPPED, why)]
    elif status >= 128:
        reason = f"killed by signal {status - 128}"
    elif status not in (0, EXIT_SKIP) and not failed:
        reason = f"exit status {status}"
    elif len(results) < planned:
        reason = f"{planned} tests planned, {len(results)} reported"
    elif not results:
        reason = "reported no test"
    else:
        return results
    results.append(Result(name, FAILED, reason))
    return results


def execute(program, cwd=None):
    """Returns the output of a unit test and its status, None if it hung."""
    env = dict(os.environ, CMOCKA_MESSAGE_OUTPUT="TAP")
    try:
        done = subprocess.run(
            [program], env=env, cwd=cwd, stdin=subprocess.DEVNULL,
            timeout=TIMEOUT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            check=False)
    except subprocess.TimeoutExpired as hung:
        return (hung.stdout or b"").decode(errors="replace"), None
    except OSError as error:
        return str(error), 127
    status = done.returncode if done.returncode >= 0 else 128 - done.returncode
    return done.stdout.decode(errors="replace"), status


def write(path, results):
    """Writes RESULTS as a TAP file."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [f"1..{len(results)}"] + [r.line() for r in results]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def expect(directory, names):
    """Says that DIRECTORY will have a TAP file of each name, without ".tap"."""
    Path(directory).mkdir(parents=True, exist_ok=True)
    text = "".join(f"{name}\n" for name in names)
    Path(directory, EXPECTED).write_text(text, encoding="utf-8")


def expected(directory):
    """Returns the names that expect() was given."""
    return Path(directory, EXPECTED).read_text(encoding="utf-8").splitlines()


def tally(results):
    """The counts as people read them."""
    count = {PASSED: 0, FAILED: 0, SKIPPED: 0}
    for result in results:
        count[result.outcome] += 1
    return ", ".join(f"{count[o]} {o}" for o in (PASSED, FAILED, SKIPPED))

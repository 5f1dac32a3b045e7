# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the package; each module prints TAP, and check-unit runs it."""

import sys


def tell(verdicts):
    """Prints (name, trouble) of each case as TAP, and ends the program."""
    print(f"1..{len(verdicts)}")
    for number, (name, trouble) in enumerate(verdicts, 1):
        for line in trouble.splitlines():
            print(f"# {line}")
        print(f"{'not ok' if trouble else 'ok'} {number} - {name}")
    sys.exit(any(trouble for _, trouble in verdicts))


def compare(tests):
    """The same for cases of a name, a value that was seen, the expected one."""
    tell([(name, "" if seen == expected else f"{seen!r}")
          for name, seen, expected in tests])

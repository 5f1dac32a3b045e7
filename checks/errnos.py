# SPDX-License-Identifier: GPL-2.0-only
"""Holds the manual pages of the system calls against the kernel-doc comments.

usage: python3 -m checks.errnos

Each call must have a page in man/man2, and page and comment must name the same
errors. Used by `make lint`.
"""

import re
import sys

from checks import ROOT

COMMENT = re.compile(r"/\*\*\n \* sys_(pfm_\w+) - (.*?)\*/", re.S)


def documented():
    """Call -> errors that its kernel-doc comment lists."""
    errors = {}
    for source in sorted((ROOT / "kernel/perfmon").glob("*.c")):
        for name, text in COMMENT.findall(source.read_text()):
            errors[name] = set(re.findall(r"^ \* \* -(E[A-Z0-9]+):", text,
                                          re.M))
    return errors


def manual(name):
    """Errors that the page of a call lists, None if there is no page."""
    page = ROOT / f"man/man2/{name}.2"
    if not page.exists():
        return None
    section = page.read_text().split(".SH ERRORS\n")[1].split(".SH ")[0]
    return set(re.findall(r"^\.TP\n\.B (E[A-Z0-9]+)$", section, re.M))


def main():
    """Compares both ways."""
    trouble = []
    calls = documented()
    if len(calls) != 8:
        trouble.append(f"{len(calls)} calls have a comment, 8 exist")
    for name, in_kernel in calls.items():
        in_page = manual(name)
        if in_page is None:
            trouble.append(f"{name}: no page in man/man2")
            continue
        for error in sorted(in_kernel ^ in_page):
            where = "kernel-doc" if error in in_kernel else "manual page"
            trouble.append(f"{name}: {error} is in the {where} only")
    for line in trouble:
        print(line, file=sys.stderr)
    sys.exit(bool(trouble))


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: GPL-2.0-only
"""The table of Documentation/project/tested-processors.md.

usage: python3 -m checks.tested_on write TABLE
           put in what `make check-guest` has stored
       python3 -m checks.tested_on check
           does it list each processor of the machine?

The table stands between two comments, and nobody else writes there.
"""

import sys

from checks import ROOT, boot, processors

PAGE = ROOT / "Documentation/project/tested-processors.md"
BEGIN, END = "<!-- tested on: begin -->", "<!-- tested on: end -->"

HEAD = ("`CPU=`", "Linux calls it", "perfmon calls it", "register map",
        "kernel", "counters", "exact", "processors")


def split_page():
    """The page as the text before, in and after the table."""
    before, begin, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    table, end, after = rest.partition(END)
    if not begin or not end:
        sys.exit(f"tested-on: {PAGE} has no comments {BEGIN} and {END}")
    return before, table, after


def table_line(words):
    """One line of the table."""
    return "| " + " | ".join(words) + " |\n"


def missing_from(listed):
    """Ends the script if a processor of the machine is not LISTED."""
    missing = [cpu for cpu in boot.processors() if cpu not in listed]
    if missing:
        sys.exit(f"tested-on: not listed: {' '.join(missing)} "
                 "(make check-guest, then make tested-on)")


def write(path):
    """Replaces the table."""
    try:
        rows = processors.read(path)
    except FileNotFoundError:
        sys.exit("tested-on: no results yet: make check-guest")
    missing_from({row.cpu for row in rows})
    known = boot.processors()
    table = table_line(HEAD) + "|" + "---|" * len(HEAD) + "\n"
    for row in rows:
        bits = {"i386": "32 bit", "x86_64": "64 bit"}[known[row.cpu].arch]
        table += table_line((f"`{row.cpu}`", row.linux, row.driver, row.model,
                             bits, row.counters, row.exact, row.smp))
    before, _, after = split_page()
    PAGE.write_text(f"{before}{BEGIN}\n{table}{END}{after}",
                      encoding="utf-8")


def check():
    """Fails if a row is missing."""
    _, table, _ = split_page()
    first = [line.split("|")[1].strip(" `") for line in table.splitlines()
             if line.startswith("|")]
    missing_from(set(first))


def main():
    """Does what the first word says."""
    if sys.argv[1:2] == ["write"] and len(sys.argv) == 3:
        write(sys.argv[2])
    elif sys.argv[1:] == ["check"]:
        check()
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()

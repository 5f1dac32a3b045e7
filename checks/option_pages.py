# SPDX-License-Identifier: GPL-2.0-only
"""Whether the pages for users of perf and of pfmon 3.9 tell of each option.

usage: python3 -m checks.option_pages

The long options are those of the tables that pfmon parses with, and of those that it
refuses by name. Each has to stand in the page of its command line, as --NAME.
"""

import re
import sys

from checks import ROOT

GRAMMAR = "tools/pfmon/grammar"

# Page: the tables of the command lines that it is about, as FILE:TABLE.
PAGES = {
    "Documentation/pfmon-for-perf-users.rst": (
        "stat.c:long_options", "record.c:long_options",
        "shared.c:shared_options", "later.c:later_stat",
        "later.c:later_record"),
    "Documentation/pfmon-for-pfmon-3.9-users.rst": (
        "options.c:long_options", "sampling.c:sampling_options",
        "shared.c:shared_options", "later.c:later_classic"),
}

ROW = re.compile(r'^\t\{ "([a-z0-9-]+)",', re.MULTILINE)


def names(source, table):
    """The long options of a table of a C source."""
    found = re.search(rf"\b{table}\[\] = \{{\n(.*?)^\}};", source,
                      re.MULTILINE | re.DOTALL)
    return ROW.findall(found.group(1)) if found else []


def missing(page, options):
    """Those that do not stand in the text of a page."""
    return [name for name in options
            if not re.search(rf"(?<![\w-])--{name}(?![\w-])", page)]


def judge(root, page, tables):
    """Returns what is wrong with a page, as lines."""
    text = (root / page).read_text(encoding="utf-8")
    wrong = []
    for place in tables:
        file, table = place.split(":")
        source = (root / GRAMMAR / file).read_text(encoding="utf-8")
        options = names(source, table)
        if not options:
            wrong.append(f"{GRAMMAR}/{file}: no options in {table}")
        wrong += [f"{page}: --{name} of {table} in {GRAMMAR}/{file} is missing"
                  for name in missing(text, options)]
    return wrong


def main():
    """Prints what is wrong; the status says whether something is."""
    if len(sys.argv) != 1:
        sys.exit(__doc__)
    found = [line for page, tables in PAGES.items()
             for line in judge(ROOT, page, tables)]
    if found:
        sys.exit("\n".join(found))


if __name__ == "__main__":
    main()

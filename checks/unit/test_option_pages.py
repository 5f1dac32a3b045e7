# SPDX-License-Identifier: GPL-2.0-only
"""Tests option_pages.py with tables and pages of its own; writes TAP."""

import tempfile
from pathlib import Path

from checks import option_pages
from checks.unit import compare

TABLE = '''static const struct option long_options[] = {
\t{ "all", no_argument, NULL, 'a' },
\t{ "all-cpus", required_argument, NULL, OPT_ALL },
\t{ NULL, 0, NULL, 0 },
};

const struct later later_stat[] = {
\t{ "cgroup", 'G', ARG, "no cgroups" },
\t{ NULL, '2', NO, "no level" },
\t{ NULL, 0, 0, NULL },
};
'''


def judged(page, table="long_options"):
    """What is said of a page, for one table."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, option_pages.GRAMMAR)
        folder.mkdir(parents=True)
        (folder / "x.c").write_text(TABLE, encoding="ascii")
        Path(name, "page").write_text(page, encoding="ascii")
        return [line.split()[1] for line in
                option_pages.judge(Path(name), "page", (f"x.c:{table}",))]


TESTS = (
    ("the rows of a table are its long names",
     option_pages.names(TABLE, "long_options"), ["all", "all-cpus"]),
    ("a row without a long name has none",
     option_pages.names(TABLE, "later_stat"), ["cgroup"]),
    ("a page with all of them passes", judged("``--all``, --all-cpus=N"), []),
    ("an option that is missing is named", judged("``--all``"),
     ["--all-cpus"]),
    ("a longer option is another one", judged("--all-cpus"), ["--all"]),
    ("an option without its dashes is none", judged("all --all-cpus"),
     ["--all"]),
    ("a refused option has to be there, too", judged("", "later_stat"),
     ["--cgroup"]),
    ("a table that has gone is told", judged("", "gone"), ["no"]),
)


if __name__ == "__main__":
    compare(TESTS)

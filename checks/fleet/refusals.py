# SPDX-License-Identifier: GPL-2.0-only
"""Options that pfmon knows and has not: each is refused before the command runs."""

import re

from checks import ROOT

SOURCE = ROOT / "tools/pfmon/grammar/later.c"
ROW = re.compile(r'^\t\{ (?:"([a-z-]+)"|NULL), (?:\'(.)\'|0), (\w+), ',
                 re.MULTILINE)
GRAMMARS = {"later_classic": [], "later_stat": ["stat"],
            "later_record": ["record", "-o", "f"]}


def words_of(table, source):
    """Each way to write each option of a table."""
    rows = re.search(rf"\b{table}\[\] = \{{\n(.*?)^\}};", source,
                     re.MULTILINE | re.DOTALL).group(1)
    for name, letter, argument in ROW.findall(rows):
        value = ["1"] if argument == "ARG" else []
        if name:
            yield [f"--{name}", *value]
        if letter:
            yield [f"-{letter}", *value]


def test(stand):
    """One line with the option's name, status 125, and nothing has run."""
    source = SOURCE.read_text(encoding="utf-8")
    made = stand.folder / "made"
    for table, verb in GRAMMARS.items():
        wrong, count = [], 0
        for words in words_of(table, source):
            made.unlink(missing_ok=True)
            done = stand.run(*stand.words, *verb, *words, "touch", made)
            count += 1
            if done.returncode != 125 or made.exists() or \
                    done.stderr.count("\n") != 1 or \
                    f"pfmon: option {words[0]}: " not in done.stderr:
                wrong.append(f"{words}: {done.returncode} {done.stderr}")
        stand.result(f"what is refused runs nothing: {' '.join(verb[:1])}",
                     count > 4 and not wrong, wrong or f"{count} options")

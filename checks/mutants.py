# SPDX-License-Identifier: GPL-2.0-only
"""Reads the lists of mutants and edits a tree by them.

A mutant is a slip that somebody could make, as an edit of a source file, and
the test that has to notice it. README.md describes the form of the lists. Used
by run_mutants, and by check_mutants (make lint).
"""

from dataclasses import dataclass, field
from pathlib import Path

from checks import MUTANTS

LISTS = "*.list"

# Kinds of tests that a guest runs. Those with the module are called after their kernel.
GUESTS = ("guest", "debug")
STOCK = "stock"


class ListError(Exception):
    """A list, or what it says of the tree, is wrong."""


@dataclass(frozen=True)
class Test:
    """What has to notice a mutant.

    KIND is "guest" or "debug", a program in a guest with the plain or the debug
    kernel, "stock6.12", with that kernel of Debian's and the module, or "unit", a
    program of the host. NAME is part of the name of the
    test in it; "" if any will do.
    """

    kind: str
    program: str
    cpu: str = ""
    smp: int = 1
    name: str = ""
    arguments: str = ""  # for the kernel, comma-separated

    def __str__(self):
        where = f"{self.cpu}-smp{self.smp} " if self.cpu else ""
        return f"{where}{self.program}" + (f": {self.name}" * bool(self.name))


@dataclass
class Edit:
    """Lines OLD of a file become NEW."""

    file: str
    old: list = field(default_factory=list)
    new: list = field(default_factory=list)

    def apply(self, tree):
        """Changes the file below TREE; returns what it was before."""
        path = Path(tree, self.file)
        try:
            before = path.read_text(encoding="utf-8")
        except FileNotFoundError:
            raise ListError(f"there is no {self.file}") from None
        old = "".join(f"{line}\n" for line in self.old)
        # Whole lines, so that a line is not found in a longer one.
        count = f"\n{before}".count(f"\n{old}")
        if count != 1:
            raise ListError(f"{self.file}: the old text is found {count} times")
        new = "".join(f"{line}\n" for line in self.new)
        after = f"\n{before}".replace(f"\n{old}", f"\n{new}")[1:]
        path.write_text(after, encoding="utf-8")
        return before


@dataclass
class Mutant:
    """A slip, the edits that make it, and the test that has to notice it."""

    name: str
    what: str = ""
    test: Test = None
    equivalent: str = ""  # why nothing can notice it
    edits: list = field(default_factory=list)

    def apply(self, tree):
        """Makes the edits; returns {file: text before}, for restore()."""
        before = {}
        try:
            for edit in self.edits:
                text = edit.apply(tree)
                before.setdefault(edit.file, text)
        except ListError as error:
            restore(tree, before)
            raise ListError(f"{self.name}: {error}") from None
        return before

    def files(self):
        """The names of the files that it changes."""
        return {edit.file for edit in self.edits}


def restore(tree, before):
    """Undoes edits."""
    for file, text in before.items():
        Path(tree, file).write_text(text, encoding="utf-8")


def is_guest(kind):
    """Whether a guest runs the tests of a kind."""
    return kind in GUESTS or kind.startswith(STOCK)


def _test(text):
    """The meaning of a "test:" line."""
    kind, _, rest = text.partition(" ")
    words = rest.split(None, 3 if is_guest(kind) else 1)
    if is_guest(kind) and len(words) >= 3:
        number, _, arguments = words[1].partition("+")
        return Test(kind, words[2], words[0], int(number),
                    words[3] if len(words) > 3 else "", arguments)
    if kind == "unit" and words:
        return Test(kind, words[0], name="".join(words[1:]))
    raise ListError(f"test: {text}: not understood")


def _check(mutant):
    """Whether nothing is missing."""
    if not mutant.what or not mutant.edits:
        raise ListError(f"{mutant.name}: what or file is missing")
    if bool(mutant.test) == bool(mutant.equivalent):
        raise ListError(f"{mutant.name}: needs one of test and equivalent")
    for edit in mutant.edits:
        if not edit.old or edit.old == edit.new:
            raise ListError(f"{mutant.name}: {edit.file} is not changed")


def _add(mutant, line):
    """Adds one line of a list to the last mutant."""
    edits = mutant.edits
    if line[0] in "-+":
        if not edits:
            raise ListError(f"{mutant.name}: an edit of no file")
        (edits[-1].old if line[0] == "-" else edits[-1].new).append(line[1:])
        return
    key, _, value = line.partition(": ")
    if key == "file":
        edits.append(Edit(value))
    elif key == "test":
        mutant.test = _test(value)
    elif key in ("what", "equivalent"):
        setattr(mutant, key, value)
    else:
        raise ListError(f"{mutant.name}: {line}: not understood")


def parse(lines):
    """The mutants of a list."""
    found = []
    for line in lines:
        if not line or line.startswith("#"):
            continue
        if line.startswith("mutant: "):
            found.append(Mutant(line.partition(": ")[2]))
        elif not found:
            raise ListError(f"{line}: of which mutant?")
        else:
            _add(found[-1], line)
    for mutant in found:
        _check(mutant)
    return found


def read_all(directory=MUTANTS):
    """The mutants of all lists, by name."""
    found = {}
    for path in sorted(Path(directory).glob(LISTS)):
        for mutant in parse(path.read_text(encoding="utf-8").splitlines()):
            if mutant.name in found:
                raise ListError(f"{mutant.name}: there are two")
            found[mutant.name] = mutant
    return found


def groups(found, size):
    """Puts mutants together that one build can have: at most SIZE.

    Those of a group are built for the same kernel, and no program is to notice
    two of them: its failure has to tell which one it was.
    """
    result = []
    for mutant in found:
        key = (mutant.test.kind, mutant.test.cpu)
        for group in result:
            other = group[0].test
            if (len(group) < size and key == (other.kind, other.cpu)
                    and not any(m.test.program == mutant.test.program
                                or m.files() & mutant.files()
                                for m in group)):
                group.append(mutant)
                break
        else:
            result.append([mutant])
    return result

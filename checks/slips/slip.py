# SPDX-License-Identifier: GPL-2.0-only
"""One slip: some characters of a file become others.

It has the methods of mutants.Mutant that the runner calls.
"""

import re
from dataclasses import dataclass
from pathlib import Path


def _short(text):
    """A text as one line."""
    text = " ".join(re.sub(r"\s+", " ", text).split())
    return text if len(text) <= 60 else text[:57] + "..."


@dataclass(frozen=True)
class Slip:
    """OLD at the offset AT of a FILE, in its line LINE, becomes NEW."""

    file: str
    line: int
    at: int
    old: str
    new: str
    kind: str

    @property
    def name(self):
        """The file and the line."""
        return f"{self.file}:{self.line}"

    @property
    def what(self):
        """The change, for people."""
        return f"{self.kind}: {_short(self.old)} -> {_short(self.new) or '(nothing)'}"

    def changed(self, text):
        """The text of the file with the slip."""
        end = self.at + len(self.old)
        if text[self.at:end] != self.old:
            raise ValueError(f"{self.name}: {self.old} is not there")
        # Later lines keep their numbers, which the object may contain.
        lines = "\n" * (self.old.count("\n") - self.new.count("\n"))
        return text[:self.at] + self.new + lines + text[end:]

    def apply(self, tree):
        """Changes the file below TREE; returns what mutants.restore() takes."""
        path = Path(tree, self.file)
        before = path.read_text(encoding="utf-8")
        path.write_text(self.changed(before), encoding="utf-8")
        return {self.file: before}

    def files(self):
        """The names of the files that it changes."""
        return {self.file}
